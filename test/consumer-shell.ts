import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parse } from "yaml";
import type { TokenScope } from "../src/accounts/token-scopes.ts";
import { systemClock } from "../src/base/clock.ts";
import { linesOf } from "./consumer-lines.ts";
import { CONSUMER_LISTS, type Ran } from "./consumers.ts";
import { startTestService, type TestService } from "./service.ts";

/** A machine on which the first steps of docs/consumers/README.md were done, in folders of the test's own. */
export type ConsumerMachine = {
  readonly service: TestService;
  /** In place of /etc/repute. */
  readonly etc: string;
  readonly folder: (name: string) => string;
  /** Lines of the pages with this machine's service, folders and a token of their own. */
  readonly pasted: (mark: string) => Promise<string>;
  /** Runs a script as root would, beside the service, which is of this process. */
  readonly sh: (script: string) => Promise<Ran>;
  /** Runs the lines under a mark one by one, each fetch with a token of its own: one takes a file in ten seconds. */
  readonly runLines: (mark: string) => Promise<Ran>;
  /** Forgets which version of a file each command was given. */
  readonly forget: (file: string) => Promise<Ran>;
  /** Puts a program of the test's own before those of the system. */
  readonly shim: (name: string, script: string) => void;
  readonly close: () => Promise<void>;
};

const SCOPES: readonly TokenScope[] = [
  ...(["exports:edge", "exports:names", "exports:never-block", "exports:second", "decisions"] as const),
];
/** Beside those that the pages name at their beginning: what one list of the test's names. */
const SECOND = { name: "second", min_score: 1, engines: { only: ["hosts"] } };

export async function openConsumerMachine(): Promise<ConsumerMachine> {
  const root = mkdtempSync(join(tmpdir(), "repute-consumers-"));
  chmodSync(root, 0o755);
  const folder = (name: string, mode = 0o777): string => {
    const path = join(root, name);
    mkdirSync(path, { recursive: true });
    chmodSync(path, mode);
    return path;
  };
  const [etc, bin] = [folder("etc", 0o755), folder("bin", 0o755)];
  const service = await startTestService({ file: configOf(folder("lists")) });
  const { email } = await service.openAccount();
  const token = async (): Promise<string> =>
    (await service.accounts.createToken({ email, scopes: SCOPES })).text;
  await untilServed(service, await token());
  const paste = (text: string, tokenText = ""): string =>
    text
      .replaceAll("http://127.0.0.1:8080", service.address)
      .replaceAll("rpx_YOUR_TOKEN", tokenText)
      .replaceAll("/usr/local/bin/", `${bin}/`)
      .replaceAll("/etc/repute", etc);
  const sh = (script: string): Promise<Ran> =>
    runBeside(`export PATH="${bin}:/usr/sbin:/usr/bin:/sbin:/bin"\n${script}`);
  const machine: ConsumerMachine = {
    service,
    etc,
    folder,
    sh,
    pasted: async (mark) => {
      const text = linesOf(mark);
      return text.includes("rpx_YOUR_TOKEN") ? paste(text, await token()) : paste(text);
    },
    runLines: async (mark) => {
      const all: Ran[] = [];
      for (const line of linesOf(mark).trim().split("\n")) {
        const tokenText = await token();
        const first = await sh(paste(linesOf("header"), tokenText));
        const ran = first.status === 0 ? await sh(paste(line, tokenText)) : first;
        all.push(ran);
        if (ran.status !== 0) throw new Error(`"${line}" ended with ${ran.status}: ${ran.stderr}`);
      }
      const joined = (which: "stdout" | "stderr") => all.map((ran) => ran[which]).join("");
      return { status: 0, stdout: joined("stdout"), stderr: joined("stderr") };
    },
    forget: (file) => sh(`rm ${join(etc, file)}.*.etag`),
    shim: (name, script) => writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 }),
    close: async () => {
      await service.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
  await sh(paste(linesOf("fetch")));
  return machine;
}

function runBeside(script: string): Promise<Ran> {
  const child = spawn("sh", ["-ec", script], { stdio: ["ignore", "pipe", "pipe"] });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (text) => (stdout += String(text)));
  child.stderr.on("data", (text) => (stderr += String(text)));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (status) => resolve({ status, stdout, stderr }));
  });
}

/** The lists of the consumers' tests, with the exports that the pages name. */
function configOf(dir: string): Readonly<Record<string, unknown>> {
  const entries = (lists: typeof CONSUMER_LISTS.block) =>
    Object.entries(lists).map(([key, { lines, target = "ip" }]) => {
      writeFileSync(join(dir, key), `${lines.join("\n")}\n`);
      return { key, target, format: "plain", url: pathToFileURL(join(dir, key)).href };
    });
  const feeds = entries(CONSUMER_LISTS.block).map((entry) => ({
    ...entry,
    category: CONSUMER_LISTS.block[entry.key]?.category ?? "attack",
    confidence: "high",
  }));
  const named = Object(parse(linesOf("exports")));
  return {
    exports: [...named.exports, SECOND],
    engines: { builtin: false, feeds },
    allowlists: entries(CONSUMER_LISTS.allow ?? {}),
  };
}

/** The first build of the exports follows the index. */
async function untilServed({ address }: TestService, token: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`${address}/api/exports`, { headers: { "x-api-key": token } });
    const { exports = [] } = Object(Object(await answer.json()).data);
    if (exports.length === 4 && exports.every((one: unknown) => Object(one).served === true)) return;
    await systemClock.sleep(500);
  }
}
