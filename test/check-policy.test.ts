import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { createRunner, expectFailure, expectNarrow, NO_TABLES } from "./cli-runner.ts";
import { type GateWorld, startGateWorld, VISITORS } from "./gate-world.ts";
import { putSnapshots } from "./prepared-snapshots.ts";

const KEYS = ["own_c2", "own_attack", "own_spam", "own_allowed"];
const folder = mkdtempSync(join(tmpdir(), "repute-check-policy-"));
const { repute } = createRunner(folder, { REPUTE_DATA_DIR: join(folder, "data") });
let world: GateWorld;
beforeAll(async () => {
  await putSnapshots(join(folder, "data"));
  world = await startGateWorld();
  writeFileSync(join(folder, "repute.yaml"), stringify({ ...world.sections, geo: NO_TABLES }));
  expect(await repute(["feeds", "update", ...KEYS])).toMatchObject({ status: 0, error: "" });
});
afterAll(async () => {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

type Way = (args: readonly string[]) => ReturnType<typeof repute>;
const here: Way = (args) => repute(["check", ...args, "--offline"]);
const atServer: Way = (args) =>
  repute(["check", ...args, "--server", world.service.address], { REPUTE_KEY: world.account.key });

const IPS = Object.values(VISITORS);
const POLICIES = ["default", "edge", "strict", "spam", "two"];

describe.each([
  ["here", here],
  ["by a service", atServer],
] as const)("repute check --policy, %s", (_, check) => {
  test.each(POLICIES)("%s says of each value what ?policy= of the lookup says", async (policy) => {
    const { out } = await check([...IPS, "--policy", policy, "--json"]);
    const asked = IPS.map(async (ip) =>
      (
        await world.service.call({
          path: `/api/check-ip?policy=${policy}`,
          body: { ip },
          key: world.account.key,
        })
      ).of("data", "disposition"),
    );
    const told = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).disposition);
    expect(told).toEqual(await Promise.all(asked));
  });

  test.each(["standard", "full", "compact", "verdict"])("the view %s has it too", async (view) => {
    const { out } = await check([VISITORS.blocked, "--policy", "edge", "--view", view, "--json"]);
    expect(JSON.parse(out).disposition).toEqual({ policy: "edge", action: "block", because: ["own_c2"] });
  });

  test("CSV ends with the action; without a policy it has the columns of before", async () => {
    const { out } = await check([
      VISITORS.blocked,
      VISITORS.challenged,
      VISITORS.clean,
      "--policy",
      "edge",
      "--csv",
    ]);
    const rows = out
      .trim()
      .split(/\r?\n/)
      .map((line) => line.split(","));
    expect(rows.map((row) => row.at(-1))).toEqual(["repute_action", "block", "challenge", "allow"]);
    const plain = await check([VISITORS.blocked, "--csv"]);
    expect(plain.out).not.toContain("repute_action");
    expect(JSON.parse((await check([VISITORS.blocked, "--json"])).out)).not.toHaveProperty("disposition");
  });

  test("a policy that there is not is refused, with those that there are", async () => {
    const outcome = await check([VISITORS.blocked, "--policy", "no such"]);
    expect(outcome.status).not.toBe(0);
    expect(`${outcome.out}${outcome.error}`).toContain(
      'Unknown policy "no such": known are default, edge, strict, spam, two',
    );
  });

  test.each([
    [["dns", "example.com"], "dns-lookup"],
    [["whois", "example.com"], "whois-lookup"],
  ])("what has no score is refused before anything is asked: %j", async (args, product) => {
    const outcome = await check([...args, "--policy", "edge"]);
    expectFailure(outcome, 2, `A policy judges a score, and ${product} has none`);
  });
});

test("a report for a person ends with what the policy does, and lines have its action", async () => {
  const whole = await here([VISITORS.saved, "--policy", "edge"]);
  expectNarrow(whole.out);
  expect(whole.out).toContain("\n\nPolicy edge: allow (allowlisted)\n");
  const file = join(folder, "values.txt");
  writeFileSync(file, [VISITORS.blocked, VISITORS.clean, "AS64500"].join("\n"));
  const lines = await here(["--file", file, "--policy", "edge"]);
  expect(lines.out.split("\n").slice(0, 3)).toEqual([
    expect.stringMatching(/^critical +90 block +45\.45\.45\.45$/),
    expect.stringMatching(/ allow +45\.99\.0\.1$/),
    "error               AS64500: A policy judges a score, and whois-lookup has none",
  ]);
  expect(lines.status).toBe(1);
});
