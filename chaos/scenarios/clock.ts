import { join } from "node:path";
import { createFakeClock } from "../fake-clock.ts";
import { openAccounts } from "../ground.ts";
import { askPaid } from "../looks.ts";
import { checkMoney, checkStatuses } from "../money.ts";
import type { Scenario } from "../scenario.ts";
import { fullestProvenSecond } from "../starts.ts";
import { beginStorm } from "../storm.ts";

const CREDITS = 1000;
const LIMIT = 30;
const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;

/** The clock of the machine jumps. */
export const clockJumps: Scenario = {
  name: "clock",
  what: "the clock jumps by hours and weeks, and back: limits hold, credits are exact, one refill a cycle",
  needs: ["linux", "faketime"],
  run: async (ground, findings) => {
    const clock = createFakeClock(ground);
    const service = await ground.service({ env: clock.env });
    await service.start();
    const { db, accounts } = await ground.open(join(service.dataDir, "repute.db"));
    const owners = await openAccounts(accounts, 2, { credits: CREDITS, plan: "Starter" });
    const keys = owners.map(({ key }) => key);
    const storm = beginStorm({ name: "call", keys, connections: 8, ports: () => [service.port] });
    for (const seconds of [0, 2 * HOUR_S, -2 * HOUR_S, 0]) {
      ground.say(`The clock is off by ${seconds} s`);
      clock.set(seconds);
      await storm.more(200, 60);
    }
    await storm.stop();
    checkStatuses(storm.calls, [200, 429], findings);
    const admitted = storm.calls.filter(({ status }) => status === 200);
    const fullest = Math.max(
      ...[...Map.groupBy(admitted, ({ account }) => account).values()].map(fullestProvenSecond),
    );
    findings.figure("most answers proven to be of one second", fullest);
    findings.expect(fullest <= LIMIT, `no second holds more than ${LIMIT}`);
    await checkMoney({ db, accounts, owners, granted: CREDITS }, storm.calls, findings, 0);

    const [spent] = await openAccounts(accounts, 1, { credits: 2, plan: "Starter" });
    const left = async (seconds: number) => {
      clock.set(seconds);
      const { status, headers } = await askPaid(service, spent?.key ?? "");
      return `${status} ${headers["x-credits-remaining"] ?? ""}`.trim();
    };
    const seen = [
      await left(0),
      await left(31 * DAY_S),
      await left(0),
      await left(31 * DAY_S),
      await left(0),
    ];
    findings.figure("credits left: now, in 31 days, now, in 31 days, now", seen.join(", "));
    findings.expect(
      seen.join() === "200 1,200 79999,200 79998,200 79997,200 79996",
      `a cycle refills once, whatever the clock does: ${seen.join(", ")}`,
    );
  },
};
