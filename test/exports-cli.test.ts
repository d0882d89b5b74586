import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { systemClock } from "../src/base/clock.ts";
import { createExportFetches, exportFetch } from "../src/exports/fetches.ts";
import { EXPORTS_CLAIM } from "../src/exports/state.ts";
import { createClaims } from "../src/feeds/sharing/file-locks.ts";
import { createRunner, expectFailure, expectNarrow } from "./cli-runner.ts";
import { putSnapshots } from "./prepared-snapshots.ts";

const folder = mkdtempSync(join(tmpdir(), "repute-exports-cli-"));
const cli = createRunner(folder, {
  REPUTE_DATA_DIR: join(folder, "data"),
  REPUTE_CONFIG: join(folder, "repute.yaml"),
});

const exportState = z.object({
  facts: z.object({ generation: z.int() }),
  fetches: z.array(exportFetch),
});

beforeAll(async () => {
  await putSnapshots(join(folder, "data"));
  const list = (key: string, lines: readonly string[], more: object = {}) => {
    writeFileSync(join(folder, key), `${lines.join("\n")}\n`);
    const url = pathToFileURL(join(folder, key)).href;
    return { key, url, target: "ip", format: "netset", ...more };
  };
  const engine = { category: "c2", confidence: "high" };
  const listed = ["45.10.0.0/16", "45.20.0.1", "45.20.1.1", "45.20.1.3", "2a01:5::/32"];
  const config = {
    engines: {
      builtin: false,
      feeds: [
        list("own_c2", listed, engine),
        list("own_weak", ["45.30.0.0/24"], { category: "scanner", confidence: "high" }),
        list("own_names", ["evil.net", "com.au"], { ...engine, target: "domain", format: "plain" }),
        list("own_boxes", ["Bad@münchen.example.de", "evil.org"], {
          ...engine,
          target: "email",
          format: "plain",
        }),
      ],
    },
    allowlists: [list("own_allowed", ["45.10.7.0/24"])],
    policies: { strict: { block_at: 80 } },
    exports: [
      { name: "edge" },
      { name: "few", limit: 2 },
      { name: "wide", aggregate: { promote: "24:2" } },
      { name: "names", target: "domain" },
      { name: "boxes", target: "email" },
      { name: "strict", policy: "strict" },
    ],
  };
  writeFileSync(join(folder, "repute.yaml"), JSON.stringify(config));
  for (const name of ["edge", "few", "wide", "names", "boxes"]) await cli.json(["exports", "show", name]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ["no file", null, "there is no repute.yaml in this folder, and REPUTE_CONFIG names no other file"],
  ["a file without exports", "own.yaml", "own.yaml has none"],
])("of %s the commands say that it is the reason why there are no exports", async (_, file, says) => {
  const other = mkdtempSync(join(tmpdir(), "repute-no-exports-"));
  if (file !== null) writeFileSync(join(other, file), "");
  const env: Record<string, string> = file === null ? {} : { REPUTE_CONFIG: join(other, file) };
  const elsewhere = createRunner(other, { REPUTE_DATA_DIR: join(folder, "data"), ...env });
  const list = await elsewhere.repute(["exports", "list"]);
  expect([list.status, list.out.replaceAll(/\s+/g, " ")]).toEqual([0, expect.stringContaining(says)]);
  expectFailure(await elsewhere.repute(["exports", "show", "edge"]), 2, says);
  rmSync(other, { recursive: true });
});

test("`repute exports show` names the policy that an export goes by", async () => {
  const shown = async (name: string) => (await cli.repute(["exports", "show", name])).out;
  expect(await shown("strict")).toMatch(/^Least score +80, by the policy "strict"$/m);
  expect(await shown("edge")).toMatch(/^Least score +50$/m);
});

describe("`repute exports explain` says what is in the file, and why:", () => {
  test.each([
    ["edge", "45.20.0.1", "in: 90, own_c2"],
    ["edge", "::ffff:45.20.0.1", "in: 90, own_c2"],
    ["edge", "45.10.7.9", "not in: allowlisted by own_allowed, would be 90"],
    ["edge", "45.30.0.9", "not in: below the least score, scores 35"],
    ["edge", "45.40.0.9", "not in: no list that counts names it"],
    // Networks, as they stand in the file and inside or around what does.
    ["edge", "45.10.0.0/22", "in: 90, own_c2, as part of 45.10.0.0/22"],
    ["edge", "45.10.1.0/24", "in: 90, own_c2, as part of 45.10.0.0/22"],
    ["edge", "45.10.0.0/16", "not in: no entry holds all of it"],
    ["edge", "2a01:5:9::/48", "in: 90, own_c2, as part of 2a01:5::/32"],
    // What the whole of an export decides.
    ["few", "45.10.0.1", "in: 90, own_c2"],
    ["few", "45.20.0.1", "not in: cut by the limit, scores 90"],
    ["wide", "45.20.1.200", "in: 90, own_c2, as part of 45.20.1.0/24"],
    ["wide", "45.20.1.3", "in: 90, own_c2"],
    ["wide", "45.20.0.2", "not in: no list that counts names it"],
    // Every spelling of a value.
    ["names", "EVIL.net", "in: 90, own_names"],
    ["names", "deep.evil.net", "in: 72, own_names"],
    ["names", "other.com.au", "not in: no list that counts names it"],
    ["boxes", "bad@MÜNCHEN.example.de", "in: 90, own_boxes"],
    ["boxes", "bad@xn--mnchen-3ya.example.de", "in: 90, own_boxes"],
  ])("%s %s: %s", async (name, value, says) => {
    expect(await cli.repute(["exports", "explain", name, value])).toMatchObject({
      status: 0,
      out: `${says}\n`,
      error: "",
    });
  });

  test.each([
    ["edge", "evil.net", "not an IPv4 or IPv6 address"],
    ["edge", "45.10.0.1/16", "bits set beyond"],
    ["edge", "45.10.0.0/33", "not a network"],
    ["names", "45.10.0.1", ""],
    ["boxes", "a b@", "neither a mailbox nor a domain"],
    ["other", "45.10.0.1", 'no export "other"'],
  ])("%s %s is refused", async (name, value, says) => {
    expectFailure(await cli.repute(["exports", "explain", name, value]), 2, says);
  });
});

describe("an export", () => {
  test("that another process builds just now is not called a failure", async () => {
    const data = join(folder, "fresh");
    const exports = join(data, "exports");
    cpSync(join(folder, "data"), data, { recursive: true });
    rmSync(exports, { recursive: true });
    mkdirSync(exports);
    expect(createClaims(exports, systemClock).take(EXPORTS_CLAIM)).toBe(true);
    const busy = await cli.repute(["exports", "show", "edge"], { REPUTE_DATA_DIR: data });
    expectFailure(busy, 1, 'The export "edge" is not built yet');
  });

  test("is shown in the width of a terminal", async () => {
    const { status, out } = await cli.repute(["exports", "show", "edge"]);
    expect([status, out]).toEqual([0, expect.stringMatching(/Generation +\d+, made [^ ]+ found right\s/)]);
    expectNarrow(out);
  });

  test("says who fetched it, and who has an older generation", async () => {
    const data = join(folder, "fetched");
    cpSync(join(folder, "data"), data, { recursive: true });
    const env = { REPUTE_DATA_DIR: data };
    const show = () => cli.repute(["exports", "show", "edge"], env);
    expect((await show()).out).toContain("No consumer fetched it in the last thirty days\n");
    const { generation } = exportState.parse(await cli.json(["exports", "show", "edge"], env)).facts;
    const fetches = createExportFetches(join(data, "exports"), systemClock);
    const note = (address: string | null, format: string, has: number) =>
      fetches.note("edge", {
        token: "rpx_abcd1234",
        address,
        user_agent: "pan \u001b[31mred",
        format,
        generation: has,
        unchanged: false,
      });
    note("2001:db8:1111:2222:3333:4444:5555:6666", "nft", generation);
    note("192.0.2.8", "edl", generation - 9);
    for (let i = 0; i < 30; i++) note(`192.0.2.${i + 10}`, "txt", generation);
    await expect.poll(() => fetches.of("edge").length).toBe(32);
    const { out } = await show();
    expectNarrow(out);
    expect(out).toContain("and 12 more: --json has all\n");
    const all = exportState.parse(await cli.json(["exports", "show", "edge"], env)).fetches;
    expect(all).toHaveLength(32);
    const old = all.filter((one) => one.generation !== generation);
    expect(old).toMatchObject([{ address: "192.0.2.8", format: "edl", token: "rpx_abcd1234" }]);
    rmSync(join(data, "exports", "edge", "fetches"), { recursive: true });
    note("192.0.2.9", "edl", generation - 9);
    await expect.poll(() => fetches.of("edge").length).toBe(1);
    expect((await show()).out).toMatch(/^rpx_abcd1234 192\.0\.2\.9 +edl +[\dTZ:-]{20} an older one$/m);
  });

  test.each([
    ["long ago", -49, "could not be renewed since"],
    ["by a clock that was ahead", 49, "the clock of this machine was set back"],
  ])("that was found right %s is not sent, and not called ok", async (_, hours, says) => {
    const data = join(folder, `aged${hours}`);
    cpSync(join(folder, "data"), data, { recursive: true });
    const file = join(data, "exports", "few", "state.json");
    const checkedAt = new Date(Date.now() + hours * 3_600_000).toISOString();
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), checkedAt }));
    const env = { REPUTE_DATA_DIR: data };
    const list = await cli.repute(["exports", "list"], env);
    expect(list.out).toMatch(/^edge .* ok$/m);
    expect(list.out).toMatch(/^few .* not sent$/m);
    expectNarrow(list.out);
    const show = await cli.repute(["exports", "show", "few"], env);
    for (const { out } of [list, show]) expect(out.replaceAll(/\s+/g, " ")).toContain(says);
    const write = await cli.repute(["exports", "write", "few", "--format", "txt"], env);
    expect(write.status).toBe(0);
    expect(write.error).toContain(says);
    expect((await cli.repute(["exports", "write", "edge", "--format", "txt"], env)).error).toBe("");
  });

  test("of one generation has nothing to be compared with, and that is said", async () => {
    expect(await cli.repute(["exports", "diff", "edge"])).toEqual({
      status: 0,
      out: "",
      error: 'The export "edge" has no generation before this one\n',
    });
  });
});

