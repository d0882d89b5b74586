import { systemClock } from "../../src/base/clock.ts";
import { createDnsRecords, type LookupTime } from "../../src/enrichment/dns-facts/resolve.ts";
import { client, serve } from "./dns-client.ts";
import type { TestRecord, TestReply, TestScript } from "./dns-server.ts";

/** Replies by `TYPE name`, or the data of their records. */
export type DnsWorld = Readonly<Record<string, readonly unknown[] | TestReply | "silence">>;

/** Answers as the world says: NXDOMAIN for names that it does not know, NODATA for their other types. */
const scriptOf =
  (world: DnsWorld): TestScript =>
  ({ name, type }) => {
    const asked = name.toLowerCase();
    const said = world[`${type} ${asked}`];
    if (said === undefined) {
      return Object.keys(world).some((key) => key.endsWith(` ${asked}`)) ? {} : { rcode: 3 };
    }
    if (!Array.isArray(said)) return said as TestReply | "silence";
    return { answers: said.map((data): TestRecord => ({ type, data })) };
  };

/** A loopback server that knows this world or does as the script says, and what asks it; closed after the test. */
export async function openDnsWorld(world: DnsWorld | TestScript, { timeoutMs = 30_000 } = {}) {
  const server = await serve(typeof world === "function" ? world : scriptOf(world));
  const dns = client([server], { timeoutMs });
  return { server, dns, dnsRecords: createDnsRecords({ dns, clock: systemClock, timeoutMs }) };
}

/** Longer than any test lasts. */
export const lookupTime = (): LookupTime => ({
  signal: new AbortController().signal,
  deadlineMs: systemClock.monotonicMs() + 60_000,
});
