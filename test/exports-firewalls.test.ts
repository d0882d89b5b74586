import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eachRow } from "../src/exports/rows.ts";
import { createTestWorld, type TestWorld } from "../src/exports/test-world.ts";
import {
  CONSUMER_LISTS,
  consumerWorld,
  mayUnshare,
  missing,
  run,
  runApart,
  writeBodyFile,
} from "./consumers.ts";

let world: TestWorld;
beforeAll(async () => {
  world = await consumerWorld();
});
afterAll(() => world?.close());

const valuesOf = (version: "v4" | "v6"): readonly string[] =>
  [...eachRow(world.generation("edge"))].filter((row) => row.version === version).map(({ value }) => value);

/** The elements of a set as nft lists it. */
const elementsIn = (text: string, set: string): readonly string[] => {
  const [, body = ""] = new RegExp(`set ${set} \\{[^{]*elements = \\{([^}]*)\\}`).exec(text) ?? [];
  return body
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "")
    .sort();
};

const isApart = mayUnshare();

describe.skipIf(missing("nft").length > 0 || !isApart)(
  "nft (else skipped: not installed, or no root)",
  () => {
    test("takes the file whole, checks it, takes it again, and has just those networks", () => {
      const file = writeBodyFile(world, "edge.nft");
      const ran = runApart(`nft -c -f ${file}; nft -f ${file}; nft -f ${file}; nft list table inet repute`);
      expect(ran.stderr).toBe("");
      expect(elementsIn(ran.stdout, "block4")).toEqual([...valuesOf("v4")].sort());
      expect(elementsIn(ran.stdout, "block6")).toEqual([...valuesOf("v6")].sort());
    });

    test("a table with the rules of the documentation goes on with the next file", () => {
      const file = writeBodyFile(world, "edge.nft", { set: "mine" });
      const rules =
        "add chain inet repute input { type filter hook input priority -10; }; " +
        "add rule inet repute input ip saddr @mine4 drop";
      const ran = runApart(
        `nft -f ${file}; nft '${rules}'; nft -f ${file}; nft list chain inet repute input`,
      );
      expect([ran.stderr, ran.stdout.includes("ip saddr @mine4 drop")]).toEqual(["", true]);
    });
  },
);

describe.skipIf(missing("ipset").length > 0 || !isApart)(
  "ipset (else skipped: not installed, or no root)",
  () => {
    test("is restored, and restored again with other entries and another size, without an empty moment", async () => {
      const file = writeBodyFile(world, "edge.ipset");
      const larger = createTestWorld([{ name: "edge" }]);
      // More than the 65,536 that a set of ipset holds unless it is told otherwise.
      const lines = Array.from(
        { length: 70_000 },
        (_, i) => `46.${i >> 15}.${(i >> 7) & 255}.${(i * 2) & 255}`,
      );
      await larger.make({ block: { many: { lines } } });
      const next = writeBodyFile(larger, "edge.ipset");
      const ran = runApart(
        `ipset restore -f ${file}; ipset save repute4; ipset save repute6; echo; ipset restore -f ${next}; ipset save repute4`,
      );
      larger.close();
      expect(ran.stderr).toBe("");
      const [before = "", after = ""] = ran.stdout.split("\n\n");
      const members = (text: string, set: string) =>
        [...text.matchAll(new RegExp(`^add ${set} (\\S+)`, "gm"))].map(([, value]) => value).sort();
      expect(members(before, "repute4")).toEqual([...valuesOf("v4")].sort());
      expect(members(before, "repute6")).toEqual([...valuesOf("v6")].sort());
      expect(members(after, "repute4").length).toBe(70_000);
    });
  },
);

