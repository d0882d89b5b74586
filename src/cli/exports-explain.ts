import { readSwitchesCopy } from "../app/engine-switches.ts";
import { exportBuildOf } from "../app/export-builds.ts";
import type { Assessed } from "../exports/assess.ts";
import { openSources } from "../exports/build.ts";
import { type ExportDecision, judgeEntry, type LeftOut } from "../exports/judge.ts";
import { asnFinder, type MakeParts } from "../exports/make.ts";
import { type ExportSpec, specOf } from "../exports/spec.ts";
import { definePolicies } from "../risk/policy-options.ts";
import { parseDomain } from "../targets/domain.ts";
import { parseIp } from "../targets/ip.ts";
import { parseUrl } from "../targets/url.ts";
import { defineCommand, JSON_OPTION } from "./command.ts";
import { findExport } from "./exports.ts";
import { withLookups } from "./lookups.ts";

/** `repute exports explain NAME VALUE`: whether the lists as they are now put a value into an export, and why. */
export const exportsExplain = defineCommand({
  help: { examples: ["repute exports explain edge 192.0.2.7"], page: "exports.md#what-is-in-it" },
  arguments: [
    { name: "NAME", summary: "Name of the export" },
    { name: "VALUE", summary: "An address, a domain, a URL or a mailbox, as the export's target is" },
  ],
  options: [JSON_OPTION],
  run: async ({ argument, has }, context) => {
    const { config, options } = await findExport(context, argument("NAME"));
    const now = context.clock.now();
    const judgement = await withLookups(context, async () => {
      const build = exportBuildOf(config, readSwitchesCopy(config.dataDir));
      const sources = openSources(build, now);
      const spec = specOf(options, { ...sources, policies: definePolicies(build.policies) });
      return judgeEntry(assess(spec, argument("VALUE"), sources), spec, now);
    });
    if (has("json")) context.printJson(judgement);
    else context.print(sentenceOf(judgement));
  },
});

function assess(
  { target }: ExportSpec,
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
      return assessor.domain(parseDomain(value).name);
    case "url":
      return assessor.url(parseUrl(value).text, asnOf);
    case "email":
      return assessor.email(value.trim().toLowerCase());
    default:
      return target satisfies never;
  }
}

function sentenceOf(judgement: ExportDecision): string {
  if (judgement.state === "out") return `not in: ${reasonOf(judgement.why)}`;
  const { score, families, sources } = judgement.entry;
  return `in: ${score}, ${(families.length > 0 ? families : sources).join(" + ")}`;
}

const FILTERS: Readonly<Record<string, string>> = {
  score: "below the least score",
  policy: "not blocked by the policy",
  categories: "of none of the categories",
  without: "of a category that is left out",
  families_min: "named by too few independent sources",
  max_age_days: "not seen for too long",
};

function reasonOf(why: LeftOut): string {
  if (why.by === "not_listed") return "no list that counts names it";
  if (!("reason" in why)) return `${FILTERS[why.by] ?? why.by}, scores ${why.score}`;
  const by = why.by === "shared_infrastructure" ? why.reason : `allowlisted by ${why.reason}`;
  return `${by}, would be ${why.score}`;
}
