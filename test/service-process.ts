import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { programEnvironment } from "./cli-runner.ts";
import { endBeforeDatabase, type TestDatabase } from "./databases.ts";
import { type Mailbox, withMailServer } from "./mailbox.ts";
import { putSnapshots } from "./prepared-snapshots.ts";
import { startDnsServer, type TestDnsServer, type TestScript } from "./servers/dns-server.ts";
import { environmentOf, knowsNobody, type TestServiceOptions } from "./service.ts";

const PROGRAM = fileURLToPath(new URL("../bin/repute.cjs", import.meta.url));

type Ended = { readonly status: number | null; readonly out: string; readonly error: string };

export type ServiceProcess = {
  /** Resolves with the port once it listens; rejects when it ends before. */
  readonly listening: Promise<number>;
  /** Resolves when the program and all that it started are gone. */
  readonly ended: Promise<Ended>;
  /** Everything on standard output so far. */
  readonly out: () => string;
  /** Signals the launcher alone, as a supervisor does. */
  readonly signal: (name: "SIGTERM" | "SIGINT" | "SIGHUP") => void;
  /** `kill -9` for the program and all that it started, at once. */
  readonly kill: () => void;
};

const running = new Set<ServiceProcess>();

/** `repute serve` as an operator runs it, in `programEnvironment`. */
export function startServiceProcess(env: Readonly<Record<string, string>>): ServiceProcess {
  const environment = { ...programEnvironment(), ...env };
  // A group of its own, so that one signal can end the launcher and the service together.
  const child = spawn(process.execPath, [PROGRAM, "serve"], { env: environment, detached: true });
  const texts = { out: "", error: "" };
  child.stderr.on("data", (chunk) => {
    texts.error += chunk;
  });
  const { promise: listening, resolve, reject } = Promise.withResolvers<number>();
  child.stdout.on("data", (chunk) => {
    texts.out += chunk;
    const port = /^Listening on http:\/\/\S+:(\d+)\n/m.exec(texts.out)?.[1];
    if (port !== undefined) resolve(Number(port));
  });
  // Standard output closes when the last process that holds it has ended: the service, not the launcher.
  const ended = new Promise<Ended>((done) => child.once("close", (status) => done({ status, ...texts })));
  const started: ServiceProcess = {
    listening,
    ended,
    out: () => texts.out,
    signal: (name) => child.kill(name),
    kill: () => killGroup(child),
  };
  running.add(started);
  void ended.then(({ error }) => {
    running.delete(started);
    reject(new Error(`It ended before it listened: ${error}`));
  });
  listening.catch(() => undefined);
  return started;
}

function killGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  process.kill(-pid, "SIGKILL");
}

const leftovers: (() => Promise<void> | void)[] = [];

/** For `afterEach`: no test leaves a process, a server or a folder behind, not even one that failed. */
export async function endServiceProcesses(): Promise<void> {
  for (const one of running) one.kill();
  await Promise.all([...running].map(({ ended }) => ended));
  for (const remove of leftovers.splice(0)) await remove();
}

endBeforeDatabase(endServiceProcesses);

export type ServicePlace = {
  readonly env: Readonly<Record<string, string>>;
  readonly dataDir: string;
  readonly dns: TestDnsServer;
  /** What the services mailed so far, where strangers may sign up and the test names no mail server. */
  readonly mails: Mailbox["mails"];
};

/**
 * What services on a test's database are started with: a data folder with the seed's snapshots, beside a SQLite file,
 * and a loopback resolver. Removed by `endServiceProcesses`.
 */
export async function createServicePlace(
  database: Pick<TestDatabase, "url"> | null,
  options: { readonly dns?: TestScript } & Pick<TestServiceOptions, "file" | "bootstrap"> = {},
): Promise<ServicePlace> {
  const url = database?.url();
  const isFile = url !== undefined && !url.startsWith("postgres");
  const dataDir = isFile ? dirname(url) : mkdtempSync(join(tmpdir(), "repute-place-"));
  const dns = await startDnsServer(options.dns ?? knowsNobody);
  leftovers.push(dns.close, () => rmSync(dataDir, { recursive: true, force: true }));
  await putSnapshots(dataDir);
  const { file, smtp } = await withMailServer(options.file);
  if (smtp !== null) leftovers.push(smtp.close);
  const env = environmentOf(dataDir, dns, {
    ...options,
    file,
    ...(isFile || url === undefined ? {} : { databaseUrl: url }),
  });
  return { env, dataDir, dns, mails: smtp?.mails ?? [] };
}
