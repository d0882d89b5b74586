import { readSwitchesCopy } from "../app/engine-switches.ts";
import { exportBuildOf } from "../app/export-builds.ts";
import { InvalidValue } from "../base/failure.ts";
import type { Config } from "../config/config.ts";
import type { Assessed } from "../exports/assess.ts";
import { openSources } from "../exports/build.ts";
import { readGeneration } from "../exports/generation.ts";
import { rowHolding } from "../exports/holding.ts";
import { type ExportDecision, type ExportEntry, judgeEntry, type LeftOut } from "../exports/judge.ts";
import { asnFinder, type MakeParts } from "../exports/make.ts";
import { decideText, type NotNamed } from "../exports/naming.ts";
import type { ExportOptions } from "../exports/options.ts";
import type { ExportRow } from "../exports/rows.ts";
import { specOf } from "../exports/spec.ts";
import { readStateOf } from "../exports/state.ts";
import { readEmail } from "../feeds/names.ts";
import { definePolicies } from "../risk/policy-options.ts";
import { parseCidr } from "../targets/cidr.ts";
import { parseDomain } from "../targets/domain.ts";
import { parseIp } from "../targets/ip.ts";
import { parseUrl } from "../targets/url.ts";
import { defineCommand, JSON_OPTION } from "./command.ts";
import { findExport, type NamedExport } from "./exports.ts";
import { withLookups } from "./lookups.ts";

/** The lists decide; where an export goes by more than a value (a limit, promotion, whole networks), the one in force. */
type Explained =
  | ExportDecision
  | NotNamed
  | { readonly state: "in"; readonly entry: ExportEntry; readonly part_of: string }
  | { readonly state: "out"; readonly why: { readonly by: "limit"; readonly score: number } }
  | { readonly state: "out"; readonly why: { readonly by: "no_entry" } };

/** `repute exports explain NAME VALUE`: whether the lists as they are now put a value into an export, and why. */
export const command = defineCommand({
  help: {
    examples: ["repute exports explain edge 192.0.2.7", "repute exports explain edge 192.0.2.0/24"],
    page: "exports.md#what-is-in-it",
  },
  arguments: [
    { name: "NAME", summary: "Name of the export" },
    { name: "VALUE", summary: "An address or network, a domain, a URL or a mailbox, as its target is" },
  ],
  options: [JSON_OPTION],
  run: async ({ argument, has }, context) => {
    const { config, options, files } = await findExport(context, argument("NAME"));
    const value = canonical(options.target, argument("VALUE"));
    const decide = () =>
      withLookups(context, async () => decisionOf(config, options, { value, now: context.clock.now() }));
    const known = inForce({ files, options }, value);
    const isNetwork = options.target === "ip" && value.includes("/");
    const explained = isNetwork ? ofNetwork(known) : ofValue(await decide(), known);
    if (has("json")) context.printJson(explained);
    else context.print(sentenceOf(explained));
  },
});

/** The one spelling of a value. Throws InvalidValue for what the export's target is not. */
function canonical(target: ExportOptions["target"], text: string): string {
  switch (target) {
    case "ip":
      return text.includes("/") ? parseCidr(text).text : parseIp(text).text;
    case "domain":
      return parseDomain(text).name;
    case "url":
      return parseUrl(text).text;
    case "email": {
      const email = readEmail(text);
      if (email === null) throw new InvalidValue("email", "This is neither a mailbox nor a domain");
      return email;
    }
    default:
      return target satisfies never;
  }
}

type Question = { readonly value: string; readonly now: Date };

function decisionOf(
  config: Config,
  options: ExportOptions,
  { value, now }: Question,
): ExportDecision | NotNamed {
  const build = exportBuildOf(config, readSwitchesCopy(config.dataDir));
  const sources = openSources(build, now);
  const spec = specOf(options, { ...sources, policies: definePolicies(build.policies) });
  const judge = (text: string) => judgeEntry(assess(options.target, text, sources), spec, now);
  return decideText(spec, sources.texts, { text: value, judge });
}

function assess(
  target: ExportOptions["target"],
  value: string,
  { assessor, routes }: Pick<MakeParts, "assessor" | "routes">,
): Assessed {
  const asnOf = asnFinder(routes);
  switch (target) {
    case "ip": {
      const ip = parseIp(value);
      return assessor.address(ip, asnOf(ip));
    }
    case "domain":
      return assessor.domain(value);
    case "url":
      return assessor.url(value, asnOf);
    case "email":
      return assessor.email(value);
    default:
      return target satisfies never;
  }
}

/** What is in force of a value; null: no generation is. */
function inForce({ files, options }: Pick<NamedExport, "files" | "options">, value: string) {
  const { facts } = readStateOf(files, options);
  if (facts === null) return null;
  const row = rowHolding(readGeneration(files.generation(facts.generation)), value);
  return { row, isCut: facts.cut_by_limit > 0 };
}

/** Each address of a network is scored by itself: only what is in force tells of the whole. */
function ofNetwork(known: InForce): Explained {
  const row = known?.row ?? null;
  return row === null ? { state: "out", why: { by: "no_entry" } } : partOf(row);
}

type InForce = ReturnType<typeof inForce>;

function ofValue(decision: ExportDecision | NotNamed, known: InForce): Explained {
  if (decision.state === "in") {
    const isCut = known?.row === null && known.isCut;
    return isCut ? { state: "out", why: { by: "limit", score: decision.entry.score } } : decision;
  }
  if (decision.state === "challenged") return decision;
  const row = decision.why.by === "not_listed" ? (known?.row ?? null) : null;
  return row === null ? decision : partOf(row);
}

const partOf = (row: ExportRow): Explained => {
  const { value, version: _version, prefix: _prefix, ...entry } = row;
  return { state: "in", entry, part_of: value };
};

function sentenceOf(explained: Explained): string {
  if (explained.state === "out") return `not in: ${reasonOf(explained.why)}`;
  const { score, families, sources } = explained.entry;
  if (explained.state === "challenged") return `not in: the policy challenges it, scores ${score}`;
  const whole = "part_of" in explained ? `, as part of ${explained.part_of}` : "";
  return `in: ${score}, ${(families.length > 0 ? families : sources).join(" + ")}${whole}`;
}

type Why = LeftOut | Extract<Explained, { readonly state: "out" }>["why"];

const FILTERS: Readonly<Record<string, string>> = {
  score: "below the least score",
  policy: "not blocked by the policy",
  categories: "of none of the categories",
  without: "of a category that is left out",
  families_min: "named by too few independent sources",
  max_age_days: "not seen for too long",
  limit: "cut by the limit",
  not_named: "no list names it by itself",
};

function reasonOf(why: Why): string {
  if (why.by === "not_listed") return "no list that counts names it";
  if (why.by === "no_entry") return "no entry holds all of it";
  if (!("reason" in why)) return `${FILTERS[why.by] ?? why.by}, scores ${why.score}`;
  const by = why.by === "shared_infrastructure" ? why.reason : `allowlisted by ${why.reason}`;
  const { anyway } = why;
  const also = anyway === null || anyway === "score" ? "" : `, and ${FILTERS[anyway] ?? anyway}`;
  return `${by}, would be ${why.score}${also}`;
}
