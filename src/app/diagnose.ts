import { accessSync, constants, statfsSync, statSync } from "node:fs";
import { messageOf } from "../base/caught.ts";
import { type Clock, isoSeconds } from "../base/clock.ts";
import { HOUR_MS } from "../base/durations.ts";
import type { Log } from "../base/log.ts";
import type { Config } from "../config/config.ts";
import { openDatabase } from "../db/database.ts";
import { isPostgresUrl } from "../db/postgres-url.ts";
import { DatabaseStandby } from "../db/unavailable.ts";
import type { Engines } from "../engines/consult.ts";
import type { EngineRow } from "../engines/rows.ts";
import { openValkey } from "../metering/limits/valkey.ts";
import { certificateAdvice } from "./certificate-advice.ts";
import { type Network, openNetwork } from "./network.ts";
import { differences, readProcesses } from "./other-processes.ts";
import { attemptsText, hostsToTry, networkAdvice, tryHosts } from "./try-hosts.ts";
import { valkeyAdvice } from "./valkey-advice.ts";
import { BY_WHICH_CLOCK, clocksApart } from "./watch-clock.ts";

/** What one check of an installation found. `advice`: what to do; null where nothing is to be done. */
export type Finding = {
  readonly check: string;
  readonly state: "ok" | "trouble" | "not_checked";
  readonly detail: string;
  readonly advice: string | null;
};

export type DiagnoseParts = {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
} & (
  | { readonly engines: Pick<Engines, "list" | "definitions"> }
  /** They cannot be opened. */
  | { readonly engines: null; readonly failure: string }
);

type Outcome = Omit<Finding, "check">;

const fine = (detail: string): Outcome => ({ state: "ok", detail, advice: null });
const trouble = (detail: string, advice: string): Outcome => ({ state: "trouble", detail, advice });
const skipped = (detail: string): Outcome => ({ state: "not_checked", detail, advice: null });

/** Checks an installation, each thing by itself: one that fails does not hide the others. Changes nothing. */
export async function diagnose(parts: DiagnoseParts): Promise<readonly Finding[]> {
  const { config, clock, log } = parts;
  const rows = parts.engines?.list() ?? [];
  const network = openNetwork(config, { zones: [], clock, log });
  const checks: readonly (readonly [string, () => Outcome | Promise<Outcome>])[] = [
    ["Data folder", () => dataFolder(config)],
    ["Disk", () => disk(config)],
    ["Clock", () => clockOf(rows, parts)],
    ["Database", () => database(config, clock)],
    ["Processes", () => processes(config, clock)],
    ["Valkey", () => valkey(config, clock)],
    ["DNS", () => dns(network, config)],
    ["Network", () => reach(network, parts)],
    ["Port", () => port(network, config)],
    ["Lists", () => (parts.engines === null ? unopened(parts.failure) : lists(rows))],
    ["Publisher keys", () => (parts.engines === null ? skipped(UNOPENED) : publisherKeys(rows))],
  ];
  try {
    return await Promise.all(
      checks.map(async ([check, run]) => {
        try {
          return { check, ...(await run()) };
        } catch (error) {
          return {
            check,
            ...trouble(messageOf(error), "Read the message; the log of the service may say more"),
          };
        }
      }),
    );
  } finally {
    await network.close();
  }
}

const OTHERS = 0o077;

function dataFolder({ dataDir }: Config): Outcome {
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    return trouble(messageOf(error), `Let the user of the service read and write ${dataDir}`);
  }
  const { mode } = statSync(dataDir);
  if ((mode & OTHERS) === 0) return fine(`${dataDir} is for its owner only`);
  return trouble(`Other users may enter ${dataDir}`, `Run: chmod 700 ${dataDir}`);
}

/** The lists of a large installation, twice, and the history of some weeks. */
const LEAST_FREE_BYTES = 1024 ** 3;

function disk({ dataDir }: Config): Outcome {
  const { bavail, bsize } = statfsSync(dataDir);
  const free = bavail * bsize;
  const text = `${(free / 1024 ** 3).toFixed(1)} GiB are free`;
  if (free >= LEAST_FREE_BYTES) return fine(text);
  return trouble(
    text,
    "Free space, or move REPUTE_DATA_DIR to a larger disk: calls are refused when it is full",
  );
}

