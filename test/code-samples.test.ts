import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openApiDocument } from "../src/http/openapi.ts";
import { createReference, REFERENCE_NAMES } from "../src/http/pages/reference.ts";
import type { ReferenceOperation } from "../src/http/pages/reference-shapes.ts";
import { LANGUAGES } from "../src/http/pages/snippets.ts";
import { at } from "./contract.ts";
import { startTestService, type TestAccount, type TestService, until } from "./service.ts";

// The programs that /docs and /guide show are run as they stand there, against a service.

const LISTED = "192.0.2.7";
const CLEAN = "8.8.8.8";

let service: TestService;
let account: TestAccount;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "repute-samples-"));
  writeFileSync(join(folder, "list.txt"), `${LISTED}\n`);
  const url = pathToFileURL(join(folder, "list.txt")).href;
  const feed = { target: "ip", format: "netset", category: "attack", confidence: "high", url };
  const feeds = [1, 2, 3].map((at) => ({ ...feed, key: `list_${at}`, name: `List ${at}` }));
  service = await startTestService({ file: { engines: { builtin: false, feeds } } });
  account = await service.openAccount({ credits: 10_000 });
  await until(async () => (await service.call({ method: "GET", path: "/readyz" })).status === 200);
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

type Ended = { readonly status: number; readonly out: string; readonly err: string };

function run(
  command: readonly string[],
  { key = account.key, input = "" }: { readonly key?: string; readonly input?: string } = {},
): Promise<Ended> {
  const [program = "", ...rest] = command;
  const env = { ...process.env, REPUTE_KEY: key, REPUTE_URL: service.address, GOFLAGS: "-mod=mod" };
  return new Promise((resolve) => {
    const child = execFile(program, rest, { env, cwd: folder }, (error, out, err) =>
      resolve({ status: error === null ? 0 : Number(error.code ?? 1), out, err }),
    );
    child.stdin?.end(input);
  });
}

/** How a text in each language is run. */
const RUNNERS: Readonly<Record<string, readonly [file: string, command: readonly string[]]>> = {
  curl: ["call.sh", ["bash"]],
  Node: ["call.mjs", [process.execPath]],
  Python: ["call.py", ["python3"]],
  Go: ["call.go", ["go", "run"]],
  PHP: ["call.php", ["php"]],
};

const reference = createReference(openApiDocument({ version: "0.3.0", publicUrl: null }));

const operationsOf = (name: string): readonly ReferenceOperation[] => {
  const page = reference.page(name, service.address);
  return page.page === "reference" ? page.operations : [];
};

function runSnippet(language: string, id: string, key?: string): Promise<Ended> {
  const operation = REFERENCE_NAMES.flatMap(operationsOf).find((one) => one.id === id);
  const text = operation?.snippets.find(({ title }) => title === language)?.text ?? "";
  const [file, command] = RUNNERS[language] ?? ["", []];
  writeFileSync(join(folder, file), text);
  return run([...command, join(folder, file)], key === undefined ? {} : { key });
}

describe.each(LANGUAGES)("the code for %s", (language) => {
  test.each(["check-ip", "bulk-check-ip", "free-check-ip", "subscription"])("calls %s", async (id) => {
    const { status, out, err } = await runSnippet(language, id);
    expect({ status, err }).toEqual({ status: 0, err: "" });
    expect(JSON.parse(out)).toBeTypeOf("object");
  });

  test("ends with a fault and says the status when the key is wrong", async () => {
    const { status, out, err } = await runSnippet(language, "check-ip", "rpt_wrong");
    expect(status).not.toBe(0);
    expect(out + err).toContain("401");
  });
});

const PROGRAMS = fileURLToPath(new URL("../web/site/programs/", import.meta.url));
const signUp = [process.execPath, `${PROGRAMS}sign-up.mjs`];
const comments = ["php", `${PROGRAMS}comments.php`];
const mail = ["python3", `${PROGRAMS}mail.py`];
const siem = ["python3", `${PROGRAMS}siem.py`, "source_ip"];

describe("the programs of the guide", () => {
  test("the sign-up gate refuses what is no address, and asks for a step more without credits", async () => {
    const { key } = await service.openAccount({ credits: 0 });
    expect((await run([...signUp, "no address", CLEAN])).out).toMatch(/^refuse: /);
    expect((await run([...signUp, "jane@example.com", CLEAN], { key })).out).toMatch(/^confirm: .*402/);
  });

  test("the comment form publishes, rejects and holds", async () => {
    const { key } = await service.openAccount({ credits: 0 });
    const listed = await service.call({
      path: "/api/check-ip",
      key: account.key,
      body: { ip: LISTED },
    });
    expect(["high", "critical"]).toContain(listed.of("data", "risk_score", "verdict"));
    expect((await run([...comments, CLEAN, "Thank you"])).out).toMatch(/^publish: /);
    expect((await run([...comments, LISTED, "Thank you"])).out).toMatch(/^reject: /);
    expect((await run([...comments, "none", "Thank you"])).out).toMatch(/^hold: /);
    expect((await run([...comments, CLEAN, "Thank you"], { key })).out).toContain(
      "hold: no answer, status 402",
    );
  });

  test("the mail gateway answers each question of Postfix", async () => {
    const questions = [LISTED, CLEAN, ""].map(
      (ip) => `request=smtpd_access_policy\nclient_address=${ip}\n\n`,
    );
    const { out } = await run(mail, { input: questions.join("") });
    const [first, ...rest] = out.trim().split("\n\n");
    expect(first).toMatch(/^action=(REJECT 5\.7\.1|DEFER_IF_PERMIT 4\.7\.1) 192\.0\.2\.7 /);
    expect(rest).toEqual(["action=DUNNO", "action=DUNNO"]);
  });

  test("the SIEM program keeps each event and adds what is known", async () => {
    const events = [
      { id: 1, source_ip: LISTED },
      { id: 2, source_ip: CLEAN },
      { id: 3, source_ip: "x" },
      { id: 4 },
    ];
    const { out } = await run(siem, { input: events.map((one) => `${JSON.stringify(one)}\n`).join("") });
    const told = out
      .trim()
      .split("\n")
      .map((line): unknown => JSON.parse(line));
    expect(told.map((one) => at(one, ["id"]))).toEqual([1, 2, 3, 4]);
    expect(told.map((one) => at(one, ["reputation", "verdict"]) ?? null)).toEqual([
      expect.stringMatching(/^(high|critical)$/),
      "clean",
      null,
      null,
    ]);
    expect(at(told[3], ["reputation_error"])).toBe("no source_ip");
  });
});

test("the examples of errors have the bodies that the service answers", async () => {
  const [operation] = operationsOf("check-ip");
  const example = (status: string): unknown =>
    JSON.parse(operation?.errors.find((one) => one.status === status)?.example ?? "null");
  const invalid = await service.call({ path: "/api/check-ip", key: account.key, body: {} });
  expect(example("422")).toEqual(JSON.parse(invalid.text));
  const refused = await service.call({ path: "/api/check-ip", key: "rpt_wrong", body: {} });
  expect(at(example("401"), ["errors"])).toEqual(at(JSON.parse(refused.text), ["errors"]));
  const { key } = await service.openAccount({ credits: 0 });
  const poor = await service.call({ path: "/api/check-ip", key, body: { ip: CLEAN } });
  const shown = at(example("402"), ["errors", "0"]);
  expect(poor.of("errors", "0", "code")).toBe(at(shown, ["code"]));
  expect(Object.keys(Object(poor.of("errors", "0", "details")))).toEqual(
    Object.keys(Object(at(shown, ["details"]))),
  );
});
