import type { Row } from "../row.ts";
import { median, quantile } from "../statistics.ts";
import { firstAnswer, type Serving, startNameless, startService } from "../world.ts";
import { install, post, steadyCalls } from "./lookups.ts";

/** Until the engine has compiled what a batch does. */
const WARM_BATCHES = 100;
const WATCHED_MS = 1000;
const IPS = Array.from({ length: 100 }, (_, i) => `8.8.4.${i}`);

type Caller = (path: string, body: object) => Promise<number>;

/** A batch of 100 addresses beside one call, beside the same in turn, and what single calls notice of batches. */
export const bulkRow: Row = {
  name: "bulk",
  measure: async (laboratory) => {
    laboratory.say("Calling batches of 100 and single calls in turn");
    const dns = await startNameless();
    const { env, keys } = await install(laboratory, "bulk", dns.address);
    const service = await startService(env, { cpu: laboratory.cpus.server });
    try {
      await firstAnswer(service, keys[0] ?? "", JSON.stringify({ ip: "8.8.8.8" }));
      const rounds = laboratory.quick ? 3 : 7;
      const timed = timedCalls(service, keys);
      // The single call is made thousands of times: the batch, too, is measured as it goes on, not as it begins.
      await steadyCalls(service, keys);
      for (let i = 0; i < WARM_BATCHES; i++) await timed("/api/bulk/check-ip", { ips: IPS });
      return { ...(await durations(timed, rounds)), ...(await besideBatches(service, keys, rounds)) };
    } finally {
      await service.server.stop();
      await dns.close();
    }
  },
};

/** Calls with one key after another, each its duration in ms. */
function timedCalls(service: Serving, keys: readonly string[]): Caller {
  let turn = 0;
  return async (path, body) => {
    const startedMs = performance.now();
    const status = await post(service, path, keys[turn++ % keys.length] ?? "", body);
    if (status !== 200) throw new Error(`${path} answered ${status}`);
    return performance.now() - startedMs;
  };
}

async function durations(timed: Caller, rounds: number) {
  const overSingle: number[] = [];
  for (let i = 0; i < rounds * 10; i++) {
    const single = await timed("/api/check-ip", { ip: IPS[i % 100] });
    overSingle.push((await timed("/api/bulk/check-ip", { ips: IPS })) / single);
  }
  const overBatch: number[] = [];
  for (let i = 0; i < rounds; i++) {
    let singlesMs = 0;
    for (const ip of IPS) singlesMs += await timed("/api/check-ip", { ip });
    overBatch.push(singlesMs / (await timed("/api/bulk/check-ip", { ips: IPS })));
  }
  return { bulk_over_single: median(overSingle), singles_over_bulk: median(overBatch) };
}

/** p99 of single calls while batches are under way all the time, by that of the same calls alone. */
async function besideBatches(service: Serving, keys: readonly string[], rounds: number) {
  const half = keys.length >>> 1;
  const singles = keys.slice(0, half);
  const ratios: number[] = [];
  for (let i = 0; i < rounds; i++) {
    const alone = quantile(await steadyCalls(service, singles, WATCHED_MS), 0.99);
    const timed = timedCalls(service, keys.slice(half));
    let isOver = false;
    const batches = (async () => {
      while (!isOver) await timed("/api/bulk/check-ip", { ips: IPS });
    })();
    const beside = quantile(await steadyCalls(service, singles, WATCHED_MS), 0.99);
    isOver = true;
    await batches;
    ratios.push(beside / alone);
  }
  return { bulk_beside_p99: median(ratios) };
}
