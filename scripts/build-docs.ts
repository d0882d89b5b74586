import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { ERROR_CODES } from "../src/base/failure.ts";
import { COMMANDS } from "../src/cli/all.ts";
import type { CliCommand, CommandEntry } from "../src/cli/command.ts";
import { VARIABLES } from "../src/config/environment.ts";
import { describeConfigFile } from "../src/config/file-schema.ts";
import { UNUSED_SECTIONS } from "../src/config/other-sections.ts";
import { type SchemaNode, wordsOf } from "../src/yaml/schema-words.ts";
import { apiLines } from "./api-page.ts";
import { engineLines } from "./engines-page.ts";
import { scoreLines } from "./scores-page.ts";

const MADE = "<!-- Made by `npm run docs`: change the code, not this page. -->";

/** The pages that are made from the code. */
export const PAGES: readonly { readonly file: string; readonly make: () => Promise<string> }[] = [
  { file: "docs/errors.md", make: async () => errorsPage() },
  { file: "docs/api.md", make: async () => apiPage() },
  { file: "docs/configuration.md", make: async () => configurationPage(describeConfigFile()) },
  { file: "docs/commands.md", make: commandsPage },
  { file: "docs/engines.md", make: async () => enginesPage() },
  { file: "docs/scores.md", make: async () => page("Scores", ...scoreLines(markdownTable)) },
];

function errorsPage(): string {
  const rows = Object.entries(ERROR_CODES).map(([code, { status, text }]) => [
    `\`${code}\``,
    String(status),
    text,
  ]);
  return page(
    "Errors",
    "A refused call is answered with a list of what was wrong; each entry has one of these codes in `code`, a sentence in",
    "`message`, the member that it is about in `field` (or null) and more in `details` (or null). `request_id` is also the",
    "header `X-Request-Id`.",
    "",
    "```json",
    '{"errors": [{"code": "INSUFFICIENT_CREDITS", "message": "…", "field": null, "details": {"cost": 1}}], "request_id": "…"}',
    "```",
    "",
    "A call with status 422 has a body of its own: one entry for each fault, with where it is, what is wrong and its kind.",
    "",
    "```json",
    '{"detail": [{"loc": ["body", "ip"], "msg": "This is not an IPv4 or IPv6 address", "type": "value_error", "input": "x", "ctx": {"reason": "invalid_ip"}}]}',
    "```",
    "",
    "No such call is charged. The sentences are for people and may change; programs go by code and status.",
    "",
    ...markdownTable(["code", "status", "usual sentence"], rows),
  );
}

function configurationPage(root: SchemaNode): string {
  const sections = [...root.properties].flatMap(([name, node]) => [
    "",
    `### \`${name}\``,
    "",
    ...(UNUSED_SECTIONS.includes(name) ? ["Accepted and checked; nothing in this version uses it.", ""] : []),
    ...markdownTable(["key", "value", "default", "meaning"], keyRows(name, node)),
  ]);
  return page(
    "Configuration",
    "Everything has a default. The environment says where things are, the file says how the service works. An unknown key or",
    "a bad value stops the start with one line that names the key, what was expected and what was found.",
    "`repute config` prints what is in force, secrets masked. `repute config check` says before a restart whether the file is right: each fault with its",
    "line, what was expected and what was found, and exit status 1; names that nothing has are warnings. It opens and sends nothing, and checks another",
    "file by `REPUTE_CONFIG=new.yaml repute config check`.",
    "",
    "## Environment",
    "",
    "An empty variable counts as absent.",
    "",
    ...markdownTable(
      ["variable", "default", "meaning"],
      VARIABLES.map(({ name, normally, meaning }) => [`\`${name}\``, normally, meaning]),
    ),
    "",
    "## The file",
    "",
    "YAML, UTF-8; a section may be empty. Options of a list's format stand beside `format` in its entry.",
    ...sections,
  );
}

/** A row for each key below a node; entries of a list are `name[]`. */
function keyRows(path: string, node: SchemaNode): string[][] {
  if (node.properties.size > 0) {
    return [...node.properties].flatMap(([name, child]) => {
      const isNeeded = node.required.has(name);
      const childPath = `${path}.${name}`;
      const below = child.properties.size > 0 ? [] : [keyRow(childPath, child, isNeeded)];
      return [...below, ...keyRows(childPath, child)];
    });
  }
  const entries = node.entries ?? node.members;
  if (entries === null || entries.properties.size === 0) return [];
  return keyRows(node.entries === null ? `${path}.*` : `${path}[]`, entries);
}

