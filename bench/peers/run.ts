import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { freePort, runs } from "../../chaos/linux.ts";
import { createLaboratory, entryCountOf, type Laboratory } from "../laboratory.ts";
import { generateLists, listKey } from "../lists.ts";
import { type Load, startLoad } from "../load/driver.ts";
import { type MmdbEntry, mmdbFile } from "../mmdb-file.ts";
import { projectFile, startNode } from "../processes.ts";
import { interleave, median, medianRatio, quantile } from "../statistics.ts";
import { firstAnswer, startService } from "../world.ts";
import { crowdsecPrograms, startCrowdsec } from "./crowdsec.ts";
import { compareDecisions } from "./decisions.ts";
import { type Peer, startProgram } from "./peer.ts";

/*
 * Repute and its alternatives, in one run over the same lists: each on one processor, the load on
 * another, in turn.
 */

const CONNECTIONS = 64;
/** Debian's, which has the packages; the first `python3` of PATH may be another one. */
const PYTHON = "/usr/bin/python3";

const USAGE = `npm run bench:peers [-- [--quick] [--decisions] [--crowdsec FOLDER]]
  --quick             fewer and shorter rounds over smaller lists
  --decisions         only the two local APIs with the same decisions: questions, and pulls of everything
  --crowdsec FOLDER   where its package was unpacked (dpkg -x), when it is not installed
Debian has the others: apt-get install python3-fastapi python3-uvicorn python3-uvloop python3-httptools crowdsec`;