/** A clock that went back shows by what was retrieved in its future. */
function clockOf(
  rows: readonly EngineRow[],
  { config, clock }: Pick<DiagnoseParts, "config" | "clock">,
): Outcome {
  const newest = Math.max(
    0,
    ...rows.flatMap(({ last_success: at }) => (at === null ? [] : [Date.parse(at)])),
  );
  const nowMs = clock.now().getTime();
  const text = `It is ${isoSeconds(new Date(nowMs))}`;
  if (newest <= nowMs + HOUR_MS) return fine(text);
  return trouble(
    `${text}, but a list was retrieved at ${isoSeconds(new Date(newest))}`,
    `Set the clock, and keep it by NTP: ${isPostgresUrl(config.databaseUrl) ? BY_WHICH_CLOCK : "ages, sessions and refills go by it"}`,
  );
}

const SQLITE_ADVICE = "Check the disk and the permissions of the database";

const POSTGRES_ADVICE = "Check that it is not read-only, that its disk has room, and that the role may write";

/** By what PostgreSQL says of a connection that it refuses. */
const REFUSED_ADVICE: ReadonlyMap<unknown, string> = new Map([
  ["53300", "Raise max_connections or the role's limit: a process takes up to 10 connections, a command one"],
  ["28P01", "Check the password: in DATABASE_URL, PGPASSWORD or ~/.pgpass"],
  ["28000", "Check the role in DATABASE_URL, and that pg_hba.conf lets it in"],
  ["3D000", "Check the name of the database in DATABASE_URL, or make it: createdb --owner ROLE NAME"],
]);

const STANDBY_ADVICE =
  "Name the primary in DATABASE_URL, or an address that leads to it also after a failover";

const adviceOn = (error: unknown): string =>
  (error instanceof DatabaseStandby ? STANDBY_ADVICE : undefined) ??
  REFUSED_ADVICE.get(Object(error).code) ??
  certificateAdvice(
    error,
    "DATABASE_URL",
    "name its authority in it: sslmode=verify-full&sslrootcert=FILE",
  ) ??
  "Check DATABASE_URL, and that the server runs";

async function database({ databaseUrl }: Config, clock: Clock): Promise<Outcome> {
  const kind = isPostgresUrl(databaseUrl) ? "PostgreSQL" : "SQLite";
  try {
    const db = await openDatabase({ url: databaseUrl, clock });
    const isReachable = await db.isReachable();
    const apart = clocksApart({ own: clock, database: db.clock });
    await db.close();
    if (isReachable && apart !== null)
      return trouble(
        `${kind} can be read and written, but ${apart}`,
        `Set the clocks, by NTP: ${BY_WHICH_CLOCK}`,
      );
    if (isReachable) return fine(`${kind} can be read and written`);
    return trouble(`${kind} cannot be written`, kind === "SQLite" ? SQLITE_ADVICE : POSTGRES_ADVICE);
  } catch (error) {
    const advice = kind === "SQLite" ? SQLITE_ADVICE : adviceOn(error);
    return trouble(`${kind}: ${messageOf(error)}`, advice);
  }
}

async function processes({ databaseUrl }: Config, clock: Clock): Promise<Outcome> {
  if (!isPostgresUrl(databaseUrl)) return skipped("SQLite is for one process; several need PostgreSQL");
  const notes = await openDatabase({ url: databaseUrl, clock })
    .then((db) => readProcesses(db).finally(db.close))
    .catch(messageOf);
  // What to do about it is said of the database.
  if (typeof notes === "string") return skipped(`The database was not read: ${notes}`);
  const apart = differences(notes);
  if (apart === null) return fine(notes.length === 0 ? "None runs" : `${notes.length} run, all alike`);
  return trouble(
    `${notes.length} run, and differ: ${apart}`,
    "Give all processes the same version, configuration and VALKEY_URL: what differs depends on which one answers",
  );
}

const SLOW_VALKEY_MS = 100;

