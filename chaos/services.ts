import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stringify } from "yaml";
import { systemClock } from "../src/base/clock.ts";
import { readZoneCatalogue } from "../src/engines/dnsbl/builtin-zones.ts";
import { atExit, freePort } from "./linux.ts";

const MAIN = fileURLToPath(new URL("../src/main.ts", import.meta.url));

/** A `repute serve` of its own folder and port, which it keeps when it is started again. */
export type OwnService = {
  readonly port: number;
  readonly dataDir: string;
  /** Sections of the configuration file from its next start on. */
  readonly configure: (file: NonNullable<ServiceWish["file"]>) => void;
  /** Starts it; resolves when it is ready for product calls. */
  readonly start: () => Promise<void>;
  /** SIGTERM; resolves when it has finished what it had begun. */
  readonly stop: () => Promise<void>;
  /** `kill -9`; resolves when it is gone. */
  readonly kill: () => Promise<void>;
  readonly pause: () => void;
  readonly resume: () => void;
  /** Whether it was started and not killed. */
  readonly isUp: () => boolean;
  readonly pid: () => number;
  /** All that it wrote on standard output in all its lives. */
  readonly written: () => string;
};

export type ServiceWish = {
  readonly dataDir: string;
  readonly resolver: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Sections of the configuration file. */
  readonly file?: Readonly<Record<string, unknown>>;
};

/** A service that is not started yet. Its zones are off, and no outside server is asked. */
export async function createService({
  dataDir,
  resolver,
  env = {},
  file = {},
}: ServiceWish): Promise<OwnService> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const configFile = join(dataDir, "chaos.yaml");
  const zones = readZoneCatalogue().map(({ key }) => key);
  const quiet = {
    dns: { servers: [resolver] },
    rdap: { bootstrap_url: "http://127.0.0.1:1/" },
    engines: { disable: zones },
  };
  const configure: OwnService["configure"] = (sections) =>
    writeFileSync(configFile, stringify({ ...quiet, ...sections }));
  configure(file);
  const port = await freePort();
  const environment = {
    PATH: process.env["PATH"],
    HOST: "127.0.0.1",
    PORT: String(port),
    REPUTE_DATA_DIR: dataDir,
    REPUTE_CONFIG: configFile,
    REPUTE_BOOTSTRAP: "off",
    LOG_LEVEL: "warn",
    ...compiled(),
    ...env,
  };
  let child: ChildProcess | null = null;
  let gone: Promise<unknown> = Promise.resolve();
  let written = "";
  let isUp = false;
  atExit(() => child?.kill("SIGKILL"));
  return {
    port,
    dataDir,
    configure,
    start: async () => {
      const started = spawn(process.execPath, [MAIN, "serve"], {
        env: environment,
        stdio: ["ignore", "pipe", "pipe"],
      });
      child = started;
      gone = new Promise((resolve) => started.once("exit", resolve));
      for (const stream of [started.stdout, started.stderr]) {
        stream.on("data", (text) => {
          written += text;
        });
      }
      await untilReady(port, () => {
        if (started.exitCode !== null)
          throw new Error(`A service ended at its start: ${written.slice(-2000)}`);
      });
      isUp = true;
    },
    stop: async () => {
      isUp = false;
      child?.kill("SIGTERM");
      await gone;
    },
    kill: async () => {
      isUp = false;
      child?.kill("SIGKILL");
      await gone;
    },
    pause: () => void child?.kill("SIGSTOP"),
    resume: () => void child?.kill("SIGCONT"),
    isUp: () => isUp,
    pid: () => child?.pid ?? 0,
    written: () => written,
  };
}

/** Where a run of the tests keeps what was compiled: one that is killed leaves nothing of its own. */
function compiled(): Readonly<Record<string, string>> {
  const folder = process.env["NODE_COMPILE_CACHE"];
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: folder };
}

async function untilReady(port: number, assertAlive: () => void): Promise<void> {
  for (;;) {
    assertAlive();
    const { status } = await ask(port, { path: "/readyz" });
    if (status === 200) return;
    await systemClock.sleep(50);
  }
}

export type Question = {
  readonly path: string;
  readonly body?: object;
  readonly key?: string;
  readonly timeoutMs?: number;
  readonly headers?: Readonly<Record<string, string>>;
};
export type Reply = {
  /** Null: no answer came. */
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
};

const NO_ANSWER: Reply = { status: null, headers: {}, text: "" };

/** One request on a connection of its own: GET without a body, POST with one. */
export function ask(
  port: number,
  { path, body, key, timeoutMs = 60_000, headers: more }: Question,
): Promise<Reply> {
  return new Promise((resolve) => {
    const headers = {
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(key === undefined ? {} : { "x-api-key": key }),
      ...more,
    };
    const method = body === undefined ? "GET" : "POST";
    const call = request({ port, host: "127.0.0.1", path, method, headers, agent: false });
    call.setTimeout(timeoutMs, () => call.destroy());
    call.once("error", () => resolve(NO_ANSWER));
    call.once("response", (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (piece: string) => {
        text += piece;
      });
      response.once("error", () => resolve(NO_ANSWER));
      response.once("end", () =>
        resolve({ status: response.statusCode ?? null, headers: response.headers, text }),
      );
    });
    call.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
