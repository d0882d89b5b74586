import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRunner, expectFailure, expectNarrow } from "./cli-runner.ts";
import { putSnapshots } from "./prepared-snapshots.ts";

const folder = mkdtempSync(join(tmpdir(), "repute-policy-"));
const log = join(folder, "access.log");
const cli = createRunner(folder, {
  REPUTE_DATA_DIR: join(folder, "data"),
  REPUTE_CONFIG: join(folder, "repute.yaml"),
});

const urlOf = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return pathToFileURL(join(folder, name)).href;
};
const lineOf = (ip: string) => `${ip} - - [23/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 12 "-" "curl"`;

beforeAll(async () => {
  await putSnapshots(join(folder, "data"));
  const listed = urlOf("c2", "45.45.45.0/24\n");
  const attack = urlOf("attack", "45.45.46.0/24\n");
  const allowed = urlOf("allowed", "45.45.45.77\n");
  const feed = (key: string, category: string, url: string) =>
    `    - { key: ${key}, category: ${category}, confidence: high, target: ip, format: netset, url: "${url}" }`;
  writeFileSync(
    join(folder, "repute.yaml"),
    [
      "engines:",
      "  builtin: false",
      "  feeds:",
      feed("own_c2", "c2", listed),
      feed("own_attack", "attack", attack),
      `allowlists: [{ key: own_allowed, target: ip, format: netset, url: "${allowed}" }]`,
      "policies: { edge: { block_at: 75, challenge_at: 50 } }",
    ].join("\n"),
  );
  const hosts = Array.from({ length: 12 }, (_, i) =>
    Array.from({ length: 12 - i }, () => lineOf(`45.45.45.${i + 1}`)),
  );
  const others = ["45.45.46.1", "45.45.45.77", "45.45.45.77", "9.9.9.9", "10.0.0.1"].map(lineOf);
  writeFileSync(
    log,
    [...hosts.flat(), ...others, "", "nonsense from a scanner \u001b[2J", "45.45.45.1"].join("\n"),
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("`repute policy test`", () => {
  test("counts what the policy would have done, and names the most frequent and the saved", async () => {
    const report = await cli.json(["policy", "test", "edge", "--log", log]);
    expect(report).toMatchObject({
      policy: "edge",
      lines: 85,
      unread: 1,
      requests: { block: 79, challenge: 1, allow: 4 },
      addresses: { block: 12, challenge: 1, allow: 3 },
      saved: [{ ip: "45.45.45.77", requests: 2, score: 9, because: ["allowlisted"] }],
    });
    expect(report.blocked).toHaveLength(10);
    expect(report.blocked[0]).toEqual({ ip: "45.45.45.1", requests: 13, score: 90, because: ["own_c2"] });
    const { out, status } = await cli.repute(["policy", "test", "edge", "--log", log]);
    expect(status).toBe(0);
    expect(out).toMatch(/^Lines +85, 1 of them without an address$/m);
    expect(out).toMatch(/^block +79 +12$/m);
    expect(out).toMatch(/^45\.45\.45\.77 +2 +9 allowlisted$/m);
    expectNarrow(out);
  });

  test("names the saved also where too few lists could be loaded to call them clean", async () => {
    const config = readFileSync(join(folder, "repute.yaml"), "utf8");
    const missing = ["a", "b", "c", "d", "e", "f"].map((name) =>
      [`    - { key: own_${name}, category: c2, confidence: high, target: ip, format: netset, `, "}"].join(
        `url: "${pathToFileURL(join(folder, `missing-${name}`)).href}" `,
      ),
    );
    const file = join(folder, "missing.yaml");
    writeFileSync(file, config.replace("  feeds:\n", `  feeds:\n${missing.join("\n")}\n`));
    const more = { REPUTE_CONFIG: file, REPUTE_DATA_DIR: join(folder, "missing-data") };
    const { out } = await cli.repute(["policy", "test", "edge", "--log", log, "--json"], more);
    expect(JSON.parse(out)).toMatchObject({
      requests: { block: 79, challenge: 1, allow: 4 },
      saved: [{ ip: "45.45.45.77", requests: 2, score: 9, because: ["allowlisted"] }],
    });
  });

  test.each([
    ["of another program", "1732.1 45 45.45.45.1 TCP_MISS/200 1 GET http://x/\n"],
    ["in UTF-16", Buffer.from(`${lineOf("45.45.45.1")}\n`, "utf16le")],
    ["of octets", Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 1, 2, 255])],
    ["of JSON with other members", '{"peer":"45.45.45.1"}\n{"peer":"45.45.45.2"}'],
  ])("a log %s, no line of which is read, is not told as one of visitors who are let in", async (_, text) => {
    const file = join(folder, "other.log");
    writeFileSync(file, text);
    for (const more of [[], ["--json"]]) {
      const ran = await cli.repute(["policy", "test", "edge", "--log", file, ...more]);
      expectFailure(ran, 2, "no address where one is looked for: wanted are lines in the common");
    }
  });

  test("an empty log is one of no visitors", async () => {
    writeFileSync(join(folder, "empty.log"), "\n\r\n");
    const report = await cli.json(["policy", "test", "edge", "--log", join(folder, "empty.log")]);
    expect(report).toMatchObject({ lines: 0, unread: 0 });
  });

  test("refuses an unknown policy by name, and a file that is not there", async () => {
    expectFailure(
      await cli.repute(["policy", "test", "nope"]),
      2,
      'Unknown policy "nope": known are default, edge',
    );
    expectFailure(
      await cli.repute(["policy", "test", "edge", "--log", "/nowhere/log"]),
      1,
      "there is no such file",
    );
  });
});
