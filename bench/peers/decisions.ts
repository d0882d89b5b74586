import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { publishListed } from "../../chaos/bouncers/model.ts";
import { sizeOfAnswer } from "../../chaos/listed-service.ts";
import { createAccounts } from "../../src/accounts/account-store.ts";
import { systemClock, systemRandom } from "../../src/base/clock.ts";
import { openDatabase } from "../../src/db/database.ts";
import { exportFiles, exportsDirOf } from "../../src/exports/state.ts";
import { formatIpv4 } from "../../src/targets/ip.ts";
import type { Laboratory } from "../laboratory.ts";
import type { Load } from "../load/driver.ts";
import type { LoadOrder } from "../load/words.ts";
import { interleave, median } from "../statistics.ts";
import { type Serving, startService } from "../world.ts";
import { startCrowdsec } from "./crowdsec.ts";
import type { Peer } from "./peer.ts";

const CONNECTIONS = 64;
const FIRST = 0x2d000000;

type Subject = Pick<Peer, "port" | "stop"> & { readonly path: string; readonly key: string };

/** What one round of both came to: calls per second, and seconds of one pull of everything. */
type Measured = { readonly callsPerS: number; readonly pullS: number };

/**
 * The local APIs of Repute and of CrowdSec with the same decisions, in turn: a bouncer's question about one address, and its
 * first pull of everything. Source: the goals of the bouncer stream.
 */
export async function compareDecisions(laboratory: Laboratory, load: Load, root: string): Promise<void> {
  const { quick, say, cpus } = laboratory;
  const count = quick ? 20_000 : 300_000;
  // Every third address, so that no two become one network.
  const values = Array.from({ length: count }, (_, i) => formatIpv4(FIRST + 3 * i));
  const folder = join(laboratory.dir, "decisions");
  for (const name of ["crowdsec", "repute"]) mkdirSync(join(folder, name), { recursive: true });
  say(`Importing ${count.toLocaleString("en")} decisions into CrowdSec`);
  const asked = values.filter((_, i) => i % Math.ceil(count / 4096) === 0);
  const options = { root, dir: join(folder, "crowdsec"), cpu: cpus.server };
  const crowdsec = await startCrowdsec({ ...options, decisions: values, addresses: asked });
  const theirs = { ...crowdsec, path: "/v1", key: crowdsec.order.keys[0] ?? "" };
  const ours = await startOurs(join(folder, "repute"), count, cpus.server);
  try {
    const round = (subject: Subject) => async (): Promise<Measured> => ({
      callsPerS: await questionsPerS(subject, load, asked, quick ? 2000 : 8000),
      pullS: await secondsOfPull(subject, count),
    });
    const rounds = { ours: round(ours), theirs: round(theirs) };
    for (const warm of Object.values(rounds)) await warm();
    const measured = await interleave<Measured>(quick ? 1 : 3, rounds);
    print(count, measured["ours"] ?? [], measured["theirs"] ?? []);
  } finally {
    await Promise.all([ours.stop(), theirs.stop()]);
  }
}

/** A service whose one export holds the decisions. */
async function startOurs(folder: string, count: number, cpu: number | null): Promise<Subject> {
  const config = join(folder, "repute.yaml");
  writeFileSync(
    config,
    "engines: { builtin: false }\nexports: [{ name: edge }]\ngate: { per_second: 10000000 }\n",
  );
  const dataDir = join(folder, "data");
  mkdirSync(dataDir);
  const service: Serving = await startService(
    { REPUTE_DATA_DIR: dataDir, REPUTE_CONFIG: config, REPUTE_BOOTSTRAP: "off" },
    { cpu },
  );
  // Its own build finds that nothing is listed, and looks again in an hour.
  const dir = exportsDirOf(dataDir);
  while (!existsSync(join(dir, "built.json"))) await systemClock.sleep(50);
  const now = systemClock.now();
  const v4 = new Map(Array.from({ length: count }, (_, i) => [FIRST + 3 * i, 32] as const));
  const files = exportFiles(join(dir, "edge"));
  await publishListed(files, { v4, v6: new Set() }, { generation: Math.floor(now.getTime() / 1000), now });
  const stop = () => service.server.stop();
  return { port: service.port, path: "/lapi/v1", key: await createToken(join(dataDir, "repute.db")), stop };
}

async function createToken(file: string): Promise<string> {
  const db = await openDatabase({ url: file, clock: systemClock });
  try {
    const accounts = createAccounts({ db, clock: systemClock, random: systemRandom });
    const { email } = await accounts.createAccount({ email: "bench@example.org", plan: "Enterprise" });
    return (await accounts.createToken({ email, scopes: ["decisions"] })).text;
  } finally {
    await db.close();
  }
}

async function questionsPerS(
  { port, path, key }: Subject,
  load: Load,
  bodies: readonly string[],
  ms: number,
) {
  const order: LoadOrder = {
    ...{ port, path: `${path}/decisions?ip=`, query: true, keys: [key], bodies },
    ...{ connections: CONNECTIONS, until: { ms } },
  };
  const { calls, seconds, statuses } = await load.run(order);
  if (statuses["200"] !== calls) throw new Error(`Not all answers are 200: ${JSON.stringify(statuses)}`);
  return calls / seconds;
}

async function secondsOfPull({ port, path, key }: Subject, count: number): Promise<number> {
  const startedMs = performance.now();
  const url = `http://127.0.0.1:${port}${path}/decisions/stream?startup=true`;
  const size = await sizeOfAnswer(url, { "x-api-key": key, "user-agent": "bench/1" });
  if (size < count * 100) throw new Error(`A pull was ${size} bytes`);
  return (performance.now() - startedMs) / 1000;
}

function print(count: number, ours: readonly Measured[], theirs: readonly Measured[]): void {
  const calls = [ours, theirs].map((some) => median(some.map(({ callsPerS }) => callsPerS)));
  const pulls = [ours, theirs].map((some) => median(some.map(({ pullS }) => pullS)));
  const [ourCalls = 0, theirCalls = 1] = calls;
  const [ourPull = 1, theirPull = 0] = pulls;
  const rows = [
    ["questions about one address, per second", ourCalls, theirCalls, ourCalls / theirCalls, 200],
    ["seconds of a first pull of everything", ourPull, theirPull, theirPull / ourPull, 20],
  ] as const;
  console.log(`\n${count.toLocaleString("en")} decisions, one processor each\n`);
  console.log("| local API | Repute | CrowdSec | Repute is faster by | must |");
  console.log("|---|---|---|---|---|");
  for (const [what, own, other, ratio, must] of rows) {
    const cells = [
      what,
      own.toPrecision(3),
      other.toPrecision(3),
      `${ratio.toPrecision(3)} x`,
      `>= ${must} x`,
    ];
    console.log(`| ${cells.join(" | ")} |`);
  }
}
