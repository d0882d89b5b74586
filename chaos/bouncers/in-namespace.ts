import { existsSync, linkSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createChance } from "../../bench/statistics.ts";
import { systemClock } from "../../src/base/clock.ts";
import { exportFiles, exportsDirOf } from "../../src/exports/state.ts";
import { createGround, type Ground, openAccounts } from "../ground.ts";
import type { OwnService } from "../services.ts";
import { type CuttingProxy, startCuttingProxy } from "./cutting-proxy.ts";
import { change, expanded, type Listed, publishListed, whole } from "./model.ts";
import { type Bouncer, customBouncer, firewallBouncer } from "./programs.ts";

/*
 * Run in a network namespace of its own, whose tables the firewall's bouncer may change: generation after generation, with the
 * service restarted and killed, answers cut and bouncers killed. Prints one line of JSON.
 * Arguments: the folder of prepared snapshots, and how many generations.
 */
const [, , prepared = "", count = "0"] = process.argv;

const WAIT_MS = 150_000;

type Stage = {
  readonly service: OwnService;
  readonly proxy: CuttingProxy;
  readonly bouncers: readonly Bouncer[];
  /** Takes their token away. */
  readonly revoke: () => Promise<unknown>;
  readonly files: ReturnType<typeof exportFiles>;
};

async function openStage(ground: Ground): Promise<Stage> {
  const file = { engines: { builtin: false }, exports: [{ name: "edge" }] };
  const service = await ground.service({ file });
  await service.start();
  const dir = exportsDirOf(service.dataDir);
  // Its own build finds that nothing is listed, and looks again in an hour.
  while (!existsSync(join(dir, "built.json"))) await systemClock.sleep(50);
  const { accounts } = await ground.open(join(service.dataDir, "repute.db"));
  const [owner] = await openAccounts(accounts, 1);
  const { text, token } = await accounts.createToken({ email: owner?.email ?? "", scopes: ["decisions"] });
  const proxy = await startCuttingProxy(service.port);
  const place = { dir: ground.dir, apiUrl: `http://127.0.0.1:${proxy.port}/lapi/`, token: text };
  const bouncers = [firewallBouncer(place), customBouncer(place)];
  for (const one of bouncers) ground.later(one.kill);
  ground.later(proxy.close);
  const revoke = () => accounts.revokeToken(token.id);
  return { service, proxy, bouncers, revoke, files: exportFiles(join(dir, "edge")) };
}

const FAULTS = ["none", "cut", "restart", "cut at once", "kill", "kill a bouncer"] as const;

/** What goes wrong while a generation is on its way. */
async function breakOne(
  fault: (typeof FAULTS)[number],
  { service, proxy, bouncers }: Stage,
  turn: number,
): Promise<void> {
  if (fault === "cut" || fault === "cut at once") {
    const before = proxy.cuts();
    proxy.cutAfter(fault === "cut" ? 500 + 97 * turn : 40);
    // Both bouncers ask twice a second; a machine with other work takes its time to answer.
    for (let waited = 0; proxy.cuts() < before + 2 && waited < 100_000; waited += 50)
      await systemClock.sleep(50);
    proxy.cutAfter(null);
  }
  if (fault === "restart") await service.stop();
  if (fault === "kill") await service.kill();
  if (fault === "restart" || fault === "kill") await service.start();
  if (fault === "kill a bouncer") {
    const one = bouncers[turn % bouncers.length];
    await one?.kill();
    one?.start();
  }
}

type Miss = {
  readonly turn: number;
  readonly fault: string;
  readonly bouncer: string;
  readonly lost: number;
  readonly left: number;
};

/** Waits until a bouncer holds what it should; what is wrong with it at the end of the wait, or null. */
async function settle(bouncer: Bouncer, listed: Listed): Promise<Pick<Miss, "lost" | "left"> | null> {
  for (const until = systemClock.monotonicMs() + WAIT_MS; ; await systemClock.sleep(100)) {
    const difference = differenceOf(bouncer, listed);
    if (difference === null || systemClock.monotonicMs() > until) return difference;
  }
}

