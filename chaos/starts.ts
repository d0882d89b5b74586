import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { createInterface } from "node:readline";
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

/** A start as MONITOR tells of it: `+1795920946.671904 [0 lua] "ZADD" "repute:…:starts" "1795920946671" "id"`. */
const NOTED = /"zadd" "(?<key>[^"]*:starts)" "(?<atUs>[^"]+)"/i;

/** Watches every start that is noted in Valkey from now on. */
export async function watchStarts(url: string): Promise<AdmittedStarts> {
  const redis = new Redis(url, { retryStrategy: () => null });
  redis.on("error", () => undefined);
  const { hostname, port } = new URL(url);
  // By hand: ioredis throws where the first command is told of in one piece with the answer to MONITOR.
  const monitor = connect(Number(port), hostname);
  monitor.on("error", () => undefined);
  const lines = createInterface({ input: monitor });
  monitor.write("MONITOR\r\n");
  const buckets = new Map<string, number[]>();
  lines.on("line", (line) => {
    const { key, atUs } = NOTED.exec(line)?.groups ?? {};
    if (key === undefined) return;
    const starts = buckets.get(key) ?? [];
    if (starts.length === 0) buckets.set(key, starts);
    starts.push(Number(atUs));
  });
  const [answer] = await once(lines, "line");
  if (answer !== "+OK") throw new Error(`MONITOR: ${answer}`);
  return {
    ofBuckets: () => buckets,
    settled: async () => {
      const mark = `seen-${randomUUID()}`;
      const { promise, resolve } = Promise.withResolvers<void>();
      lines.on("line", (line) => (line.includes(mark) ? resolve() : undefined));
      await redis.echo(mark);
      await promise;
    },
    close: () => {
      monitor.destroy();
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
