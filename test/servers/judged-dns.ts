import { systemRandom } from "../../src/base/clock.ts";
import { createLog } from "../../src/base/log.ts";
import type { Dns, RecordType } from "../../src/net/dns/dns-types.ts";
import type { ProbeQuestion } from "../../src/net/dns/resolver-probes.ts";
import { createResolverTrust } from "../../src/net/dns/resolver-trust.ts";
import type { Cidr } from "../../src/targets/cidr.ts";
import { client, createMovableClock, serve } from "./dns-client.ts";
import type { TestScript } from "./dns-server.ts";

export const JUDGED_TIMEOUT_MS = 300;

export type TrustWish = {
  readonly probeNames?: readonly string[];
  readonly witnesses?: readonly ProbeQuestion[];
  readonly ownNetworks?: readonly Cidr[];
};

/** Servers with these scripts, and what asks them and judges them; the test moves the time. */
export async function judging(scripts: TestScript | readonly TestScript[], wish: TrustWish = {}) {
  const servers = await Promise.all([scripts].flat().map((script) => serve(script)));
  const clock = createMovableClock();
  const raw = client(servers, { clock, timeoutMs: JUDGED_TIMEOUT_MS });
  const lines: string[] = [];
  const log = createLog({ level: "info", destination: { write: (line) => void lines.push(line) } });
  const trust = createResolverTrust({
    ...{ client: raw, clock, log, random: systemRandom, timeoutMs: JUDGED_TIMEOUT_MS },
    ...{ probeNames: [], witnesses: [], ownNetworks: [], ...wish },
  });
  const [server] = servers;
  if (server === undefined) throw new Error("No server");
  return {
    trust,
    raw,
    dns: trust.guard(raw),
    server,
    servers,
    clock,
    logged: () => lines.map((line) => JSON.parse(line)),
  };
}

/** The rcode and the records' data; else the reason and why. */
export async function said(dns: Dns, name: string, type: RecordType = "A"): Promise<string> {
  const answer = await dns.query(name, type);
  if (answer.state === "unavailable") return `${answer.reason}: ${answer.detail}`;
  const data = answer.value.answers.map((record) => ("data" in record ? JSON.stringify(record.data) : ""));
  return [answer.value.rcode, ...data].join(" ");
}
