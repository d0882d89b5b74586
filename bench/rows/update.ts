import { appendFileSync } from "node:fs";
import { listFile, listKey } from "../lists.ts";
import { type Load, startLoad } from "../load/driver.ts";
import type { LoadOrder } from "../load/words.ts";
import { projectFile, type Started, startNode } from "../processes.ts";
import type { Row } from "../row.ts";
import { median, quantile } from "../statistics.ts";
import { checkIp, firstAnswer, type Serving, startService, type World } from "../world.ts";

/** Few, as they are opened anew for every half second of calls. Who finds none free waits, and that counts. */
const CONNECTIONS = 32;
const CALLS_PER_S = 200;
/** Calls before the change, to compare with. */
export const BEFORE_MS = 3000;
/** How long the service may take to see that there is a new index. */
const PATIENCE_MS = 120_000;

/**
 * Calls at a steady rate while the operator changes a list and says `repute feeds update`: the whole index
 * is compiled anew by a child process and swapped under way. Then restarts with that index. Nothing is on a
 * processor of its own but the load.
 */
export const updateRow: Row = {
  name: "update",
  measure: async ({ world: makeWorld, cpus, quick, say }) => {
    const world = await makeWorld();
    const load = startLoad(cpus.load);
    let service = await startService(world.env, { cpu: null });
    try {
      const [key = ""] = world.keys;
      const [body = ""] = world.bodies;
      await firstAnswer(service, key, body);
      say("Changing a list under 200 calls a second");
      await callFor(load, service, world, quick ? 2000 : 10_000);
      const updates: Update[] = [];
      for (let i = 0; i < (quick ? 1 : 3); i++) updates.push(await update(load, service, world, i));
      say("Restarting with that index");
      const seconds: number[] = [];
      for (let i = 0; i < (quick ? 2 : 5); i++) {
        await service.server.stop();
        const startedMs = performance.now();
        service = await startService(world.env, { cpu: null });
        await firstAnswer(service, key, body);
        seconds.push((performance.now() - startedMs) / 1000);
      }
      return {
        update_p99_ratio: median(updates.map(({ during, before }) => p99(during) / p99(before))),
        update_p99_ms: median(updates.map(({ during }) => p99(during))),
        update_max_ms: median(updates.map(({ during }) => quantile(during, 1))),
        update_s: median(updates.map(({ tookS }) => tookS)),
        loaded_start_s: median(seconds),
      };
    } finally {
      await Promise.all([service.server.stop(), load.stop()]);
    }
  },
};

const p99 = (latenciesMs: Float64Array): number => quantile(latenciesMs, 0.99);

type Update = { readonly before: Float64Array; readonly during: Float64Array; readonly tookS: number };

/** Latencies before one address is added to the largest list, and from then until it is found. */
async function update(load: Load, service: Serving, world: World, number: number): Promise<Update> {
  const before = await callFor(load, service, world, BEFORE_MS);
  const call = () => callFor(load, service, world, 500);
  return { before, ...(await whileUpdating(service, world, number, call)) };
}

/** What the calls took from the change of the largest list until its index is in force. */
export async function whileUpdating(
  service: Serving,
  world: World,
  number: number,
  call: () => Promise<Float64Array>,
): Promise<Omit<Update, "before">> {
  const address = `9.${number}.9.${number}`;
  const detections = await detectionsOf(service, world, address);
  appendFileSync(listFile(world.listDir, 0), `${address}\n`);
  const startedMs = performance.now();
  const updating = updateList(world);
  const isInForce = async () => (await detectionsOf(service, world, address)) !== detections;
  const during = await callUntil(isInForce, call);
  const tookS = (performance.now() - startedMs) / 1000;
  await updating.gone;
  return { during, tookS };
}

/** Tells the service that the largest list has changed. */
export const updateList = ({ dataDir, env }: World): Started =>
  startNode({
    args: [projectFile("src/main.ts"), "feeds", "update", listKey(0)],
    cpu: null,
    cwd: dataDir,
    env,
  });

/** Latencies of all calls until it is so. */
export async function callUntil(
  isSo: () => Promise<boolean>,
  call: () => Promise<Float64Array>,
): Promise<Float64Array> {
  const startedMs = performance.now();
  const latenciesMs: number[] = [];
  while (!(await isSo())) {
    latenciesMs.push(...(await call()));
    if (performance.now() - startedMs > PATIENCE_MS) throw new Error("A changed list was never compiled");
  }
  return Float64Array.from(latenciesMs);
}

async function detectionsOf({ port }: Serving, { keys }: World, ip: string): Promise<string | undefined> {
  const { text } = await checkIp(port, keys[0] ?? "", JSON.stringify({ ip }));
  return /"detections":(\d+)/.exec(text)?.[1];
}

/** Calls for so long; their latencies. */
export async function callFor(
  load: Load,
  { port }: Serving,
  { keys, bodies }: World,
  ms: number,
): Promise<Float64Array> {
  const order: LoadOrder = {
    port,
    path: "/api/check-ip",
    connections: CONNECTIONS,
    keys,
    bodies,
    until: { ms },
    perSecond: CALLS_PER_S,
    isPatient: true,
  };
  const { statuses, latenciesMs } = await load.run(order);
  const others = Object.keys(statuses).filter((status) => status !== "200");
  if (others.length > 0) throw new Error(`Not all answers are 200: ${JSON.stringify(statuses)}`);
  return latenciesMs;
}
