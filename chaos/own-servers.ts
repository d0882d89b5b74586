import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import pg from "pg";
import { systemClock } from "../src/base/clock.ts";
import { atExit, freePort, runs, signalFamily } from "./linux.ts";

/** A server of our own on a free port, with its data in a folder of its own: it may be killed. */
export type OwnServer = {
  readonly url: string;
  readonly port: number;
  /** Starts it, also again after a kill; resolves when it answers. */
  readonly start: () => Promise<void>;
  /** `kill -9` for all its processes; resolves when they are gone. */
  readonly kill: () => Promise<void>;
  /** `kill -STOP` for all its processes. */
  readonly pause: () => void;
  readonly resume: () => void;
  /** Ends it and removes its folder. */
  readonly remove: () => Promise<void>;
};

/** How long a server may take to answer, on a machine that is busy otherwise. */
const PATIENCE_MS = 60_000;

const POSTGRES_ROOT = "/usr/lib/postgresql";

/** Where PostgreSQL's programs are: Debian's newest, else those of PATH; null without any. */
export function postgresPrograms(): string | null {
  const versions = existsSync(POSTGRES_ROOT) ? readdirSync(POSTGRES_ROOT).map(Number) : [];
  const newest = versions.sort((a, b) => b - a)[0];
  if (newest !== undefined) return join(POSTGRES_ROOT, String(newest), "bin");
  return runs("initdb", "--version") ? "" : null;
}

/** The program of Valkey, or of Redis, which speaks the same; null without either. */
export const valkeyProgram = (): string | null =>
  ["valkey-server", "redis-server"].find((name) => runs(name, "--version")) ?? null;

/**
 * An empty PostgreSQL with a database `repute`; every commit is synced. PostgreSQL refuses to run as root. `cpu` is the
 * number of the processor to stay on, null: anywhere.
 */
export async function startOwnPostgres(cpu: number | null = null): Promise<OwnServer> {
  const place = createPostgresPlace();
  const names = ["-U", "repute", "--auth=trust", "--encoding=UTF8", "--no-locale", "--no-sync"];
  place.run("initdb", ...names);
  const server = await place.server(cpu);
  await server.start();
  await askPostgres(server.url.replace(/repute$/, "postgres"), "create database repute");
  return server;
}

/** A copy that follows a primary, which from then on waits with each commit until the copy has it too. */
export type OwnStandby = OwnServer & {
  /** Makes it a primary. */
  readonly promote: () => void;
};

/** Starts it; the primary runs. */
export async function startOwnStandby(primary: OwnServer): Promise<OwnStandby> {
  const place = createPostgresPlace();
  place.run("pg_basebackup", "-d", primary.url, "-R", "-X", "stream", "-c", "fast");
  const server = await place.server();
  await server.start();
  await askPostgres(primary.url, "alter system set synchronous_standby_names = '*'");
  await askPostgres(primary.url, "select pg_reload_conf()");
  return { ...server, promote: () => place.run("pg_ctl", "promote", "-w") };
}

/** A folder for the data of a server, and its programs, run as a user that may not be root. */
function createPostgresPlace() {
  const programs = postgresPrograms();
  if (programs === null) throw new Error("PostgreSQL is not installed");
  const dir = mkdtempSync(join(tmpdir(), "repute-postgres-"));
  const owner = process.getuid?.() === 0 ? postgresUser() : null;
  if (owner !== null) chownSync(dir, owner.uid, owner.gid);
  const options = { ...(owner ?? {}), cwd: dir, stdio: "ignore" } as const;
  const data = ["-D", join(dir, "data")];
  return {
    run: (program: string, ...args: readonly string[]): void => {
      execFileSync(join(programs, program), [...data, ...args], options);
    },
    /** Not started yet; `cpu` as of `startOwnPostgres`. */
    server: async (cpu: number | null = null): Promise<OwnServer> => {
      const port = await freePort();
      const url = `postgres://repute@127.0.0.1:${port}/repute`;
      const settings = [
        "listen_addresses=127.0.0.1",
        `unix_socket_directories=${dir}`,
        "max_connections=200",
      ];
      const args = [...data, "-p", String(port), ...settings.flatMap((setting) => ["-c", setting])];
      const pin = cpu === null ? [] : ["taskset", "-c", String(cpu)];
      const [program = "", ...rest] = [...pin, join(programs, "postgres"), ...args];
      return ownServer({
        ...{ url, port, dir },
        spawn: () => spawn(program, rest, options),
        isAnswering: () => askPostgres(url.replace(/repute$/, "postgres"), "select 1"),
      });
    },
  };
}

function postgresUser(): { readonly uid: number; readonly gid: number } {
  const id = (which: string) => Number(execFileSync("id", [which, "postgres"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

/** Runs one statement on a connection of its own. */
export async function askPostgres(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query(text);
  } finally {
    await client.end();
  }
}

/** An empty Valkey or Redis that keeps nothing on disk. `env` is its environment. */
export async function startOwnValkey(env: NodeJS.ProcessEnv = process.env): Promise<OwnServer> {
  const program = valkeyProgram();
  if (program === null) throw new Error("Neither Valkey nor Redis is installed");
  const dir = mkdtempSync(join(tmpdir(), "repute-valkey-"));
  mkdirSync(dir, { recursive: true });
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  const args = [
    "--port",
    String(port),
    "--bind",
    "127.0.0.1",
    "--save",
    "",
    "--appendonly",
    "no",
    "--dir",
    dir,
  ];
  const server = ownServer({
    url,
    port,
    dir,
    spawn: () => spawn(program, args, { stdio: "ignore", env }),
    isAnswering: () => askValkey(url),
  });
  await server.start();
  return server;
}

async function askValkey(url: string): Promise<void> {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null, connectTimeout: 2000 });
  redis.on("error", () => undefined);
  try {
    await redis.connect();
    await redis.ping();
  } finally {
    redis.disconnect();
  }
}

type Plan = {
  readonly url: string;
  readonly port: number;
  readonly dir: string;
  readonly spawn: () => ChildProcess;
  readonly isAnswering: () => Promise<void>;
};

function ownServer({ url, port, dir, spawn: begin, isAnswering }: Plan): OwnServer {
  let child: ChildProcess | null = null;
  let gone: Promise<unknown> = Promise.resolve();
  const signal = (name: NodeJS.Signals): void => {
    if (child?.pid !== undefined && child.exitCode === null && child.signalCode === null)
      signalFamily(child.pid, name);
  };
  const kill = async (): Promise<void> => {
    signal("SIGKILL");
    await gone;
  };
  atExit(() => signal("SIGKILL"));
  return {
    url,
    port,
    start: async () => {
      const started = begin();
      child = started;
      gone = new Promise((resolve) => started.once("exit", resolve));
      await untilDone(isAnswering, () => started.exitCode !== null);
    },
    kill,
    pause: () => signal("SIGSTOP"),
    resume: () => signal("SIGCONT"),
    remove: async () => {
      await kill();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Tries until it succeeds; throws its last error when it takes too long, or when there is nothing left to wait for. */
async function untilDone(attempt: () => Promise<void>, isVain: () => boolean): Promise<void> {
  const untilMs = systemClock.monotonicMs() + PATIENCE_MS;
  for (;;) {
    try {
      await attempt();
      return;
    } catch (error) {
      if (isVain() || systemClock.monotonicMs() > untilMs) throw error;
      await systemClock.sleep(50);
    }
  }
}
