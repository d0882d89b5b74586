import { askFree } from "../looks.ts";
import { checkStatuses } from "../money.ts";
import type { Scenario } from "../scenario.ts";
import { startSlowProxy } from "../slow-proxy.ts";
import { startPair } from "./pair.ts";

const DELAY_MS = 100;

/** PostgreSQL is far away. */
export const slowDatabase: Scenario = {
  name: "slow-database",
  what: `PostgreSQL behind ${DELAY_MS} ms each way: calls are slower, exact all the same, and free tools are not slower`,
  needs: ["linux", "postgres", "valkey"],
  run: async (ground, findings, isShort) => {
    const pair = await startPair(ground, {
      databaseUrl: async ({ port, url }) => {
        const proxy = await startSlowProxy(port, DELAY_MS);
        ground.later(proxy.close);
        return url.replace(`:${port}/`, `:${proxy.port}/`);
      },
    });
    const storm = pair.storm("slow");
    await storm.more(200, isShort ? 50 : 2000);
    const beganMs = performance.now();
    const free = await askFree(pair.services[0]);
    findings.figure("a free tool's call meanwhile, ms", Math.round(performance.now() - beganMs));
    findings.expect(free.status === 200, `free tools go on: ${free.status}`);
    await storm.stop();
    const tookMs = storm.calls
      .filter(({ status }) => status === 200)
      .map((call) => call.endedMs - call.sentMs);
    findings.figure("fastest answer, ms", Math.round(Math.min(...tookMs)));
    // Key, transaction, lock, keys, charge, commit: each waits for the one before.
    findings.expect(Math.min(...tookMs) >= 2 * DELAY_MS, "every charge was waited for");
    checkStatuses(storm.calls, [200, 429], findings);
    await pair.checkMoney(storm.calls, findings, 0);
  },
};
