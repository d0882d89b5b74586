import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../src/base/clock.ts";
import type { Row } from "../row.ts";
import { median } from "../statistics.ts";
import { dnsSection, firstAnswer, type Serving, startNameless, startService } from "../world.ts";

const BODY = JSON.stringify({ ip: "8.8.8.8" });
const SETTLING_MS = 2000;

/** An installation as it comes, with nothing but the seed: from `serve` to the first 200, and its memory then. */
export const startRow: Row = {
  name: "start",
  measure: async ({ dir, quick, say }) => {
    const dataDir = join(dir, "start");
    mkdirSync(dataDir);
    const resolver = await startNameless();
    const configFile = join(dir, "start.yaml");
    writeFileSync(configFile, dnsSection(resolver.address));
    const env = { REPUTE_DATA_DIR: dataDir, REPUTE_CONFIG: configFile };
    try {
      say("Starting for the first time");
      const first = await startAndAsk(env, null);
      const restMb = [await memoryAtRest(first.serving)];
      say("Starting again");
      const seconds: number[] = [];
      for (let i = 0; i < (quick ? 3 : 7); i++) {
        const again = await startAndAsk(env, first.key);
        seconds.push(again.seconds);
        if (i === 0) restMb.push(await memoryAtRest(again.serving));
        else await again.serving.server.stop();
      }
      return { first_start_s: first.seconds, start_s: median(seconds), rest_mb: Math.max(...restMb) };
    } finally {
      await resolver.close();
    }
  },
};

type Answered = { readonly serving: Serving; readonly key: string; readonly seconds: number };

/** Starts the service and calls until a 200 comes, with the key given or, at the first start, with the one printed. */
async function startAndAsk(env: Readonly<Record<string, string>>, known: string | null): Promise<Answered> {
  const { promise: printed, resolve } = Promise.withResolvers<string>();
  const startedMs = performance.now();
  const serving = await startService(env, {
    cpu: null,
    onLine: (line) => {
      const key = /\brpt_[0-9A-Za-z]{43}\b/.exec(line)?.[0];
      if (key !== undefined) resolve(key);
    },
  });
  const key = known ?? (await printed);
  await firstAnswer(serving, key, BODY);
  return { serving, key, seconds: (performance.now() - startedMs) / 1000 };
}

/** Resident memory a moment after the last work; ends the service. */
async function memoryAtRest({ server }: Serving): Promise<number> {
  await systemClock.sleep(SETTLING_MS);
  const residentMb = server.residentMb();
  await server.stop();
  return residentMb;
}
