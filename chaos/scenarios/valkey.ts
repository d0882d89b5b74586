import { countOf, expectSoon, healthOf, isWell } from "../looks.ts";
import { checkStatuses } from "../money.ts";
import type { Findings, Scenario } from "../scenario.ts";
import { fullestProvenSecond } from "../starts.ts";
import { type Pair, startPair } from "./pair.ts";

const LIMIT = 100;

/** Valkey dies, and later stands still, under load. */
export const valkeyAway: Scenario = {
  name: "valkey",
  what: "kill -9 and SIGSTOP of Valkey: each process keeps its own limits meanwhile, no 5xx, one warning each time",
  needs: ["linux", "postgres", "valkey"],
  run: async (ground, findings) => {
    const pair = await startPair(ground);
    const storm = pair.storm("call");
    await storm.more(200, 100);
    ground.say("Killing Valkey");
    await pair.valkey.kill();
    await expectOwnLimits(pair, findings);
    await storm.more(200, 100);
    ground.say("Starting Valkey again");
    await pair.valkey.start();
    await expectRecovery(pair, findings, 1);
    await storm.more(200, 100);
    ground.say("Stopping Valkey where it stands");
    pair.valkey.pause();
    await expectOwnLimits(pair, findings);
    await storm.more(200, 100);
    ground.say("Valkey goes on");
    pair.valkey.resume();
    await expectRecovery(pair, findings, 2);
    await storm.more(200, 100);
    await storm.stop();
    checkStatuses(storm.calls, [200, 429], findings);
    await pair.checkMoney(storm.calls, findings, 0);
    const admitted = storm.calls.filter(({ status }) => status === 200);
    const fullest = Math.max(
      ...[...Map.groupBy(admitted, ({ account }) => account).values()].map(fullestProvenSecond),
    );
    findings.figure("most answers proven to be of one second", fullest);
    findings.expect(fullest <= 2 * LIMIT, "never more than each process's own limit together");
  },
};

async function expectOwnLimits({ services }: Pair, findings: Findings): Promise<void> {
  for (const service of services) {
    await expectSoon(findings, "health says that limits are the process's own", async () =>
      (await healthOf(service)).includes('"limits":"process"'),
    );
  }
}

async function expectRecovery({ services }: Pair, findings: Findings, times: number): Promise<void> {
  for (const service of services) {
    await expectSoon(findings, "the limits are shared again without a restart", () => isWell(service));
    const warnings = countOf(service.written(), "Valkey is unavailable");
    findings.expect(warnings === times, `one warning each time: ${warnings} of ${times}`);
  }
}
