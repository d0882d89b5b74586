import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCli } from "../src/cli/run.ts";
import { putSnapshots } from "./prepared-snapshots.ts";

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "repute-terminal-"));
  await putSnapshots(join(folder, "data"));
  writeFileSync(join(folder, "list.txt"), "198.41.0.4\n");
  const feed = `{ key: own, name: Own, target: ip, format: plain, url: "file://${folder}/list.txt" }`;
  writeFileSync(join(folder, "repute.yaml"), `engines: { builtin: false, feeds: [${feed}] }\n`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A command's status, and what it writes to a terminal, both streams. */
async function atTerminal(env: Readonly<Record<string, string>>, ...line: readonly string[]) {
  let text = "";
  const write = (piece: string): void => {
    text += piece;
  };
  const streams = { isTerminal: true, isErrorTerminal: true, writeOut: write, writeError: write };
  const world = { ...streams, cwd: folder, env: { REPUTE_DATA_DIR: join(folder, "data"), ...env } };
  return { status: await runCli(line, world), text };
}

/** What two commands write. */
async function written(env: Readonly<Record<string, string>>): Promise<string> {
  const updated = await atTerminal(env, "feeds", "update", "own");
  const checked = await atTerminal(env, "check", "ip", "198.41.0.4", "--offline");
  expect([updated.status, checked.status]).toEqual([0, 0]);
  return updated.text + checked.text;
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

test("an empty line stands between the reports of several values", async () => {
  const values = ["198.41.0.4", "198.41.0.5", "198.41.0.6"];
  const { text } = await atTerminal({ TERM: "dumb" }, "check", ...values, "--offline");
  const before = values.map((value) => text.split(`${value}\n`)[0]?.slice(-2));
  expect(before).toEqual(["", "\n\n", "\n\n"]);
});

test("of a list that cannot be read the file is named, to the operator alone", async () => {
  const file = join(folder, "list.txt");
  rmSync(file);
  const dumb = { TERM: "dumb" };
  expect((await atTerminal(dumb, "feeds", "update", "own")).status).toBe(1);
  const { text } = await atTerminal(dumb, "feeds", "list");
  expect(text.replaceAll(/\s+/g, " ")).toContain(`own: it is read from ${file}`);
  expect((await atTerminal(dumb, "check", "ip", "198.41.0.4", "--offline", "--json")).text).not.toContain(
    file,
  );
});
