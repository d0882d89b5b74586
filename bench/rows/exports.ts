import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { exportsDirOf } from "../../src/exports/state.ts";
import type { Laboratory } from "../laboratory.ts";
import { listFile } from "../lists.ts";
import { startLoad } from "../load/driver.ts";
import { projectFile, startNode } from "../processes.ts";
import type { Row } from "../row.ts";
import { median, quantile } from "../statistics.ts";
import { startService, type World } from "../world.ts";
import { compile } from "./check-ip.ts";
import { BEFORE_MS, callFor, callUntil, updateList } from "./update.ts";

const EXPORTS = `exports:
  - { name: edge, target: ip }
  - { name: sure, target: ip, min_score: 75, limit: 100000 }
  - { name: joined, target: ip, min_score: 30, aggregate: { promote: "24:16" } }
`;

/**
 * Three exports of the lists: how long a build takes by itself, and what calls notice from a list's change until the last of
 * the exports made of it is in force, compile and swap included.
 */
export const exportsRow: Row = {
  name: "exports",
  measure: async (laboratory) => {
    const world = await openWorld(laboratory);
    const { cpus, quick, say } = laboratory;
    say("Building the exports by themselves");
    const alone = await buildAlone(world);
    const load = startLoad(cpus.load);
    const service = await startService(world.env, { cpu: null });
    try {
      say("Changing a list under 200 calls a second");
      await callUntil(
        () => Promise.resolve(lastBuild(world) !== ""),
        () => callFor(load, service, world, 500),
      );
      const ratios: number[] = [];
      for (let i = 0; i < (quick ? 1 : 3); i++) {
        const before = await callFor(load, service, world, BEFORE_MS);
        const built = lastBuild(world);
        appendFileSync(listFile(world.listDir, 0), `9.${i}.10.${i}\n`);
        const updating = updateList(world);
        const during = await callUntil(
          () => Promise.resolve(lastBuild(world) !== built),
          () => callFor(load, service, world, 500),
        );
        await updating.gone;
        ratios.push(quantile(during, 0.99) / quantile(before, 0.99));
      }
      return { ...alone, exports_p99_ratio: median(ratios) };
    } finally {
      await Promise.all([service.server.stop(), load.stop()]);
    }
  },
};

/** The world with three exports of its lists. */
export async function openWorld(laboratory: Laboratory): Promise<World> {
  const world = await laboratory.world();
  const config = join(laboratory.dir, "exports.yaml");
  writeFileSync(config, readFileSync(world.env["REPUTE_CONFIG"] ?? "", "utf8") + EXPORTS);
  laboratory.say("Compiling the lists");
  const env = { ...world.env, REPUTE_CONFIG: config };
  await compile({ ...world, env });
  return { ...world, env };
}

const builtSchema = z.object({ firstMs: z.number(), againMs: z.number(), entries: z.number() });

async function buildAlone({ env }: World) {
  const child = startNode({ args: [projectFile("bench/servers/build-exports.ts")], cpu: null, env });
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  child.process.once("message", resolve).once("exit", () => reject(new Error("The exports were not built")));
  const { firstMs, againMs, entries } = builtSchema.parse(await promise);
  await child.gone;
  return {
    exports_s: firstMs / 1000 / (entries / 1e6),
    exports_again_s: againMs / 1000 / (entries / 1e6),
    exports_entries: entries,
  };
}

/** What the last build was made of, and when; empty: there was none. A change of a list may change no export. */
export function lastBuild({ dataDir }: World): string {
  const file = join(exportsDirOf(dataDir), "built.json");
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}
