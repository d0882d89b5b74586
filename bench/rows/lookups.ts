import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { systemClock } from "../../src/base/clock.ts";
import { startDnsServer, type TestDnsServer } from "../../test/servers/dns-server.ts";
import { onInternet } from "../../test/servers/resolvers.ts";
import type { Laboratory } from "../laboratory.ts";
import type { Row } from "../row.ts";
import { median, quantile } from "../statistics.ts";
import { checkIp, createKeys, firstAnswer, NAMELESS, type Serving, startService } from "../world.ts";

/** How long the slow name servers take, and how much of that the calls beside are watched. */
const SLOW_MS = 6000;
const WATCHED_MS = 2500;
const LOOKUPS = 1000;
/** Lookups that wait for others, beside check-ip. */
export const lookupsRow: Row = {
  name: "lookups",
  measure: async (laboratory) => {
    laboratory.say("Asking a slow name server 1,000 times beside check-ip");
    const script = onInternet(({ name }) =>
      name.toLowerCase().startsWith("www.slow-")
        ? { answers: [{ type: "A", data: "127.0.0.9" }], delayMs: SLOW_MS }
        : NAMELESS,
    );
    const dns = await startDnsServer(script);
    const { env, keys } = await install(laboratory, "lookups", dns.address);
    const service = await startService(env, { cpu: laboratory.cpus.server });
    try {
      const [key = ""] = keys;
      await firstAnswer(service, key, JSON.stringify({ ip: "8.8.8.8" }));
      const rounds = laboratory.quick ? 3 : 7;
      const ratios: number[] = [];
      for (let round = 0; round < rounds; round++)
        ratios.push(await besideLookups({ service, keys, dns }, round));
      return { slow_p99_ratio: median(ratios) };
    } finally {
      await service.server.stop();
      await dns.close();
    }
  },
};

/** An installation called `name` without lists, with accounts. */
export async function install({ dir }: Laboratory, name: string, resolver: string) {
  const dataDir = join(dir, name);
  mkdirSync(dataDir, { recursive: true });
  const configFile = join(dir, `${name}.yaml`);
  writeFileSync(
    configFile,
    stringify({
      dns: { servers: [resolver], timeout_ms: 7000 },
      rdap: { bootstrap_url: "http://127.0.0.1:1/" },
      engines: { builtin: false },
    }),
  );
  const keys = await createKeys(join(dataDir, "repute.db"));
  return { env: { REPUTE_DATA_DIR: dataDir, REPUTE_CONFIG: configFile, REPUTE_BOOTSTRAP: "off" }, keys };
}

type Beside = {
  readonly service: Serving;
  readonly keys: readonly string[];
  readonly dns: Pick<TestDnsServer, "questions">;
};

/** p99 of steady check-ip calls while the lookups are under way, by that of the same calls alone. */
async function besideLookups({ service, keys, dns }: Beside, round: number): Promise<number> {
  const alone = await steadyCalls(service, keys);
  const lookups = Array.from({ length: LOOKUPS }, (_, i) =>
    post(service, "/api/dns-lookup", keys[i % keys.length] ?? "", {
      // Each of a domain of its own: one domain's servers are asked 48 questions at a time.
      domain: `www.slow-${round}-${i}.example`,
      record_type: "A",
    }),
  );
  const isAsked = () =>
    dns.questions.filter(({ name }) => name.toLowerCase().startsWith(`www.slow-${round}-`)).length >= LOOKUPS;
  while (!isAsked()) await systemClock.sleep(20);
  const beside = await steadyCalls(service, keys);
  const statuses = await Promise.all(lookups);
  const failed = statuses.filter((status) => status !== 200);
  if (failed.length > 0) throw new Error(`${failed.length} lookups were not answered: ${failed[0]}`);
  return quantile(beside, 0.99) / quantile(alone, 0.99);
}

/** Latencies of calls one after another. */
export async function steadyCalls(
  { port }: Serving,
  keys: readonly string[],
  ms: number = WATCHED_MS,
): Promise<number[]> {
  const latencies: number[] = [];
  const endMs = performance.now() + ms;
  for (let i = 0; performance.now() < endMs; i++) {
    const startedMs = performance.now();
    const { status } = await checkIp(port, keys[i % keys.length] ?? "", JSON.stringify({ ip: "8.8.8.8" }));
    if (status !== 200) throw new Error(`check-ip answered ${status}`);
    latencies.push(performance.now() - startedMs);
  }
  return latencies;
}

/** Calls `path`; the status. */
export async function post({ port }: Serving, path: string, key: string, body: object): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-API-Key": key },
    body: JSON.stringify(body),
  });
  await response.arrayBuffer();
  return response.status;
}