type Place = Laboratory & { readonly crowdsecRoot: string; readonly lists: readonly (readonly string[])[] };

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      quick: { type: "boolean" },
      decisions: { type: "boolean" },
      crowdsec: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) {
    console.error(USAGE);
    return 0;
  }
  const quick = values.quick ?? false;
  const dir = mkdtempSync(join(tmpdir(), "repute-peers-"));
  const laboratory = createLaboratory(dir, quick, (text) => console.error(text));
  const load = startLoad(laboratory.cpus.load);
  const peers: Peer[] = [];
  const missing: string[] = [];
  try {
    const crowdsecRoot = values.crowdsec ?? "/";
    if (!values.decisions) {
      const { lists } = generateLists(4096, laboratory.entryCount);
      await startPeers({ ...laboratory, crowdsecRoot, lists }, peers, missing);
      const rounds = await measure(peers, load, quick);
      printPeers(peers, rounds, missing, entryCountOf(quick));
      await Promise.all(peers.splice(0).map((each) => each.stop()));
    }
    if (crowdsecPrograms(crowdsecRoot) !== null) await compareDecisions(laboratory, load, crowdsecRoot);
    else if (values.decisions) throw new Error("CrowdSec is not installed");
    return 0;
  } finally {
    await Promise.all([...peers, load].map((each) => each.stop()));
    await laboratory.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Repute first: the others are compared with it. */
async function startPeers(place: Place, peers: Peer[], missing: string[]): Promise<void> {
  const { dir, cpus, say } = place;
  const world = await place.world();
  const bodies = world.bodies;
  say("Compiling the lists");
  const service = await startService(world.env, { cpu: cpus.server });
  const report = await firstAnswer(service, world.keys[0] ?? "", bodies[0] ?? "");
  const reportFile = join(dir, "report.json");
  writeFileSync(reportFile, report);
  peers.push({
    name: "**Repute**, `POST /api/check-ip`",
    does: "key check, limits, all lists with networks and IPv6, place, network, score, charge on disk before the answer",
    port: service.port,
    order: { path: "/api/check-ip", keys: world.keys, bodies },
    ...service.server,
  });
  const order = { path: "/", keys: [""], bodies };
  peers.push({
    name: "node:http, echo",
    does: 'nothing: reads and writes `{"ip"}`',
    ...(await plain("echo.ts", [])),
    order,
  });
  const full = await plain("stringify.ts", [reportFile]);
  peers.push({
    name: "node:http, the same report",
    does: "stringifies one and the same report",
    ...full,
    order,
  });
  const database = join(dir, "lists.mmdb");
  writeFileSync(database, mmdbFile(mmdbEntries(place.lists)));
  const mmdb = await plain("mmdb.ts", [database]);
  peers.push({
    name: "node:http + MMDB (mmdb-lib)",
    does: "IPv4 lists in one tree, small answer",
    ...mmdb,
    order,
  });
  await startFastapi(place, reportFile, bodies, peers, missing);
  await startLapi(place, world.addresses, peers, missing);

  async function plain(name: string, args: readonly string[]) {
    const server = startNode({ args: [projectFile(`bench/servers/${name}`), ...args], cpu: cpus.server });
    const port = await new Promise<number>((resolve) =>
      server.process.once("message", (message) => {
        if (typeof message === "object" && message !== null && "port" in message)
          resolve(Number(message.port));
      }),
    );
    return { port, ...server };
  }
}

async function startFastapi(
  { dir, cpus, lists, say }: Place,
  reportFile: string,
  bodies: readonly string[],
  peers: Peer[],
  missing: string[],
): Promise<void> {
  if (!runs(PYTHON, "-c", "import fastapi, uvicorn, uvloop, httptools")) {
    missing.push("FastAPI with uvicorn");
    return;
  }
  say("Starting FastAPI");
  const folder = join(dir, "sets");
  mkdirSync(folder);
  for (const [list, lines] of lists.entries()) writeFileSync(join(folder, listKey(list)), lines.join("\n"));
  const port = await freePort();
  const command = [
    PYTHON,
    "-m",
    "uvicorn",
    "fastapi_app:app",
    "--port",
    String(port),
    "--no-access-log",
    "--log-level",
    "error",
  ];
  const env = { PEER_LISTS: folder, PEER_REPORT: reportFile, PYTHONDONTWRITEBYTECODE: "1" };
  const url = `http://127.0.0.1:${port}/openapi.json`;
  const program = await startProgram(command, {
    cpu: cpus.server,
    env,
    url,
    cwd: projectFile("bench/peers"),
  });
  const order = { keys: [""], bodies };
  peers.push({
    name: "FastAPI + uvicorn, one set per list",
    does: "single addresses only, small answer",
    port,
    order: { path: "/minimal", ...order },
    ...program,
  });
  peers.push({
    name: "FastAPI + uvicorn, the same report",
    does: "single addresses only, the report of Repute as answer",
    port,
    order: { path: "/report", ...order },
    ...program,
  });
}

async function startLapi(
  { dir, cpus, lists, crowdsecRoot, quick, say }: Place,
  addresses: readonly string[],
  peers: Peer[],
  missing: string[],
): Promise<void> {
  if (crowdsecPrograms(crowdsecRoot) === null) {
    missing.push("CrowdSec");
    return;
  }
  const decisions = [...new Set(lists.flat().filter((line) => !/[/:]/.test(line)))].slice(
    0,
    quick ? 20_000 : 120_000,
  );
  say(`Importing ${decisions.length.toLocaleString("en")} decisions into CrowdSec`);
  const folder = join(dir, "crowdsec");
  mkdirSync(folder);
  const ipv4 = addresses.filter((address) => !address.includes(":"));
  peers.push(
    await startCrowdsec({ root: crowdsecRoot, dir: folder, cpu: cpus.server, decisions, addresses: ipv4 }),
  );
}

/** Every IPv4 network with the lists that name it. */
function mmdbEntries(lists: Place["lists"]): MmdbEntry[] {
  const named = new Map<string, string[]>();
  for (const [list, lines] of lists.entries()) {
    for (const line of lines) {
      if (line.includes(":")) continue;
      const keys = named.get(line) ?? [];
      if (keys.length === 0) named.set(line, keys);
      keys.push(listKey(list));
    }
  }
  return [...named].map(([line, keys]) => {
    const [network = "", prefix = "32"] = line.split("/");
    return { network, prefix: Number(prefix), lists: keys };
  });
}

type Round = {
  readonly cpuUs: number;
  readonly callsPerS: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
};
type Rounds = Readonly<Record<string, readonly Round[]>>;

function measure(peers: readonly Peer[], load: Load, quick: boolean): Promise<Rounds> {
  const subjects = peers.map((peer) => {
    let isWarm = false;
    const round = async (): Promise<Round> => {
      if (!isWarm) await callFor(peer, load, quick ? 2000 : 5000);
      isWarm = true;
      return callFor(peer, load, quick ? 1000 : 4000);
    };
    return [peer.name, round] as const;
  });
  return interleave<Round>(quick ? 3 : 7, Object.fromEntries(subjects));
}

async function callFor(peer: Peer, load: Load, ms: number): Promise<Round> {
  const beforeS = await peer.cpuS();
  const result = await load.run({ ...peer.order, port: peer.port, connections: CONNECTIONS, until: { ms } });
  const usedS = (await peer.cpuS()) - beforeS;
  const ok = result.statuses["200"] ?? 0;
  if (ok !== result.calls)
    throw new Error(`${peer.name}: not all answers are 200: ${JSON.stringify(result.statuses)}`);
  return {
    cpuUs: (usedS * 1e6) / result.calls,
    callsPerS: result.calls / result.seconds,
    p50Ms: quantile(result.latenciesMs, 0.5),
    p99Ms: quantile(result.latenciesMs, 0.99),
  };
}

function printPeers(
  peers: readonly Peer[],
  rounds: Rounds,
  missing: readonly string[],
  entries: number,
): void {
  const [own] = peers;
  if (own === undefined) return;
  const of = (peer: Peer, figure: keyof Round) => (rounds[peer.name] ?? []).map((round) => round[figure]);
  console.log(
    `60 lists with ${entries.toLocaleString("en")} entries, ${CONNECTIONS} connections, one processor each`,
  );
  console.log("");
  console.log(
    "| subject | does | calls/s | CPU µs/call | p50 / p99 ms | RSS MB | its CPU / Repute's | Repute's calls/s / its |",
  );
  console.log("|---|---|---|---|---|---|---|---|");
  for (const peer of peers) {
    const ratio = (values: readonly number[], references: readonly number[]) =>
      peer === own ? "1" : `${round(medianRatio(values, references))} x`;
    const cells = [
      peer.name,
      peer.does,
      round(median(of(peer, "callsPerS"))),
      round(median(of(peer, "cpuUs"))),
      `${round(median(of(peer, "p50Ms")))} / ${round(median(of(peer, "p99Ms")))}`,
      String(Math.round(peer.residentMb())),
      ratio(of(peer, "cpuUs"), of(own, "cpuUs")),
      ratio(of(own, "callsPerS"), of(peer, "callsPerS")),
    ];
    console.log(`| ${cells.join(" | ")} |`);
  }
  for (const name of missing) console.log(`\nNot compared, because it is not installed: ${name}`);
}

const round = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString("en") : String(Number(value.toPrecision(2)));

process.exitCode = await main();
