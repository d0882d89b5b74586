import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { systemClock } from "../../src/clock.ts";
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
/** Until the engine has compiled what a batch does. */
const WARM_BATCHES = 100;

/** Lookups that wait for others, beside check-ip; a batch of 100 beside one call. */
export const lookupsRow: Row = {
  name: "lookups",
  measure: async (laboratory) => {
    laboratory.say("Asking a slow name server 1,000 times beside check-ip");
    const script = onInternet(({ name }) =>
      name.toLowerCase().endsWith(".slow.example.com")
        ? { answers: [{ type: "A", data: "127.0.0.9" }], delayMs: SLOW_MS }
        : NAMELESS,
    );
    const dns = await startDnsServer(script);
    const { env, keys } = await install(laboratory, dns.address);
    const service = await startService(env, { cpu: laboratory.cpus.server });
    try {
      const [key = ""] = keys;
      await firstAnswer(service, key, JSON.stringify({ ip: "8.8.8.8" }));
      const rounds = laboratory.quick ? 3 : 7;
      const ratios: number[] = [];
      for (let round = 0; round < rounds; round++)
        ratios.push(await besideLookups({ service, keys, dns }, round));
      return {
        slow_p99_ratio: median(ratios),
        bulk_over_single: await bulkOverSingle(service, keys, rounds),
      };
    } finally {
      await service.server.stop();
      await dns.close();
    }
  },
};

async function install({ dir }: Laboratory, resolver: string) {
  const dataDir = join(dir, "lookups");
  mkdirSync(dataDir, { recursive: true });
  const configFile = join(dir, "lookups.yaml");
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
      domain: `n${round}-${i}.slow.example.com`,
      record_type: "A",
    }),
  );
  const isAsked = () =>
    dns.questions.filter(({ name }) => name.toLowerCase().startsWith(`n${round}-`)).length >= LOOKUPS;
  while (!isAsked()) await systemClock.sleep(20);
  const beside = await steadyCalls(service, keys);
  const statuses = await Promise.all(lookups);
  const failed = statuses.filter((status) => status !== 200);
  if (failed.length > 0) throw new Error(`${failed.length} lookups were not answered: ${failed[0]}`);
  return quantile(beside, 0.99) / quantile(alone, 0.99);
}

/** Latencies of calls one after another. */
async function steadyCalls({ port }: Serving, keys: readonly string[]): Promise<number[]> {
  const latencies: number[] = [];
  const endMs = performance.now() + WATCHED_MS;
  for (let i = 0; performance.now() < endMs; i++) {
    const startedMs = performance.now();
    const { status } = await checkIp(port, keys[i % keys.length] ?? "", JSON.stringify({ ip: "8.8.8.8" }));
    if (status !== 200) throw new Error(`check-ip answered ${status}`);
    latencies.push(performance.now() - startedMs);
  }
  return latencies;
}

async function bulkOverSingle(service: Serving, keys: readonly string[], rounds: number): Promise<number> {
  const ips = Array.from({ length: 100 }, (_, i) => `8.8.4.${i}`);
  const timed = async (path: string, body: object, i: number): Promise<number> => {
    const startedMs = performance.now();
    const status = await post(service, path, keys[i % keys.length] ?? "", body);
    if (status !== 200) throw new Error(`${path} answered ${status}`);
    return performance.now() - startedMs;
  };
  // The single call has been made thousands of times by now: the batch, too, is measured as it goes on, not as it begins.
  for (let i = 0; i < WARM_BATCHES; i++) await timed("/api/bulk/check-ip", { ips }, i);
  const ratios: number[] = [];
  for (let i = 0; i < rounds * 10; i++) {
    const single = await timed("/api/check-ip", { ip: ips[i % 100] }, 2 * i);
    ratios.push((await timed("/api/bulk/check-ip", { ips }, 2 * i + 1)) / single);
  }
  return median(ratios);
}

async function post({ port }: Serving, path: string, key: string, body: object): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-API-Key": key },
    body: JSON.stringify(body),
  });
  await response.arrayBuffer();
  return response.status;
}
