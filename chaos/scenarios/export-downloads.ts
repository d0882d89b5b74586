import { mostResidentMb, residentMb } from "../linux.ts";
import { sizeOfAnswer, startListed } from "../listed-service.ts";
import type { Scenario } from "../scenario.ts";

const DOWNLOADS = 100;
const MOST_MORE_MB = 60;
const LEAST_BYTES = 10_000_000;

/** What consumers that all fetch at once cost: a file is read piece by piece as each of them takes it. */
export const exportDownloads: Scenario = {
  name: "export-downloads",
  what: `${DOWNLOADS} consumers fetch an export of 10 MB at once: memory`,
  needs: ["linux"],
  run: async (ground, findings) => {
    const { service, createToken } = await startListed(ground, 210_000);
    const url = `http://127.0.0.1:${service.port}/api/exports/edge.csv`;
    // One token takes one file in ten seconds.
    const tokens = await Promise.all(
      Array.from({ length: DOWNLOADS + 1 }, () => createToken("exports:edge")),
    );
    const [first = "", ...others] = tokens;
    const fetchBy = (token: string) => sizeOfAnswer(url, { "x-api-key": token });
    const alone = await fetchBy(first);
    const beforeMb = residentMb(service.pid());
    const sizes = await Promise.all(others.map(fetchBy));
    const moreMb = mostResidentMb(service.pid()) - beforeMb;
    findings.expect(alone >= LEAST_BYTES, `a file has 10 MB: ${alone}`);
    findings.expect(
      sizes.every((size) => size === alone),
      "every file came whole",
    );
    findings.row({
      ...{ step: `${DOWNLOADS} downloads`, figure: "memory more", value: `${Math.round(moreMb)} MB` },
      ...{ must: `<= ${MOST_MORE_MB} MB`, isMet: moreMb <= MOST_MORE_MB },
    });
  },
};
