import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { createRunner, expectFailure } from "./cli-runner.ts";

const folder = mkdtempSync(join(tmpdir(), "repute-completion-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const { repute } = createRunner(folder, { REPUTE_DATA_DIR: join(folder, "data") });
const run = promisify(execFile);

async function scriptOf(shell: string): Promise<string> {
  const { status, out, error } = await repute(["completion", shell]);
  expect({ status, error }).toEqual({ status: 0, error: "" });
  return out;
}

/** What bash offers for the last of the words. */
async function offered(script: string, words: readonly string[]): Promise<readonly string[]> {
  const listed = words.map((word) => `'${word}'`).join(" ");
  const ask = `${script}\nCOMP_WORDS=(repute ${listed}); COMP_CWORD=${words.length}; _repute; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = await run("bash", ["--norc", "-c", ask]);
  return stdout.split("\n").filter((word) => word !== "");
}

test("bash completes commands, what stands below a group, options and choices", async () => {
  const script = await scriptOf("bash");
  expect(await offered(script, ["che"])).toEqual(["check"]);
  expect(await offered(script, ["key", "r"])).toEqual(["rename", "roll", "revoke"]);
  expect(await offered(script, ["key", "create", "--exp"])).toEqual(["--expires"]);
  expect(await offered(script, ["check", "8.8.8.8", "--fail"])).toEqual(["--fail-on"]);
  expect(await offered(script, ["completion", "z"])).toEqual(["zsh"]);
});

test.skipIf(!existsSync("/usr/bin/zsh"))("zsh reads its script, and knows the words", async () => {
  const script = await scriptOf("zsh");
  const { stdout } = await run("zsh", [
    "-f",
    "-c",
    `${script}\n_repute_words "key create" && print -l -- $reply`,
  ]);
  expect(stdout.split("\n")).toContain("--expires");
});

test.skipIf(!existsSync("/usr/bin/fish"))("fish completes", async () => {
  const script = await scriptOf("fish");
  const { stdout } = await run("fish", ["-N", "-c", `${script}\ncomplete -C "repute key r"`]);
  expect(stdout.split("\n")).toEqual(expect.arrayContaining(["rename", "roll", "revoke"]));
});

test("another shell is wrong usage", async () => {
  expectFailure(await repute(["completion", "tcsh"]), 2, "tcsh");
});
