import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fillDisk, mountSmallDisk } from "../disks.ts";
import { type Ground, openAccounts } from "../ground.ts";
import { askFree, askPaid, expectSoon, healthOf, isWell } from "../looks.ts";
import { checkMoney, checkStatuses } from "../money.ts";
import type { Scenario } from "../scenario.ts";
import type { OwnService } from "../services.ts";
import { beginStorm, type CallMade } from "../storm.ts";

const CREDITS = 1_000_000;
const CONNECTIONS = 16;

/** The disk of an embedded database fills up under load. */
export const fullDisk: Scenario = {
  name: "full-disk",
  what: "the disk of the embedded database is full: 503 until there is room, and no 200 that was not charged",
  needs: ["linux", "tmpfs"],
  run: async (ground, findings) => {
    const dataDir = await smallDisk(ground);
    const service = await ground.service({ dataDir });
    await service.start();
    const { db, accounts } = await ground.open(join(dataDir, "repute.db"));
    const owners = await openAccounts(accounts, 4, { credits: CREDITS });
    const keys = owners.map(({ key }) => key);
    const storm = beginStorm({ name: "call", keys, connections: CONNECTIONS, ports: () => [service.port] });
    await storm.more(200, 100);
    ground.say("Filling the disk");
    const filler = join(dataDir, "filler");
    fillDisk(filler);
    // What the log of the database has room for goes on a while.
    await storm.more(503, 20);
    const health = await healthOf(service);
    findings.figure("health on a full disk", health.slice(0, 200));
    const own: CallMade[] = [];
    const paid = await firstRefusal(service, keys[0] ?? "", own);
    findings.expect(paid.status === 503, `a metered call gets 503: ${paid.status}`);
    findings.expect(Number(paid.headers["retry-after"]) >= 1, "it says when to try again");
    findings.expect((await askFree(service)).status === 200, "free tools go on");
    ground.say("Making room");
    rmSync(filler);
    await storm.more(200, 100);
    await storm.stop();
    await expectSoon(findings, "all is well again without a restart", () => isWell(service));
    checkStatuses(storm.calls, [200, 429, 503], findings);
    const calls = [...storm.calls, ...own];
    await checkMoney({ db, accounts, owners, granted: CREDITS }, calls, findings, 0);
  },
};

const MAX_FITTING = 20;

/** A single call may still fit where a group of them did not; such calls are answered, and charged like all others. */
async function firstRefusal(service: OwnService, key: string, made: CallMade[]) {
  for (;;) {
    const sentMs = performance.now();
    const answer = await askPaid(service, key);
    const id = String(answer.headers["x-request-id"]);
    made.push({ id, account: 0, sentMs, endedMs: performance.now(), status: answer.status });
    if (answer.status !== 200 || made.length >= MAX_FITTING) return answer;
  }
}

/** A data folder on a file system of 24 MB; the snapshots lie elsewhere. */
async function smallDisk(ground: Ground): Promise<string> {
  const prepared = await ground.dataDir();
  const disk = join(ground.dir, "disk");
  mountSmallDisk(ground, disk, 24);
  for (const name of ["snapshots", "compile-cache"]) {
    symlinkSync(join(prepared, name), join(disk, name));
  }
  return disk;
}
