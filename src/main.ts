import { once } from "node:events";
import { existsSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { makeFolder } from "./base/folders.ts";
import { giveWay } from "./base/give-way.ts";
import { dataDirOf, processEnvironment } from "./config/environment.ts";

// Files of ours are for their owner only, whatever the caller's umask. Source: security P24.
process.umask(0o077);

const argv = process.argv.slice(2);
// A service beside it goes on answering, and goes first, from the loading of the program on.
if (argv[0] === "feeds" && argv[1] === "update") giveWay(process.pid, "somewhat");
const env = processEnvironment();
const cwd = process.cwd();
const dataDir = dataDirOf(env, cwd);
// In the data folder and not in the system's temporary one, where others could lay compiled code for us.
if (existsSync(dataDir) || (argv[0] === "serve" && isMade(dataDir))) {
  enableCompileCache(join(dataDir, "compile-cache"));
}

// A reader that went away (`repute account list | head -1`) is no failure to tell of.
process.stdout.on("error", () => process.exit(1));

const { runCli } = await import("./cli/run.ts");
const status = await runCli(argv, {
  env,
  cwd,
  writeOut: (text) => process.stdout.write(text),
  writeError: (text) => process.stderr.write(text),
  drained: () => (process.stdout.writableNeedDrain ? once(process.stdout, "drain") : null),
  isTerminal: process.stdout.isTTY,
  isErrorTerminal: process.stderr.isTTY,
});
// What was written goes out first: on a pipe to a slow reader it may still wait.
process.stderr.write("", () => process.stdout.write("", () => process.exit(status)));

/** Whether the folder could be made; why not, the command says when it needs it. */
function isMade(folder: string): boolean {
  try {
    makeFolder(folder);
    return true;
  } catch (error) {
    if (error instanceof Error) return false;
    throw error;
  }
}