describe.skipIf(missing("iprange").length > 0)("iprange (else skipped: not installed)", () => {
  test("comes to the same networks, of this export and of random ones", async () => {
    const own = writeBodyFile(world, "edge.txt", { v: "4" });
    expect(run("iprange", ["--optimize", own]).stdout.trim().split("\n")).toEqual(valuesOf("v4"));
    const random = createTestWorld([{ name: "edge" }]);
    const number = (i: number, salt: number) =>
      (Math.imul(i + 1, 0x9e3779b1) ^ Math.imul(salt, 0x85ebca6b)) >>> 0;
    const lines = Array.from({ length: 20_000 }, (_, i) => {
      const address = number(i, 7);
      const prefix = 20 + (number(i, 9) % 13);
      const network = (0x2d000000 | (address & 0x003fffff & (-1 << (32 - prefix)))) >>> 0;
      return `${network >>> 24}.${(network >>> 16) & 255}.${(network >>> 8) & 255}.${network & 255}/${prefix}`;
    });
    await random.make({ block: { random: { lines } } });
    const input = join(random.dir, "input.txt");
    writeFileSync(input, `${lines.join("\n")}\n`);
    const theirs = run("iprange", ["--optimize", input]).stdout.trim();
    const ours = random.body("edge.txt", { head: "0" }).trim();
    random.close();
    expect(ours).toBe(theirs);
  });
});

test.skipIf(missing("grepcidr").length > 0)(
  "grepcidr finds what is listed and not what is allowed (else skipped)",
  () => {
    const file = writeBodyFile(world, "edge.txt", { head: "0" });
    const asked = [
      "45.10.5.7",
      "45.64.2.1",
      "45.64.1.7",
      "45.10.200.9",
      "45.12.0.1",
      "2a01:5:1::9",
      "2a01:5:2::9",
    ];
    const found = run("grepcidr", ["-f", file], `${asked.join("\n")}\n`)
      .stdout.trim()
      .split("\n");
    expect(found).toEqual(["45.10.5.7", "45.64.2.1", "2a01:5:1::9"]);
  },
);

/** Debian has no RouterOS: the lines are read by the grammar of its documentation. */
test("RouterOS: every line adds an address with a time, or renews it", () => {
  const own =
    /^:do \{\/(ip|ipv6)\/firewall\/address-list\/add list=repute address=(\S+) timeout=26h comment="score \d+ [a-z,0-9]+"\} on-error=\{\/\1\/firewall\/address-list\/set \[find list=repute address=\2\] timeout=26h\}$/;
  const lines = world.body("edge.rsc").trim().split("\n").slice(6);
  const addresses = lines.map((line) => own.exec(line)?.[2]);
  expect(addresses).toEqual([
    ...valuesOf("v4"),
    ...valuesOf("v6").map((one) => (one.includes("/") ? one : `${one}/128`)),
  ]);
  expect(world.body("edge.rsc", { v6syntax: "1" })).toContain(
    ":do {/ip firewall address-list add list=repute ",
  );
});

/** PAN-OS: an entry, a blank, whatever follows; nothing before it. */
test("PAN-OS: an entry stands at the start of each line", () => {
  const lines = world.body("edge.edl").trim().split("\n");
  expect(lines.map((line) => line.split(" ")[0])).toEqual([...valuesOf("v4"), ...valuesOf("v6")]);
  expect(lines.every((line) => /^\S+ score \d+ [a-z,0-9]+$/.test(line))).toBe(true);
  // Of comments the vendor's guidelines know in lists of addresses alone.
  expect(world.body("names.edl")).toBe(world.body("names.txt", { head: "0" }));
  expect(world.body("pages.edl")).toBe("host.example.org/bad/page?x=1\n");
});

test("the lists of the consumers' tests hold both families, nested networks and islands", () => {
  expect(valuesOf("v4")).toContain("45.64.2.0/23");
  expect(valuesOf("v4").length).toBeGreaterThan(15);
  expect(valuesOf("v6").length).toBeGreaterThan(15);
  expect(Object.keys(CONSUMER_LISTS.allow ?? {})).toHaveLength(2);
});
