import { mostResidentMb, residentMb } from "../linux.ts";
import { sizeOfAnswer, startListed } from "../listed-service.ts";
import type { Scenario } from "../scenario.ts";

const STARTS = 100;
const MOST_MORE_MB = 150;

/** What bouncers that all start at once cost: CrowdSec's own had sent 44 GB to as many of both by then. */
export const bouncerStarts: Scenario = {
  name: "bouncer-starts",
  what: `${STARTS} bouncers start at once, each is sent 300,000 decisions: memory`,
  needs: ["linux"],
  run: async (ground, findings, isShort) => {
    const count = isShort ? 20_000 : 300_000;
    const { service, createToken } = await startListed(ground, count);
    const token = await createToken("decisions");
    const url = `http://127.0.0.1:${service.port}/lapi/v1/decisions/stream?startup=true`;
    const start = (agent: string) => sizeOfAnswer(url, { "x-api-key": token, "user-agent": agent });
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
