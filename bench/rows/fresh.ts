import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { z } from "zod";
import { systemClock } from "../../src/base/clock.ts";
import { createFreshAddresses } from "../fresh-addresses.ts";
import { type FreshResolver, type ResolverMood, startFreshResolver } from "../fresh-resolver.ts";
import type { Laboratory } from "../laboratory.ts";
import { type Load, type Round, runAnswered, startLoad } from "../load/driver.ts";
import type { LoadOrder } from "../load/words.ts";
import type { Started } from "../processes.ts";
import type { Measurements, Row } from "../row.ts";
import { interleave, median, medianRatio } from "../statistics.ts";
import { checkIp, createKeys, dnsSection, firstAnswer, type Serving, startService } from "../world.ts";
import { startPlain } from "./check-ip.ts";

const CONNECTIONS = 64;
const PATH = "/api/check-ip";
const ZONES = 10;
/** Fewer than the service remembers: what is asked about again. */
const REPEATED = 4096;
/** Time for the service to notice that its resolver fails. */
const NOTICE_MS = 6000;

/**
 * `check-ip` of addresses that were never asked about before, with a resolver on another processor that answers, and of
 * repeated ones with a resolver that fails, beside repeated addresses with a resolver that answers and the bare echo.
 */
export const freshRow: Row = {
  name: "fresh",
  measure: async (laboratory) => {
    const { cpus, say } = laboratory;
    const world = await laboratory.world();
    const resolver = await startFreshResolver(cpus.load);
    const load = startLoad(cpus.load);
    const others: Started[] = [];
    try {
      say("Compiling the lists for two services, one with 10 zones");
      const echo = await startPlain("echo.ts", [], cpus.server, others);
      const install = async (name: string, zones: number) => {
        const { keys, env } = await writeInstallation(laboratory, { name, zones, resolver });
        await compile(env, keys[0] ?? "");
        const serving = await startService(env, { cpu: cpus.server });
        others.push(serving.server);
        await firstAnswer(serving, keys[0] ?? "", bodyOf("192.0.2.1"));
        return { serving, keys };
      };
      const plain = await install("fresh", 0);
      const zoned = await install("fresh-zones", ZONES);
      return await compare(laboratory, { echo, plain, zoned, resolver, load, world });
    } finally {
      await Promise.all([resolver, load, ...others].map((each) => each.stop()));
    }
  },
};

const bodyOf = (ip: string): string => JSON.stringify({ ip });

async function writeInstallation(
  { dir, world: makeWorld }: Laboratory,
  { name, zones, resolver }: { name: string; zones: number; resolver: FreshResolver },
) {
  const { listConfiguration } = await makeWorld();
  const dataDir = join(dir, name);
  mkdirSync(dataDir, { recursive: true });
  const { engines } = listsSchema.parse(parse(listConfiguration));
  const dnsbl = Array.from({ length: zones }, (_, i) => ({
    ...{ key: `bench_zone_${i}`, name: `Zone ${i}`, target: "ip", zone: `z${i}.zone.example` },
  }));
  const file = join(dir, `${name}.yaml`);
  writeFileSync(file, stringify({ engines: { ...engines, dnsbl } }) + dnsSection(resolver.address));
  return {
    keys: await createKeys(join(dataDir, "repute.db")),
    env: { REPUTE_DATA_DIR: dataDir, REPUTE_CONFIG: file, REPUTE_BOOTSTRAP: "off" },
  };
}

const listsSchema = z.object({ engines: z.looseObject({}) });

/** Not on the one processor that the service is measured on. */
async function compile(env: Readonly<Record<string, string>>, key: string): Promise<void> {
  const service = await startService(env, { cpu: null });
  await firstAnswer(service, key, bodyOf("192.0.2.1"));
  await service.server.stop();
}

type Installed = { readonly serving: Serving; readonly keys: readonly string[] };

type Subjects = {
  readonly echo: Serving;
  readonly plain: Installed;
  readonly zoned: Installed;
  readonly resolver: FreshResolver;
  readonly load: Load;
  readonly world: { readonly listDir: string };
};

