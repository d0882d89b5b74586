import { eachRow } from "../src/exports/rows.ts";
import { createTestWorld, type TestWorld } from "../src/exports/test-world.ts";
import { registeredDomainOf } from "../src/targets/domain.ts";
import { run } from "./consumers.ts";

// Names that are hard on readers of lists, and what an export of them says of any name.

const LONGEST_LABEL = "a".repeat(63);
/** 253 characters. */
const LONGEST = [LONGEST_LABEL, "b".repeat(63), "c".repeat(63), "d".repeat(57), "com"].join(".");

export const LISTED = [
  ...[`${LONGEST_LABEL}.example.com`, LONGEST, LONGEST.slice(30)],
  ...["under_score.example.com", "_dmarc.example.com", "1234567.com", "1.2.3.4.example.com", "0.0.0.0.com"],
  ...["xn--bcher-kva.example.com", "xn--e1aybc.xn--p1ai", "7.5.10.45.in-addr.arpa"],
  // Words of configurations and zones.
  ...["include.com", "server.com", "default.net", "localhost.localdomain", "test.com", "soa.example.com"],
  ...["rpz-passthru.com", "rpz-ip.example.com", "ns.example.com", "local.example.com", "end.example.com"],
  // Triggers of response policy zones, which no names are.
  ...["32.7.5.10.45.rpz-ip", "evil.rpz-client-ip", "evil.rpz-nsdname"],
  // Public suffixes stand for themselves alone.
  ...["co.uk", "github.io", "xn--55qx5d.cn", "evil.co.uk", "evil.github.io"],
  // One below the other, with names between that no list has.
  ...["deep.example.net", "a.b.deep.example.net", "up.example.org", "bad.not.ok.up.example.org"],
  // Listed, allowed, listed, allowed and listed again, each below the one before.
  ...["worse.fine.bad.not.ok.up.example.org"],
  ...["a.b.c.co.uk"],
  // Registered domains with public suffixes below them, one listed itself, and names of others below those.
  ...[
    "amazonaws.com",
    "s3.us-east-2.amazonaws.com",
    "evil.s3.amazonaws.com",
    "evil.compute.amazonaws.com",
    "kawasaki.jp",
  ],
];
/** Spellings that come out as names. */
export const SPELT = {
  "UPPER.example.com": "upper.example.com",
  "bücher.example.net": "xn--bcher-kva.example.net",
};
/** Some of them: names below are others'. */
export const SUFFIXES = ["s3.amazonaws.com", "s3.us-east-2.amazonaws.com", "compute.amazonaws.com"];
export const ALLOWED = [
  "x.y.deep.example.net",
  "ok.up.example.org",
  "fine.bad.not.ok.up.example.org",
  "fine.co.uk",
  "a.b.c.d.deep.example.net",
];
/** Written into a list by an attacker, for the files that are made of it. */
const HOSTILE = [
  ...["$ORIGIN.example.com", "$INCLUDE.example.com", "*", 'qu"ote.example.com', "qu'ote.example.com"],
  ...["se;mi.example.com", "sla/sh.example.com", "back\\slash.example.com", "ha#sh.example.com"],
  ...[
    "per%cent.example.com",
    "a@example.com",
    "pi|pe.example.com",
    "^caret.example.com",
    "(paren.example.com",
  ],
  ...[
    "{brace}.example.com",
    "!bang.example.com",
    ":colon.example.com",
    "sp ace.example.com",
    "`id`.example.com",
  ],
  ...["tab\there.example.com", "$(id).example.com", "<b>.example.com", "nul\0.example.com"],
  ...["-dash.example.com", "dash-.example.com", "--.example.com", `${"a".repeat(64)}.example.com`],
  ...[`${"a.".repeat(126)}com`, "com", "localhost", "."],
];

export type HardNames = {
  readonly world: TestWorld;
  /** Names to ask a program about: each entry, each allowed name, and names above, below and beside them. */
  readonly questions: readonly string[];
  readonly valuesOf: () => readonly string[];
  /** By the nearest that the export lists or lets through, of what a format can hold. */
  readonly isBlocked: (name: string, canHold?: (name: string) => boolean) => boolean;
};

/** A world whose export `names` is made of all that is hard, readable for programs of other users. */
export async function openHardNames(): Promise<HardNames> {
  const world = createTestWorld([{ name: "names", target: "domain", min_score: 1 }]);
  const lines = [...LISTED, ...Object.keys(SPELT), ...HOSTILE];
  await world.make({
    block: { names: { lines, target: "domain", category: "malware" } },
    allow: { fine: { lines: ALLOWED, target: "domain" } },
  });
  run("chmod", ["-R", "a+rX", world.dir]);
  const valuesOf = (): readonly string[] => [...eachRow(world.generation("names"))].map(({ value }) => value);
  const islands = new Set(world.generation("names").islands);
  const isBlocked = (name: string, canHold = (_: string): boolean => true): boolean => {
    const listed = new Set(valuesOf().filter(canHold));
    if (listed.has(name)) return true;
    const nearest = above(name).find((one) => listed.has(one) || islands.has(one));
    return nearest !== undefined && !islands.has(nearest) && registeredDomainOf(nearest) !== null;
  };
  const questions = [...new Set([...valuesOf(), ...ALLOWED, ...SUFFIXES].flatMap(around))].filter(isName);
  return { world, questions, valuesOf, isBlocked };
}

/** Whether DNS can ask for it, and a list would have it. */
export const isName = (name: string): boolean =>
  name.length <= 253 && name.includes(".") && name.split(".").every((label) => label.length < 64);

/** Names that stand above an entry, below it and beside it. */
const around = (name: string): readonly string[] =>
  name
    .split(".")
    .map((_, i, labels) => labels.slice(i).join("."))
    .flatMap((one) => [one, `z.${one}`, `z.y.${one}`, `not${one}`]);

/** A name, and all names above it. */
export const above = (name: string): readonly string[] =>
  name.split(".").map((_, i, labels) => labels.slice(i).join("."));