test("a key that no engine has is said, since what it should leave out would stay in", async () => {
  const file = join(folder, "slip.yaml");
  const engines = { only: ["own_c2"], without: ["own_c3"] };
  const feed = { key: "own_c2", target: "ip", url: "https://lists.example/c2.txt", format: "plain" };
  const slip = {
    engines: { builtin: false, feeds: [feed] },
    exports: [{ name: "a" }, { name: "b", engines }],
  };
  writeFileSync(file, JSON.stringify(slip));
  const { status, error } = await cli.repute(["config"], { REPUTE_CONFIG: file });
  expect([status, error]).toEqual([
    0,
    'warning: exports[1].engines.without: no engine has the key "own_c3"; `repute engines list` names them all\n',
  ]);
});

describe("an option that is given twice", () => {
  test("is one list where it is a list", async () => {
    await cli.json(["account", "create", "--email", "a@example.com"]);
    const made = await cli.json([
      ...["token", "create", "--account", "a@example.com"],
      ...["--scope", "gate", "--scope", "exports:edge,decisions"],
    ]);
    expect(made.scopes).toEqual(["gate", "exports:edge", "decisions"]);
  });

  test("a token for an export that there is not is made, and the slip is said", async () => {
    const { status, out, error } = await cli.repute([
      ...["token", "create", "--account", "a@example.com", "--scope", "gate,exports:egde", "--json"],
    ]);
    expect([status, JSON.parse(out).scopes]).toEqual([0, ["gate", "exports:egde"]]);
    expect(error).toBe(
      'warning: the configuration has no export for the scope "exports:egde"; there are edge, few, wide, names, boxes, strict\n',
    );
  });

  test("is refused elsewhere: the last one does not win in silence", async () => {
    const twice = ["exports", "write", "edge", "--format", "txt", "--format", "csv"];
    expectFailure(await cli.repute(twice), 2, "given more than once");
    const names = ["token", "create", "--scope", "gate", "--name", "a", "--name", "b"];
    expectFailure(await cli.repute(names), 2, "given more than once");
  });
});
