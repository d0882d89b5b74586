import { existsSync, readdirSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Accounts } from "../../src/accounts/account-store.ts";
import { systemClock } from "../../src/base/clock.ts";
import { readGeneration } from "../../src/exports/generation.ts";
import { exportFiles, exportsDirOf, readState } from "../../src/exports/state.ts";
import { formatIpv4 } from "../../src/targets/ip.ts";
import { startCuttingProxy } from "../bouncers/cutting-proxy.ts";
import { fillDisk, mountSmallDisk } from "../disks.ts";
import { type Ground, openAccounts } from "../ground.ts";
import { signalChildren, signalFamily } from "../linux.ts";
import { countOf, expectSoon } from "../looks.ts";
import type { Findings, Scenario } from "../scenario.ts";
import { ask, type OwnService } from "../services.ts";

const DISK_MB = 64;
const FAILED = "Cannot compile the exports";

/** What breaks while an export is built or fetched, and that its consumers have the last good one all the same. */
export const exportBuilds: Scenario = {
  name: "export-builds",
  what: "kill -9 and a full disk while exports are built, cut downloads: the last good one whole, nothing left behind",
  needs: ["linux", "tmpfs"],
  run: async (ground, findings, isShort) => {
    const stage = await openStage(ground, isShort ? 30_000 : 300_000);
    await expectSoon(findings, "the first build is in force", () => isBuilt(stage));
    const whole = await download(stage);
    findings.expect(whole.entries === stage.limit(), `the first download is whole: ${whole.text}`);
    await cutDownloads(stage, findings);
    const kills = isShort ? 3 : 12;
    for (let turn = 0; turn < kills; turn++) await killOne(stage, findings, turn);
    findings.figure("builds killed", kills);
    await fillUp(stage, findings);
  },
};

type Stage = {
  readonly ground: Ground;
  readonly service: OwnService;
  readonly accounts: Accounts;
  readonly email: string;
  readonly dir: string;
  readonly files: ReturnType<typeof exportFiles>;
  readonly limit: () => number;
  /** The next start makes a generation with one entry less. */
  readonly changeNext: () => void;
};

async function openStage(ground: Ground, count: number): Promise<Stage> {
  const list = join(ground.dir, "list.txt");
  // Every third address, so that no two become one network.
  writeFileSync(list, Array.from({ length: count }, (_, i) => formatIpv4(0x2d000000 + 3 * i)).join("\n"));
  const feed = { key: "own", target: "ip", format: "plain", category: "attack", confidence: "high" };
  let limit = count;
  const file = () => ({
    engines: { builtin: false, feeds: [{ ...feed, url: pathToFileURL(list).href }] },
    exports: [{ name: "edge", limit }],
  });
  const service = await ground.service({ file: file() });
  const dir = exportsDirOf(service.dataDir);
  mountSmallDisk(ground, dir, DISK_MB);
  await service.start();
  const { accounts } = await ground.open(join(service.dataDir, "repute.db"));
  const [owner] = await openAccounts(accounts, 1);
  return {
    ...{ ground, service, accounts, email: owner?.email ?? "", dir, files: exportFiles(join(dir, "edge")) },
    limit: () => limit,
    changeNext: () => {
      limit--;
      service.configure(file());
    },
  };
}

const isBuilt = ({ files, limit, dir }: Stage): boolean =>
  readState(files).facts?.entries === limit() && !existsSync(join(dir, "build.claim"));

type Download = { readonly entries: number; readonly text: string; readonly status: number | null };

/** A file with a token of its own: one takes a file every ten seconds. */
async function download({ accounts, email, service }: Stage, ext = "txt", port?: number): Promise<Download> {
  const { text: key } = await accounts.createToken({ email, scopes: ["exports:edge"] });
  const { status, text, headers } = await ask(port ?? service.port, {
    path: `/api/exports/edge.${ext}`,
    key,
  });
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#")).length;
  const isWhole = status === 200 && lines === Number(headers["x-export-entries"]) && lines > 0;
  return { entries: isWhole ? lines : 0, status, text: `${status}, ${lines} lines: ${text.slice(0, 200)}` };
}

async function cutDownloads(stage: Stage, findings: Findings): Promise<void> {
  stage.ground.say("Cutting downloads");
  const proxy = await startCuttingProxy(stage.service.port);
  stage.ground.later(proxy.close);
  for (const octets of [100, 5000, 100_000]) {
    proxy.cutAfter(octets);
    const { status } = await download(stage, "txt", proxy.port);
    findings.expect(status === null, `an answer cut after ${octets} octets is seen to be: ${status}`);
  }
  await hangUp(stage);
  await expectSoon(findings, "no cut download keeps its file open", () => openFiles(stage).length === 0);
  const { entries, text } = await download(stage);
  findings.expect(entries === stage.limit(), `the next download is whole: ${text}`);
}

