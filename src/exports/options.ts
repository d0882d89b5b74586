import { z } from "zod";
import { EXPORT_NAME } from "../accounts/token-scopes.ts";
import { CATEGORIES } from "../engines/kind.ts";
import { LISTED_KINDS } from "../targets/listed-kinds.ts";

/** What the published ranges of an allow export are of. */
export const SERVICES = ["cdn", "crawler", "monitoring", "mail", "saas"] as const;
export type ServiceGroup = (typeof SERVICES)[number];

/** What an export leaves out, though its score would let it in. */
export const SUBTRACTIONS = ["allowlists", "shared_infrastructure", "overrides"] as const;
export type Subtraction = (typeof SUBTRACTIONS)[number];

/** What a list of attackers of high confidence has by itself is above it. */
const MIN_SCORE = 50;

const engineKeys = z.array(z.string()).default([]);

const promoteSchema = z.strictObject({
  promote: z
    .string()
    .regex(/^([89]|[12]\d|3[01]):([1-9]\d{0,6})$/, 'Expected "prefix:count", e.g. "24:16"')
    .describe(
      'E.g. "24:16": an IPv4 /24 of which 16 addresses or more are listed is exported whole, unless one is allowed',
    ),
});

/** One entry of `exports[]`. */
const exportSchema = z
  .strictObject({
    name: z
      .string()
      .regex(EXPORT_NAME, "Expected 1 to 63 of a-z, 0-9, and - and _ inside")
      .describe("Name in its URLs"),
    kind: z
      .enum(["block", "allow"])
      .default("block")
      .describe(
        "block: what is listed; allow: published ranges of services, for rules that must never block them",
      ),
    target: z.enum(LISTED_KINDS).default("ip").describe("What it names"),
    min_score: z.int().min(1).max(100).default(MIN_SCORE).describe("Least score of an entry"),
    policy: z
      .string()
      .nullable()
      .default(null)
      .describe("A policy: what it blocks is exported, in place of `min_score` and `families_min` here"),
    categories: z
      .array(z.enum(CATEGORIES))
      .default([])
      .describe("Only what a list of one of these categories names; none: of any"),
    without: z
      .array(z.enum(CATEGORIES))
      .default([])
      .describe("Nothing that a list of these categories names"),
    families_min: z
      .int()
      .min(1)
      .max(20)
      .default(1)
      .describe("Least number of independent sources behind the score of an entry"),
    engines: z
      .strictObject({
        only: engineKeys.describe("Keys of the only engines that count; none: all"),
        without: engineKeys.describe("Keys of engines that do not count"),
      })
      .prefault({})
      .describe("Engines that the score is made of"),
    max_age_days: z
      .int()
      .min(1)
      .max(3650)
      .nullable()
      .default(null)
      .describe("Days since it was last seen, at most"),
    limit: z
      .int()
      .min(1)
      .nullable()
      .default(null)
      .describe("Entries at most: those of the highest score, then the newest, then by value"),
    aggregate: z
      .union([z.enum(["exact", "none"]), promoteSchema])
      .default("exact")
      .describe("exact: neighbouring networks become one; none: those of different score stay apart"),
    subtract: z
      .array(z.enum(SUBTRACTIONS))
      .default([...SUBTRACTIONS])
      .describe("What is cut out"),
    redistribution: z
      .enum(["any", "allowed"])
      .default("any")
      .describe("allowed: only sources whose licence lets them be passed on count"),
    min_entries: z
      .int()
      .min(1)
      .default(1)
      .describe("With fewer entries the generation before stays in force"),
    max_age_h: z
      .int()
      .min(1)
      .max(8760)
      .default(48)
      .describe("Hours after which data that could not be renewed is no longer served"),
    services: z
      .array(z.enum(SERVICES))
      .default([])
      .describe("kind: allow: whose published ranges; none: of all of them"),
  })
  .superRefine((options, context) => {
    for (const [path, message] of faultsOf(options))
      context.addIssue({ code: "custom", path: [path], message });
  });
export type ExportOptions = z.infer<typeof exportSchema>;

type Fault = readonly [path: keyof ExportOptions, message: string];

/** What one option makes of another one: a filter that changes nothing would be taken for one that works. */
function faultsOf(options: ExportOptions): readonly Fault[] {
  const { kind, target, services, aggregate, limit, min_entries: least } = options;
  const faults: Fault[] = kind === "allow" ? faultsOfAllow(options) : faultsOfBlock(options);
  if (kind === "block" && services.length > 0)
    faults.push(["services", "Only an export of kind: allow has services"]);
  if (typeof aggregate === "object") {
    const [prefix = 0, count = 0] = aggregate.promote.split(":").map(Number);
    if (kind === "allow" || target !== "ip")
      faults.push(["aggregate", "Only an export of kind: block and target: ip can promote"]);
    else if (count > 2 ** (32 - prefix))
      faults.push([
        "aggregate",
        `A /${prefix} has ${2 ** (32 - prefix)} addresses: ${count} are never listed`,
      ]);
  }
  if (limit !== null && limit < least)
    faults.push(["min_entries", `With limit: ${limit} there are never ${least} entries`]);
  return faults;
}

/** What its filters make of one another. */
function faultsOfBlock(options: ExportOptions): Fault[] {
  const { policy, min_score: score, families_min: families, categories, without, engines } = options;
  const faults: Fault[] = [];
  const isNone = (some: readonly string[], others: readonly string[]): boolean =>
    some.length > 0 && some.every((one) => others.includes(one));
  if (policy !== null && score !== MIN_SCORE)
    faults.push(["min_score", `The policy "${policy}" says from which score on: leave out one of them`]);
  if (policy !== null && families > 1)
    faults.push([
      "families_min",
      `The policy "${policy}" says how many sources it takes: leave out one of them`,
    ]);
  if (isNone(categories, without))
    faults.push(["without", "Nothing is left: each of `categories` is in `without` too"]);
  if (isNone(engines.only, engines.without))
    faults.push(["engines", "Nothing is left: each of `only` is in `without` too"]);
  return faults;
}

/** It is made of published ranges, which have neither score nor category and are of no engine. */
function faultsOfAllow(options: ExportOptions): Fault[] {
  const { target, policy, categories, without, families_min: families, engines } = options;
  const filters: readonly (readonly [path: keyof ExportOptions, isSet: boolean])[] = [
    ["policy", policy !== null],
    ["min_score", options.min_score !== MIN_SCORE],
    ["subtract", SUBTRACTIONS.some((one) => !options.subtract.includes(one))],
    ["categories", categories.length > 0],
    ["without", without.length > 0],
    ["families_min", families > 1],
    ["engines", engines.only.length > 0 || engines.without.length > 0],
    ["max_age_days", options.max_age_days !== null],
    ["redistribution", options.redistribution !== "any"],
  ];
  const faults = filters.flatMap(([path, isSet]): Fault[] =>
    isSet ? [[path, "An allow export is chosen by services alone: it has no such filter"]] : [],
  );
  return target === "ip" ? faults : [["target", "An allow export holds addresses: expected ip"], ...faults];
}

/** The operator's `exports:`. */
export const exportsOptionsSchema = z.array(exportSchema).superRefine((entries, context) => {
  const seen = new Set<string>();
  for (const [i, { name }] of entries.entries()) {
    if (seen.has(name)) {
      context.addIssue({ code: "custom", path: [i, "name"], message: `The name "${name}" is used twice` });
    }
    seen.add(name);
  }
});