/** What is wrong with what a bouncer holds now; null: nothing. */
function differenceOf(bouncer: Bouncer, listed: Listed): Pick<Miss, "lost" | "left"> | null {
  const wanted = bouncer.name.includes("firewall") ? expanded(listed) : whole(listed);
  const held = bouncer.holds();
  const lost = [...wanted].filter((value) => !held.has(value)).length;
  const left = [...held].filter((value) => !wanted.has(value)).length;
  return lost + left === 0 ? null : { lost, left };
}

async function play(ground: Ground, generations: number) {
  const stage = await openStage(ground);
  const random = createChance(20_261_124);
  const misses: Miss[] = [];
  let listed: Listed = { v4: new Map(), v6: new Set() };
  const first = Math.floor(systemClock.now().getTime() / 1000);
  for (let turn = 0; turn < generations; turn++) {
    listed = change(listed, random);
    const fault = FAULTS[turn % FAULTS.length] ?? "none";
    // Some generations come one on the other, so that a bouncer sees the last of them alone.
    const copies = turn % 4 === 3 ? 3 : 1;
    for (let i = 0; i < copies; i++) {
      if (i > 0) listed = change(listed, random);
      await publishListed(stage.files, listed, { generation: first + turn * 4 + i, now: systemClock.now() });
    }
    if (turn === 0) for (const one of stage.bouncers) one.start();
    await breakOne(fault, stage, turn);
    for (const bouncer of stage.bouncers) {
      const miss = await settle(bouncer, listed);
      if (miss === null) continue;
      misses.push({ turn, fault, bouncer: bouncer.name, ...miss });
      ground.say(`${bouncer.name} wrote last:\n${bouncer.written().slice(-1500)}`);
    }
    ground.say(
      `generation ${turn + 1} (${fault}): ${JSON.stringify(misses.filter((one) => one.turn === turn))}`,
    );
  }
  misses.push(...(await takeTokenAway(stage, listed, generations)));
  const faulty =
    misses.length > 0 ? stage.bouncers.map((one) => one.written()).concat(stage.service.written()) : [];
  return {
    misses,
    cuts: stage.proxy.cuts(),
    values: expanded(listed).size,
    written: faulty.map((text) => text.slice(-4000)),
  };
}

/** Refused from now on, bouncers keep what they have, and are told nothing new; what is wrong with that. */
async function takeTokenAway(
  { service, proxy, bouncers, revoke, files }: Stage,
  listed: Listed,
  turn: number,
): Promise<readonly Miss[]> {
  const untilRefused = async (): Promise<void> => {
    for (const before = proxy.refusals(); proxy.refusals() < before + 8; ) await systemClock.sleep(50);
  };
  await revoke();
  // Who was let in a moment before is answered still.
  await untilRefused();
  const now = systemClock.now();
  const generation = Math.floor(now.getTime() / 1000) + 4 * turn + 4;
  await publishListed(files, change(listed, createChance(1)), { generation, now });
  await untilRefused();
  const misses: Miss[] = [];
  for (const bouncer of bouncers) {
    const miss = differenceOf(bouncer, listed);
    if (miss !== null) misses.push({ turn, fault: "refused", bouncer: bouncer.name, ...miss });
  }
  if (!service.isUp()) throw new Error("The service is gone: nothing was refused");
  return misses;
}

function linkSnapshots(dataDir: string): void {
  const target = join(dataDir, "snapshots");
  mkdirSync(target, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(prepared)) linkSync(join(prepared, name), join(target, name));
}

const ground = await createGround({
  putSnapshots: async (dataDir) => linkSnapshots(dataDir),
  say: (text) => console.error(text),
});
try {
  process.stdout.write(`${JSON.stringify(await play(ground, Number(count)))}\n`);
} finally {
  await ground.close();
}
