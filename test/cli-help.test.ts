import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { COMMANDS } from "../src/cli/all.ts";
import type { CliCommand } from "../src/cli/command.ts";
import { buildProgram } from "../src/cli/program.ts";
import { runCli } from "../src/cli/run.ts";
import { expectNarrow } from "./cli-runner.ts";
import { ROOT } from "./source-files.ts";

const loaded = new Map<string, CliCommand>(
  await Promise.all(COMMANDS.map(async (entry) => [entry.name, (await entry.load()).command] as const)),
);

async function answered(...argv: readonly string[]) {
  let [out, error] = ["", ""];
  const status = await runCli(argv, {
    env: {},
    cwd: ROOT,
    isTerminal: false,
    writeOut: (text) => {
      out += text;
    },
    writeError: (text) => {
      error += text;
    },
  });
  return { status, out, error };
}

/** What the shell hands to `repute` of a line: no variables before it, nothing of a pipe, a file or another command. */
function argumentsOf(line: string): readonly string[] {
  const own = /(?:^|[ (])repute ([^|>)]*)/.exec(line)?.[1] ?? "";
  return [...own.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
}

/** The command that a line runs. */
async function commandOf(line: string): Promise<CliCommand | null> {
  let found: CliCommand | null = null;
  const program = buildProgram({
    loaded,
    run: async (command) => {
      found = command;
    },
    writeOut: () => undefined,
    writeError: () => undefined,
  });
  await program.parseAsync([...argumentsOf(line)], { from: "user" });
  return found;
}

/** The anchors of a page's headings, as they are made on the hosts of repositories. */
const anchorsOf = (page: string): readonly string[] =>
  [...page.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} -]/gu, "")
      .replaceAll(" ", "-"),
  );

describe.each([...loaded])("repute %s --help", (name, command) => {
  const { examples, page } = command.help;

  test("has one to three examples, and each is a line of this command that parses", async () => {
    expect([1, 2, 3]).toContain(examples.length);
    for (const example of examples) expect([example, await commandOf(example)]).toEqual([example, command]);
  });

  test("names a page of the documentation that is there", () => {
    const [file = "", anchor] = page.split("#");
    expect(existsSync(join(ROOT, "docs", file))).toBe(true);
    if (anchor !== undefined) {
      expect(anchorsOf(readFileSync(join(ROOT, "docs", file), "utf8"))).toContain(anchor);
    }
  });

  test("prints both in 80 columns, whichever way it is asked for", async () => {
    const words = name.split(" ");
    const help = await answered(...words, "--help");
    expect(help).toMatchObject({ status: 0, error: "" });
    expectNarrow(help.out);
    expect(help.out).toMatch(/^Usage: repute /);
    expect(help.out).toContain(`\nExamples:\n${examples.map((line) => `  ${line}\n`).join("")}`);
    expect(help.out.trimEnd().split("\n").at(-1)).toBe(`More: docs/${page}`);
    expect(await answered("help", ...words)).toEqual(help);
  });
});

describe("repute help", () => {
  test("of a group lists its commands", async () => {
    const { status, out } = await answered("help", "key");
    expect(status).toBe(0);
    expect(out).toMatch(/^Usage: repute key /);
    const overview = await answered("--help");
    expect(overview.out).toMatch(/\n {2}repute help key create\n\nMore: docs\/commands\.md\n$/);
    expect(await answered("help")).toMatchObject({ status: 0, out: overview.out });
  });

  test.each([[["frobnicate"]], [["key", "frobnicate"]]])("does not know %j", async (words) => {
    const { status, out, error } = await answered("help", ...words);
    expect({ status, out }).toEqual({ status: 2, out: "" });
    expect(error).toContain("unknown command 'frobnicate'");
  });
});
