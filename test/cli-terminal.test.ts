import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCli } from "../src/cli/run.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "repute-terminal-"));
  writeFileSync(join(folder, "list.txt"), "198.41.0.4\n");
  const feed = `{ key: own, name: Own, target: ip, format: plain, url: "file://${folder}/list.txt" }`;
  writeFileSync(join(folder, "repute.yaml"), `engines: { builtin: false, feeds: [${feed}] }\n`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What two commands write to a terminal, both streams. */
async function written(env: Readonly<Record<string, string>>): Promise<string> {
  let text = "";
  const write = (piece: string): void => {
    text += piece;
  };
  const streams = { isTerminal: true, isErrorTerminal: true, writeOut: write, writeError: write };
  const world = { ...streams, cwd: folder, env: { REPUTE_DATA_DIR: join(folder, "data"), ...env } };
  expect(await runCli(["feeds", "update", "own"], world)).toBe(0);
  expect(await runCli(["check", "ip", "198.41.0.4", "--offline"], world)).toBe(0);
  return text;
}

const ESCAPE = "\u001b";
const RED = `${ESCAPE}[31m`;
const PROGRESS = `${ESCAPE}[2K`;

test("a terminal gets colours and a line of progress, with NO_COLOR no colours, and a dumb one no codes", async () => {
  const rich = await written({ TERM: "xterm" });
  expect(rich).toContain(RED);
  expect(rich).toContain(PROGRESS);
  const plain = await written({ TERM: "xterm", NO_COLOR: "1" });
  expect(plain).not.toContain(RED);
  expect(plain).toContain(PROGRESS);
  const dumb = await written({ TERM: "dumb" });
  expect(dumb).toContain("Listed by 1 of 1 engine");
  expect(dumb).not.toContain(ESCAPE);
});