async function valkey({ valkeyUrl, file }: Config, clock: Clock): Promise<Outcome> {
  if (valkeyUrl === null) return skipped("Not configured: each process keeps its own limits");
  const server = await openValkey({ url: valkeyUrl, caFile: file.fetch.ca_file, clock });
  try {
    await server.probe();
    // The second one sees whether the first was kept.
    await server.probe();
    const askedMs = clock.monotonicMs();
    const policy = await server.evictionPolicy();
    const tookMs = Math.round(clock.monotonicMs() - askedMs);
    if (policy === null && tookMs > SLOW_VALKEY_MS)
      return trouble(
        `It takes ${tookMs} ms to answer, and every call waits for it`,
        "Name a server in the same network, or give Repute one of its own, and look what keeps this one busy (SLOWLOG)",
      );
    if (policy === null) return fine("It answers");
    return trouble(
      `It may evict what limits need: maxmemory-policy is ${policy}`,
      "Set maxmemory-policy noeviction, or give Repute a server of its own: evicted limits are per process",
    );
  } catch (error) {
    return trouble(messageOf(error), valkeyAdvice(error));
  } finally {
    server.close();
  }
}

const resolversOf = ({ file }: Pick<Config, "file">): string =>
  file.dns.servers.length > 0 ? file.dns.servers.join(", ") : "the resolvers of the system";

/** Probes the resolvers once: names that exist, and names that cannot. */
async function dns({ outgoing }: Network, { file }: Config): Promise<Outcome> {
  const { resolverTrust } = outgoing;
  const servers = resolversOf({ file });
  const reply = await outgoing.dns.query("com", "NS", { timeoutMs: 2 * file.dns.timeout_ms });
  const found = resolverTrust?.trouble() ?? null;
  const advice = "Set dns.servers to a resolver that answers truthfully; see docs/troubleshooting.md";
  if (found !== null) return trouble(found.sentence, advice);
  if (reply.state === "answered") return fine(`${servers}: answers`);
  return trouble(`${servers}: ${reply.detail}`, advice);
}

const CONNECT_MS = 5000;

/** Whether publishers can be reached: a connection to some of the hosts that lists come from. */
async function reach({ outgoing }: Network, { engines, config }: DiagnoseParts): Promise<Outcome> {
  if (engines === null) return skipped(UNOPENED);
  const hosts = hostsToTry(engines.definitions());
  if (hosts.length === 0) return skipped("No list is downloaded");
  const attempts = await tryHosts(hosts, { dialer: outgoing.dialer, timeoutMs: CONNECT_MS });
  const text = attemptsText(attempts, resolversOf(config));
  return attempts.some(({ failure }) => failure === null)
    ? fine(text)
    : trouble(text, networkAdvice(attempts, resolversOf(config)));
}

const ANY_ADDRESS = new Map([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "::1"],
]);

async function port({ outgoing }: Network, { host, port: number }: Config): Promise<Outcome> {
  if (number === 0) return skipped("PORT=0: a free one is picked at the start");
  const connection = await outgoing.dialer.connect({
    ...{ host: ANY_ADDRESS.get(host) ?? host, port: number },
    ...{ isOperatorsWord: true, timeoutMs: CONNECT_MS },
  });
  if (connection.state !== "answered") return fine(`${host}:${number} is free: no service runs there`);
  connection.value.socket.destroy();
  return fine(`A service listens at ${host}:${number}`);
}

const SHOWN = 5;

const named = (rows: readonly EngineRow[]): string =>
  `${rows
    .slice(0, SHOWN)
    .map(({ key, status }) => `${key} (${status})`)
    .join(", ")}${rows.length > SHOWN ? ` and ${rows.length - SHOWN} more` : ""}`;

const UNOPENED = "The lists cannot be opened";

const unopened = (failure: string): Outcome =>
  trouble(failure, "Free space, or give the user of the service its folder: see the other checks");

function lists(rows: readonly EngineRow[]): Outcome {
  const enabled = rows.filter(({ status }) => status !== "disabled");
  const bad = enabled.filter(({ status }) => status !== "ok" && status !== "never");
  const waiting = enabled.filter(({ status }) => status === "never");
  if (bad.length > 0) {
    return trouble(
      `${bad.length} of ${enabled.length} engines: ${named(bad)}`,
      "`repute feeds list` says why, with the hosts; `repute feeds update` tries again now",
    );
  }
  const later = waiting.length === 0 ? "" : `; ${waiting.length} were not asked yet`;
  return fine(`${enabled.length - waiting.length} of ${enabled.length} engines have fresh data${later}`);
}

function publisherKeys(rows: readonly EngineRow[]): Outcome {
  const refused = rows.filter(({ status }) => status === "refused");
  if (refused.length === 0) return fine("None was refused");
  return trouble(
    named(refused),
    "Check engines.keys or REPUTE_KEY_<NAME>: the publisher did not accept the key, or refuses this resolver",
  );
}
