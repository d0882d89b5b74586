import { randomUUID } from "node:crypto";
import { Redis } from "ioredis";
import type { Findings } from "./scenario.ts";
import type { CallMade } from "./storm.ts";

const SECOND_US = 1_000_000;

/** The starts that the limits' server admitted, by its own clock: µs, for each bucket. */
export type AdmittedStarts = {
  readonly ofBuckets: () => ReadonlyMap<string, readonly number[]>;
  /** Resolves when every start that the server noted so far was seen: what it tells may come late. */
  readonly settled: () => Promise<void>;
  readonly close: () => void;
};

/** Watches every start that is noted in Valkey from now on. */
export async function watchStarts(url: string): Promise<AdmittedStarts> {
  const redis = new Redis(url, { retryStrategy: () => null });
  redis.on("error", () => undefined);
  const monitor = await redis.monitor();
  monitor.on("error", () => undefined);
  const buckets = new Map<string, number[]>();
  monitor.on("monitor", (_time: string, args: readonly string[]) => {
    const [command = "", key = "", score = ""] = args;
    if (command.toLowerCase() !== "zadd" || !key.endsWith(":starts")) return;
    const starts = buckets.get(key) ?? [];
    if (starts.length === 0) buckets.set(key, starts);
    starts.push(Number(score));
  });
  return {
    ofBuckets: () => buckets,
    settled: async () => {
      const mark = `seen-${randomUUID()}`;
      const { promise, resolve } = Promise.withResolvers<void>();
      monitor.on("monitor", (_time: string, args: readonly string[]) => {
        if (args.includes(mark)) resolve();
      });
      await redis.echo(mark);
      await promise;
    },
    close: () => {
      monitor.disconnect();
      redis.disconnect();
    },
  };
}

/** The most starts that any window of a second holds, half-open. */
function fullestSecond(startsUs: readonly number[]): number {
  const sorted = startsUs.toSorted((a, b) => a - b);
  let fullest = 0;
  let first = 0;
  for (const [i, start] of sorted.entries()) {
    while ((sorted[first] ?? start) <= start - SECOND_US) first++;
    fullest = Math.max(fullest, i - first + 1);
  }
  return fullest;
}

/**
 * What callers alone can prove: a call started after it was sent and before it was answered, so a second that holds more
 * calls whole than the limit has broken it.
 */
export function fullestProvenSecond(calls: readonly CallMade[]): number {
  const done = calls.toSorted((a, b) => a.endedMs - b.endedMs);
  const sentMs = done.map((call) => call.sentMs);
  let fullest = 0;
  for (const [i, { endedMs }] of done.entries()) {
    let within = 0;
    for (let j = i; j >= 0 && (done[j]?.endedMs ?? 0) > endedMs - 1000; j--) {
      if ((sentMs[j] ?? 0) > endedMs - 1000) within++;
    }
    fullest = Math.max(fullest, within);
  }
  return fullest;
}

/** Expects that no second holds more admitted calls than the limit, by the server's time stamps and by the callers'. */
export function checkWindows(
  admitted: AdmittedStarts,
  calls: readonly CallMade[],
  limit: number,
  findings: Findings,
): void {
  const fullest = Math.max(0, ...[...admitted.ofBuckets().values()].map(fullestSecond));
  const counted = [...admitted.ofBuckets().values()].reduce((sum, { length }) => sum + length, 0);
  findings.figure("starts admitted", counted);
  findings.figure("most starts in any second", fullest);
  findings.expect(fullest > 0 && fullest <= limit, `no second holds more than ${limit} starts: ${fullest}`);
  const ok = Map.groupBy(
    calls.filter(({ status }) => status === 200 || status === 402),
    ({ account }) => account,
  );
  const proven = Math.max(0, ...[...ok.values()].map(fullestProvenSecond));
  findings.expect(proven <= limit, `no caller sees more than ${limit} in a second: ${proven}`);
  const answered = [...ok.values()].reduce((sum, { length }) => sum + length, 0);
  findings.expect(counted >= answered, `all ${answered} admitted calls were seen to start: ${counted}`);
}