function keyRow(path: string, node: SchemaNode, isNeeded: boolean): string[] {
  const normally = node.normally === null ? "" : `\`${JSON.stringify(node.normally.value)}\``;
  return [`\`${path}\``, wordsOf(node), isNeeded ? "required" : normally, node.description ?? ""];
}

async function commandsPage(): Promise<string> {
  const sections: string[] = [];
  for (const entry of COMMANDS) sections.push(...commandSection(entry, (await entry.load()).command));
  return page(
    "Commands",
    "In a checkout `npm run -s repute -- ARGS`, installed `repute ARGS`. Every command works while a server runs on the same",
    "data folder. Exit status: 0 done, 1 it failed (one line on standard error says why), 2 wrong usage. With `--json`",
    "standard output is one JSON value and nothing else. Colours are used on a terminal only, and not with `NO_COLOR` or `TERM=dumb`.",
    "`repute --version` prints the version, `repute help` and `--help` behind any command print its usage.",
    ...sections,
  );
}

function commandSection({ name, summary }: CommandEntry, command: CliCommand): string[] {
  const spelt = new Map(
    command.arguments.map(({ name: argument, isRepeated = false }) => [
      argument,
      isRepeated ? `[${argument} ...]` : `<${argument}>`,
    ]),
  );
  const given = [...spelt.values()];
  const options = command.options.map(({ flags, isRequired = false }) => (isRequired ? flags : `[${flags}]`));
  const rows = [
    ...command.arguments.map(({ name: argument, summary: meaning, choices }) => [
      `\`${spelt.get(argument)}\``,
      choices === undefined ? meaning : `${meaning}: ${choices.join(", ")}`,
    ]),
    ...command.options.map(({ flags, summary: meaning, isRequired = false }) => [
      `\`${flags}\``,
      isRequired ? `${meaning}; required` : meaning,
    ]),
  ];
  return [
    "",
    `## \`repute ${name}\``,
    "",
    `${summary}.`,
    "",
    "```",
    ["repute", name, ...given, ...options].join(" "),
    "```",
    ...(rows.length === 0 ? [] : ["", ...markdownTable(["", "meaning"], rows)]),
    "",
    "```sh",
    ...command.help.examples,
    "```",
    ...(command.help.page === "commands.md"
      ? []
      : ["", `More: [${command.help.page}](${command.help.page}).`]),
  ];
}

const apiPage = (): string =>
  page(
    "HTTP reference",
    "The calls of the OpenAPI document, which every installation serves at `/openapi.json` with the schema and an example of each",
    "answer; `/docs` shows it as a page. Answers are `{request_id, timestamp, data}`; errors are described in",
    "[errors.md](errors.md), the contents of `data` in [answers.md](answers.md), and code for several languages in",
    "[clients.md](clients.md). An API key is sent as `X-API-Key: rpt_…` or `Authorization: Bearer rpt_…`.",
    ...apiLines(markdownTable),
  );

const enginesPage = (): string =>
  page(
    "Engines",
    "The lists and DNS blacklists that this version knows. What is off by default is not asked: answers count it in",
    "`engines_disabled`, `GET /api/engines` and the view `full` give the reason ([answers.md](answers.md)). `engines.enable`",
    "switches it on, and an entry of your own with the same key takes its place (for a list that needs a key, say, with",
    "`headers`). `repute feeds list` shows the state of each.",
    ...engineLines(markdownTable),
  );

const page = (title: string, ...lines: readonly string[]): string =>
  `${[`# ${title}`, "", MADE, "", ...lines].join("\n")}\n`;

function markdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const lineOf = (cells: readonly string[]) => `| ${cells.map(escapeCell).join(" | ")} |`;
  return [lineOf(header), `|${header.map(() => "---|").join("")}`, ...rows.map(lineOf)];
}

/** Code spans show what they hold; in text `<` would begin a tag. */
const escapeCell = (cell: string): string =>
  (cell.startsWith("`") ? cell : cell.replaceAll("<", "&lt;")).replaceAll("|", "\\|");

if (import.meta.main) {
  for (const { file, make } of PAGES) {
    writeFileSync(fileURLToPath(new URL(`../${file}`, import.meta.url)), await make());
  }
}