/** Asks for a file and leaves at its first octets. */
async function hangUp({ accounts, email, service }: Stage): Promise<void> {
  const { text: key } = await accounts.createToken({ email, scopes: ["exports:edge"] });
  await new Promise<void>((resolve) => {
    const socket = connect(service.port, "127.0.0.1");
    socket.write(`GET /api/exports/edge.txt HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\n\r\n`);
    socket.once("data", () => socket.destroy()).once("close", () => resolve());
  });
}

/** Files of exports that the service has open. */
function openFiles({ service, dir }: Stage): readonly string[] {
  const folder = `/proc/${service.pid()}/fd`;
  return readdirSync(folder)
    .map((fd) => linkIfThere(join(folder, fd)))
    .filter((path) => path.startsWith(dir));
}

function linkIfThere(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return ""; // closed meanwhile
  }
}

const KILLS = ["the service", "the child", "both"] as const;

/** Kills a build, at another point of it each time, and looks what there is before and after the next one. */
async function killOne(stage: Stage, findings: Findings, turn: number): Promise<void> {
  const { service, files, dir, ground } = stage;
  const which = KILLS[turn % KILLS.length] ?? "both";
  const before = readState(files).facts?.entries ?? 0;
  await service.stop();
  stage.changeNext();
  await service.start();
  await expectSoon(findings, "a build begins", () => existsSync(join(dir, "build.claim")));
  if (turn % 2 === 0) await systemClock.sleep(100 * turn);
  else await untilItWrites(stage);
  if (which === "the child") signalChildren(service.pid(), "SIGKILL");
  if (which === "both") signalFamily(service.pid(), "SIGKILL");
  if (which !== "the child") await service.kill();
  const { facts } = readState(files);
  const made = facts === null ? 0 : readGeneration(files.generation(facts.generation)).facts.entries;
  ground.say(`killed ${which}, in force: ${made} entries, of ${before} before`);
  findings.expect(made > 0 && made === facts?.entries, `what is in force can be read after killing ${which}`);
  if (which !== "the child") await service.start();
  const at = await download(stage);
  findings.expect(
    at.entries >= stage.limit(),
    `the last good one is served after killing ${which}: ${at.text}`,
  );
  await expectSoon(findings, `the next build is done after killing ${which}`, () => isBuilt(stage));
  await expectSoon(
    findings,
    `nothing is left behind after killing ${which}`,
    () => leftIn(stage).length === 0,
  );
}

/** Until a file of another generation stands in the folder, be it half written; not longer than a build may take. */
async function untilItWrites({ files }: Stage): Promise<void> {
  const before = new Set(readdirSync(files.dir));
  for (const untilMs = performance.now() + 20_000; performance.now() < untilMs; ) {
    if (readdirSync(files.dir).some((name) => !before.has(name))) return;
    await new Promise(setImmediate);
  }
}

/** Temporary files, and files of generations that are not in force. */
function leftIn({ dir, files }: Stage): readonly string[] {
  const { facts, differences } = readState(files);
  const known = new Set([facts?.generation, ...differences.map(({ to }) => to)].map(String));
  return readdirSync(dir, { recursive: true, encoding: "utf8" }).filter((path) => {
    const generation = /^edge\/(\d+)[.~]/.exec(path)?.[1];
    return path.endsWith(".tmp") || (generation !== undefined && !known.has(generation));
  });
}

/** A disk that is full when a build begins: what was made goes on, what was not is a 503, and room is enough. */
async function fillUp(stage: Stage, findings: Findings): Promise<void> {
  const { service, dir, ground } = stage;
  const before = readState(stage.files).facts?.entries;
  const failures = (): number => countOf(service.written(), FAILED);
  const failedBefore = failures();
  // Made now, so that it needs no room later.
  await download(stage);
  ground.say("Filling the disk");
  await service.stop();
  stage.changeNext();
  const filler = join(dir, "filler");
  fillDisk(filler);
  await service.start();
  await expectSoon(findings, "a build fails", () => failures() > failedBefore);
  const good = await download(stage);
  findings.expect(good.entries === before, `the last good one is served: ${good.text}`);
  const other = await download(stage, "csv");
  findings.expect(other.status === 503, `what is not made yet is a 503: ${other.text}`);
  // A child that tries once more may be at it just now, and what is old goes after the new is in force.
  await expectSoon(findings, "nothing is left behind on a full disk", () => leftIn(stage).length === 0);
  ground.say("Making room");
  rmSync(filler);
  await expectSoon(findings, "the exports are built without a restart", () => isBuilt(stage));
  const { entries, text } = await download(stage);
  findings.expect(entries === stage.limit(), `the new one is served: ${text}`);
  await expectSoon(findings, "nothing is left behind", () => leftIn(stage).length === 0);
}
