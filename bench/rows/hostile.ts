import { systemClock } from "../../src/base/clock.ts";
import { FAMILIES, type Probe } from "../hostile/families.ts";
import { openHostileWorld } from "../hostile/world.ts";
import type { Started } from "../processes.ts";
import type { Row } from "../row.ts";
import { firstAnswer, startService } from "../world.ts";

const REPORTER = new URL("../servers/loop-pause.ts", import.meta.url).href;
/** A pause that may be the machine's own: the text is tried again, and the least counts. */
const DOUBTFUL_MS = 15;
const TRIES = 5;
/** No machine's own. */
const CERTAIN_MS = 300;

/**
 * Every family of outside text at the full length that reaches us, fed to a running service over the way that it comes
 * in: the longest pause of its event loop. What else the machine does only adds to it, so each text has some tries.
 */
export const hostileRow: Row = {
  name: "hostile",
  measure: async ({ dir, cpus, say }) => {
    const world = await openHostileWorld(dir);
    const serving = await startService(world.env, { cpu: cpus.server, flags: ["--import", REPORTER] });
    try {
      await firstAnswer(serving, world.keys[0] ?? "", JSON.stringify({ ip: "8.8.8.8" }));
      const measured: Record<string, number> = {};
      for (const [family, probesOf] of Object.entries(FAMILIES)) {
        const probes = probesOf(world, serving);
        if (probes.length === 0) {
          say(`${family} is left out: OpenSSL is not installed`);
          continue;
        }
        // The first reader of anything is loaded and compiled then.
        await probes[0]?.feed();
        const worst = await worstOf(serving.server, probes);
        say(`${family}: ${worst.ms.toFixed(1)} ms at "${worst.name}", the longest of ${probes.length} texts`);
        measured[`pause_${family}_ms`] = worst.ms;
      }
      return measured;
    } finally {
      await serving.server.stop();
      await world.close();
    }
  },
};

async function worstOf(server: Started, probes: readonly Probe[]) {
  let worst = { name: "", ms: 0 };
  for (const { name, feed } of probes) {
    let ms = Number.POSITIVE_INFINITY;
    for (let i = 0; i < TRIES && ms > DOUBTFUL_MS; i++) {
      await pauseOf(server);
      await feed();
      // What a text leaves behind is collected in the turns after its answer.
      await systemClock.sleep(5);
      ms = Math.min(ms, await pauseOf(server));
      if (ms > CERTAIN_MS) break;
    }
    if (ms > worst.ms) worst = { name, ms };
  }
  return worst;
}

/** The longest pause since the last question. */
function pauseOf({ process: child }: Started): Promise<number> {
  return new Promise((resolve) => {
    const listen = (message: unknown): void => {
      if (typeof message !== "object" || message === null || !("pauseMs" in message)) return;
      child.off("message", listen);
      resolve(Number(message.pauseMs));
    };
    child.on("message", listen);
    child.send("pause");
  });
}
