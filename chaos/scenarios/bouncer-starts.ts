import { existsSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../src/base/clock.ts";
import { exportFiles, exportsDirOf } from "../../src/exports/state.ts";
import { publishListed } from "../bouncers/model.ts";
import { openAccounts } from "../ground.ts";
import { mostResidentMb, residentMb } from "../linux.ts";
import type { Scenario } from "../scenario.ts";

const STARTS = 100;
const MOST_MORE_MB = 150;
const FIRST = 0x2d000000;

/** What bouncers that all start at once cost: CrowdSec's own needs some 44 GB for three times as many decisions. */
export const bouncerStarts: Scenario = {
  name: "bouncer-starts",
  what: `${STARTS} bouncers start at once, each is sent 300,000 decisions: memory`,
  needs: ["linux"],
  run: async (ground, findings, isShort) => {
    const count = isShort ? 20_000 : 300_000;
    const service = await ground.service({
      file: { engines: { builtin: false }, exports: [{ name: "edge" }] },
    });
    await service.start();
    const dir = exportsDirOf(service.dataDir);
    while (!existsSync(join(dir, "built.json"))) await systemClock.sleep(50);
    // Every third address, so that no two become one network.
    const v4 = new Map(Array.from({ length: count }, (_, i) => [FIRST + 3 * i, 32] as const));
    const now = systemClock.now();
    const generation = Math.floor(now.getTime() / 1000);
    await publishListed(exportFiles(join(dir, "edge")), { v4, v6: new Set() }, { generation, now });
    const { accounts } = await ground.open(join(service.dataDir, "repute.db"));
    const [owner] = await openAccounts(accounts, 1);
    const { text } = await accounts.createToken({ email: owner?.email ?? "", scopes: ["decisions"] });
    const start = (agent: string) => startOne(service.port, { token: text, agent });
    const alone = await start("first");
    const beforeMb = residentMb(service.pid());
    const sizes = await Promise.all(Array.from({ length: STARTS }, (_, i) => start(`bouncer ${i}`)));
    const moreMb = mostResidentMb(service.pid()) - beforeMb;
    findings.expect(alone > count * 100, "an answer holds all decisions");
    findings.expect(
      sizes.every((size) => size === alone),
      "every answer came whole",
    );
    findings.figure("one answer, MB", Math.round(alone / 1e5) / 10);
    findings.row({
      ...{ step: `${STARTS} starts`, figure: "memory more", value: `${Math.round(moreMb)} MB` },
      ...{ must: `<= ${MOST_MORE_MB} MB`, isMet: moreMb <= MOST_MORE_MB },
    });
  },
};

/** The octets of a whole answer, thrown away as they come: this process's memory is not what is measured. */
async function startOne(port: number, { token, agent }: { token: string; agent: string }): Promise<number> {
  const headers = { "x-api-key": token, "user-agent": agent, "accept-encoding": "identity" };
  const url = `http://127.0.0.1:${port}/lapi/v1/decisions/stream?startup=true`;
  const { status, body } = await fetch(url, { headers });
  if (status !== 200 || body === null) return 0;
  let size = 0;
  for await (const piece of body) size += piece.byteLength;
  return size;
}
