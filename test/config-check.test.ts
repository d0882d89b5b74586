import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createRunner, expectNarrow } from "./cli-runner.ts";

const folder = mkdtempSync(join(tmpdir(), "repute-config-check-"));
const file = join(folder, "repute.yaml");
const { repute } = createRunner(folder, { REPUTE_DATA_DIR: join(folder, "data") });
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const lines = (...text: readonly string[]): string => `${text.join("\n")}\n`;

async function checked(text: string) {
  writeFileSync(file, text);
  const [plain, json] = await Promise.all([
    repute(["config", "check"]),
    repute(["config", "check", "--json"]),
  ]);
  expectNarrow(plain.out);
  expect(json.status).toBe(plain.status);
  return { ...plain, told: JSON.parse(json.out) };
}

test.each<[what: string, text: string, faults: readonly (readonly [line: number | null, says: string])[]]>([
  [
    "all faults, in the order of their lines",
    lines(
      "engines:",
      "  feeds:",
      "    - { key: A b, target: ip, url: 5 }",
      "server:",
      "  listen: 1",
      "  foo: 2",
    ),
    [
      [3, "engines.feeds[0].key: expected"],
      [3, "engines.feeds[0].url: expected"],
      [3, "engines.feeds[0].format: expected"],
      [5, "server.listen: unknown key, it is set by the environment variable HOST"],
      [6, "server.foo: unknown key"],
    ],
  ],
  ["text that is no YAML", "a: [\n", [[2, "not valid YAML"]]],
  ["a key that stands twice", lines("server: {}", "server: {}"), [[2, 'the key "server" is given twice']]],
  [
    "sections that want others",
    lines(
      "dashboard:",
      "  signup: open",
      "exports:",
      "  - name: a",
      "    policy: none",
      "fetch: { ca_file: /no/file }",
    ),
    [
      [2, "dashboard.signup: open needs mail.smtp_url"],
      [5, 'exports[0].policy: the export "a" names "none"'],
      [6, 'fetch.ca_file: cannot read "/no/file"'],
    ],
  ],
])("%s", async (_, text, faults) => {
  const { status, out, error, told } = await checked(text);
  expect({ status, error }).toEqual({
    status: 1,
    error: `error: ${faults.length} fault${faults.length === 1 ? "" : "s"} in ${file}: \`repute serve\` will not start\n`,
  });
  expect(told).toMatchObject({ ok: false, file, warnings: [] });
  expect(told.faults.map(({ line }: { line: number | null }) => line).toSorted()).toEqual(
    faults.map(([line]) => line).toSorted(),
  );
  for (const [line, says] of faults) {
    const found = told.faults.find((one: { message: string }) => one.message.startsWith(says));
    expect(found?.line, says).toBe(line);
    expect(out.replaceAll(/\n {2}/g, " ")).toContain(`line ${line}: ${says}`);
  }
  // The start says the first of them, and how many more there are.
  const start = await repute(["serve"]);
  expect(start.status).toBe(1);
});

test("what is right is said to be so, and a name that nothing has is a warning", async () => {
  const right = await checked(lines("policies:", "  edge: { block_at: 60 }"));
  expect(right).toMatchObject({ status: 0, error: "", told: { ok: true, file, faults: [], warnings: [] } });
  expect(right.out.replaceAll(/\n {2}/g, " ")).toContain(`${file} is right: \`repute serve\` takes it`);
  const named = await checked(lines("engines: { disable: [no_such] }"));
  expect(named.status).toBe(0);
  expect(named.told.warnings).toEqual([expect.stringContaining('no engine has the key "no_such"')]);
  expect(named.out).toMatch(/^warning: /);
});

test("without a file the defaults are in force; a file that is not there is said; nothing is made", async () => {
  rmSync(file);
  rmSync(join(folder, "data"), { recursive: true, force: true });
  const none = await repute(["config", "check"]);
  expect(none).toMatchObject({
    status: 0,
    out: "There is no configuration file: the defaults are in force\n",
  });
  const other = await repute(["config", "check"], { REPUTE_CONFIG: join(folder, "new.yaml") });
  expect(other.status).toBe(1);
  expect(other.error).toContain("there is no such file");
  expect(readdirSync(folder)).toEqual([]);
});

test("secrets are not repeated", async () => {
  const { out, told } = await checked(
    lines("engines:", "  keys: { abusech: [hush_hush] }", "billing: { stripe_secret_key: [hush_hush] }"),
  );
  expect(`${out}${JSON.stringify(told)}`).not.toContain("hush_hush");
  expect(told.faults).toHaveLength(2);
});

test("the command above stays, and refuses what is below neither", async () => {
  writeFileSync(file, "");
  expect((await repute(["config"])).out).toContain("environment:");
  expect((await repute(["config", "nope"])).status).toBe(2);
});