async function compare({ quick, say }: Laboratory, subjects: Subjects): Promise<Measurements> {
  const { echo, plain, zoned, resolver, load, world } = subjects;
  const addresses = createFreshAddresses(world.listDir);
  const [known, unlucky] = [addresses.take(REPEATED), addresses.take(REPEATED)];
  const run = async (
    { serving, keys }: Installed,
    ips: readonly string[],
    until: LoadOrder["until"] = { calls: ips.length },
  ): Promise<Round> => {
    const order = { port: serving.port, path: PATH, connections: CONNECTIONS, keys, until };
    return runAnswered(load, serving.server, { ...order, bodies: ips.map(bodyOf) });
  };
  const fresh = async (installed: Installed, mood: ResolverMood, calls: number) => {
    await until(installed, mood);
    return run(installed, addresses.take(calls));
  };
  /** Until what the service says of reverse DNS shows that it has noticed the resolver's mood. */
  const until = async ({ serving, keys }: Installed, mood: ResolverMood): Promise<void> => {
    await resolver.use(mood);
    for (;;) {
      const [ip = ""] = addresses.take(1);
      const { text } = await checkIp(serving.port, keys[0] ?? "", bodyOf(ip));
      if (statusSchema.parse(JSON.parse(text)).data.information.reverse_dns_status === STATUS_IN[mood])
        return;
      await systemClock.sleep(100);
    }
  };
  const repeated = async () => {
    await until(plain, "names");
    await run(plain, known);
    return run(plain, known, { calls: calls * 2 });
  };
  const failing = async (mood: ResolverMood) => {
    await resolver.use(mood);
    await run(plain, unlucky, { ms: NOTICE_MS });
    return run(plain, unlucky, { ms: 2500 });
  };
  const calls = quick ? 6000 : 12_000;
  const echoed = { serving: echo, keys: plain.keys };
  say("Warming up");
  await run(echoed, known, { calls: quick ? 40_000 : 150_000 });
  for (const [mood, share] of [
    ["nxdomain", 3],
    ["names", 3],
  ] as const) {
    await fresh(plain, mood, calls * share);
    await fresh(zoned, mood, calls);
  }
  await run(plain, known, { calls: quick ? 20_000 : 100_000 });
  say("Calling the echo, and check-ip of new and of repeated addresses, in turn");
  const rounds = await interleave<Round>(quick ? 3 : 5, {
    echo: () => run(echoed, known, { ms: quick ? 1000 : 2000 }),
    repeated,
    nameless: () => fresh(plain, "nxdomain", calls),
    named: () => fresh(plain, "names", calls),
    zoned: () => fresh(zoned, "nxdomain", calls),
    failing: () => failing("servfail"),
    silent: () => failing("silent"),
  });
  return figuresOf(rounds);
}

const STATUS_IN: Readonly<Record<ResolverMood, string>> = {
  nxdomain: "nxdomain",
  names: "ok",
  servfail: "error",
  silent: "timeout",
};

const statusSchema = z.object({
  data: z.object({ information: z.object({ reverse_dns_status: z.string().nullable() }) }),
});

function figuresOf(rounds: Readonly<Record<string, readonly Round[]>>): Measurements {
  const of = (subject: string, figure: (round: Round) => number) => (rounds[subject] ?? []).map(figure);
  const cpu = (subject: string) => of(subject, ({ cpuUs }) => cpuUs);
  const rate = (subject: string) => of(subject, ({ callsPerS }) => callsPerS);
  const p99 = (subject: string) => of(subject, ({ p99Ms }) => p99Ms);
  return {
    repeated_cpu: medianRatio(cpu("repeated"), cpu("echo")),
    nameless_cpu: medianRatio(cpu("nameless"), cpu("echo")),
    nameless_rate: medianRatio(rate("nameless"), rate("echo")),
    named_cpu: medianRatio(cpu("named"), cpu("echo")),
    named_rate: medianRatio(rate("named"), rate("echo")),
    named_p99: medianRatio(p99("named"), p99("echo")),
    zoned_cpu: medianRatio(cpu("zoned"), cpu("echo")),
    zoned_per_s: median(rate("zoned")),
    failing_cpu: medianRatio(cpu("failing"), cpu("repeated")),
    silent_cpu: medianRatio(cpu("silent"), cpu("repeated")),
    silent_rate: medianRatio(rate("silent"), rate("repeated")),
    fresh_echo_cpu_us: median(cpu("echo")),
    repeated_cpu_us: median(cpu("repeated")),
    nameless_cpu_us: median(cpu("nameless")),
    named_cpu_us: median(cpu("named")),
    zoned_cpu_us: median(cpu("zoned")),
  };
}
