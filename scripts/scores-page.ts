import type { RelationKind } from "../src/enrichment/domain-names/relation.ts";
import { ALL_CHECKS } from "../src/enrichment/url-checks/all.ts";
import { SAME_FACT } from "../src/enrichment/url-checks/signals.ts";
import { VENDOR_RECORD_STRENGTH } from "../src/enrichment/vendor.ts";
import { IP_SIGNALS } from "../src/products/check-ip/signals.ts";
import { DOMAIN_SIGNALS } from "../src/products/domain-reputation/signals.ts";
import { EMAIL_SIGNALS } from "../src/products/email-reputation/signals.ts";
import { CATEGORY_WEIGHTS, CONFIDENCE_FACTORS, LEVEL_FACTORS, MAX_STRENGTH } from "../src/risk/strength.ts";

type Table = (head: readonly string[], rows: readonly string[][]) => string[];

/** What is known beside the lists. */
const SIGNALS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  "An address": IP_SIGNALS,
  "A domain": { ...DOMAIN_SIGNALS, vendor_record: VENDOR_RECORD_STRENGTH },
  "An e-mail address": EMAIL_SIGNALS,
};

const RELATIONS: Readonly<Record<RelationKind, string>> = {
  listed: "the shipped table names it as a domain of the brand's owner",
  registrant:
    'the brand\'s owner is its registrant, at a registrar that registers only for companies whose identity it has checked: elsewhere anybody can register as "PayPal Inc."',
  name_servers:
    "all its name servers are the owner's, none of a DNS provider, by the registry's delegation too: a zone may claim any name server",
  network: "all its addresses are in a network of the owner's machines alone, which a cloud is not",
  label:
    "it is the brand's label under another public suffix. Not under one with a high share of abuse, not below a suffix where anybody may publish (`github.io`), not where the domain is younger than 30 days, and not of `watch.brands`: these stay lookalikes (`tld_swap`)",
};

/** The lines of docs/scores.md: everything that it takes to recompute a score by hand. */
export function scoreLines(table: Table): string[] {
  return [
    "Every score is a number from 0 to 100 that can be recomputed by hand from the answer. `risk_score` (of a URL:",
    "`report.risk_score`) holds it with all its parts: `factors` add up to `base`, `adjustments` lower it, and",
    "`result` = the points of all `factors` + the points of all `adjustments`. The views `standard`, `full` and `compact`",
    "([answers.md](answers.md)) hold everything that it is made of. In `compact` an absent member is null, empty or false.",
    "",
    "## 1. The strength of each list that names the target",
    "",
    "Strength = weight of its category × its confidence × how closely it matched × age. Category, confidence, `matched.level`,",
    "`last_seen`, `data_age_s`, `stale` and `seed` stand with each engine in `blacklists.engines` that names the target.",
    "",
    ...table(
      ["category", "weight", "half-life, days"],
      Object.entries(CATEGORY_WEIGHTS).map(([category, { weight, halfLifeDays }]) => [
        `\`${category}\``,
        String(weight),
        halfLifeDays === null ? "none" : String(halfLifeDays),
      ]),
    ),
    "",
    `- Confidence: ${listed(CONFIDENCE_FACTORS)}.`,
    `- Level: ${listed(LEVEL_FACTORS)}.`,
    "- Age: 0.5 ^ (days since `last_seen` / half-life), up to `computed_at`, fractions of a day kept. Without `last_seen` it is",
    "  1; where the engine is `stale` its `data_age_s` counts instead. A shipped list (`seed`) keeps at least half.",
    "",
    "## 2. Families and signals",
    "",
    "Lists of one publisher, and lists that copy one another, are one `family`, which counts once, with its strongest list. All",
    "aggregates are one family, all policy lists another. What is known beside the lists are signals, families of their own",
    "named `signal_…`; one that merely repeats a list joins the list's family, and the greater of both strengths counts: a list",
    "of proxies sets `is_proxy`, whose signal does not fade with the entry's age. The factor's `reason` names such a signal.",
    "",
    ...table(
      ["of", "signals and their strengths"],
      Object.entries(SIGNALS).map(([of, strengths]) => [of, listed(strengths)]),
    ),
    "",
    "Of the two ages, and of `homoglyph` and `lookalike`, only one counts.",
    "",
    "A name that is a brand's own, or related to it, is no lookalike: `facts.is_brand_related` adds no points, and",
    "`brand_related_by` says what shows it:",
    "",
    ...table(
      ["`brand_related_by`", "when"],
      Object.entries(RELATIONS).map(([kind, when]) => [`\`${kind}\``, when]),
    ),
    "",
    "What is not known shows nothing: without an answer of DNS or the registry only `listed` and `label` are possible.",
    "",
    "Of a URL its security checks are the signals:",
    "",
    ...table(
      ["check", "strength"],
      ALL_CHECKS.filter(({ strength }) => strength !== null).map(({ name, strength }) => [
        `\`${name}\``,
        String(strength),
      ]),
    ),
    "",
    "Of checks in one of these rows, which say one thing, only the strongest is a signal:",
    "",
    ...SAME_FACT.map((row) => `- ${row.map((name) => `\`${name}\``).join(", ")}`),
    "",
    `A family's strength is at most ${MAX_STRENGTH} and rounded to four decimals; it is the \`strength\` of its factor.`,
    "",
    "## 3. The base and the points",
    "",
    "- `raw` = 100 × (1 − (1 − s₁) × (1 − s₂) × …) over the factors' strengths; `base` is `raw` rounded, a half upward.",
    "- A family's share is `raw` × ln(1 − s) / (ln(1 − s₁) + ln(1 − s₂) + …), to nine decimals: of `raw`, not of `base`. Shares are",
    "  cut to whole points; what is left of `base` goes one each to the largest remainders, of equal ones to the family that comes",
    "  first by name.",
    "",
    "## 4. Adjustments",
    "",
    "Each is a cap, in this order, and stands in the answer only where it lowers what came before it. A *strong hit* is one of",
    "confidence high at level `ip`, `domain` or `url`, neither policy nor aggregate nor seed, seen within seven days.",
    "",
    ...table(
      ["key", "cap", "when"],
      [
        [
          "`allowlisted`",
          "9",
          "an allowlist names the target, its network or its registered domain, and fewer than two families have a strong hit. A URL that is listed itself is excused only by an allowlist of that URL",
        ],
        [
          "`shared_infrastructure`",
          "49",
          "a CDN's edge, public DNS, a large mail provider, a verified crawler, a well-known domain, a hosting or shortening service itself; and no strong hit",
        ],
        [
          "`uncorroborated`",
          "49",
          "one family alone accuses, none of its lists with confidence high, and no strong hit",
        ],
        [
          "`weak_only`",
          "19",
          "all that accuse are of low confidence or policy, and no signal has a strength of 0.3 or more",
        ],
      ],
    ),
    "",
    "The last two never go below what the signals alone would give.",
    "",
    "Of a URL that redirects, every URL of the chain and its host are looked up. `matched.hop` of an engine is the index in",
    "`redirection.hops` of the redirect that leads to what it lists; without it the URL itself is listed. An engine that lists",
    "several says the one that alone scores highest; one that did not answer about a hop is in `engines_unavailable` unless it",
    "lists another. An allowlist, or shared infrastructure, clears what is listed at its own place: it caps only where every",
    "listed place is cleared, and not below what the signals alone would give unless the URL itself is cleared. Allowlists of a",
    "hop are its `allowed_by`; those of the URL itself are `blacklists.allowlists`.",
    "",
    "## 5. Band and verdict",
    "",
    ...table(
      ["`band`", "`result`"],
      [
        ["`clean`", "0"],
        ["`low`", "1 to 19"],
        ["`suspicious`", "20 to 49"],
        ["`elevated`", "50 to 74"],
        ["`high`", "75 to 89"],
        ["`critical`", "90 to 100"],
      ],
    ),
    "",
    "`coverage` is the share of engines that answered with fresh data, of all that are on and apply. `verdict` is the band, but",
    "`unknown` where `coverage` is below 0.5 and the band is `clean` or `low`: what was not asked can only add, so a hit stands",
    'and a "clean" does not. Of an address without a public holder (a bogon) it is `not_applicable` while nothing names it.',
    "",
    "## 6. The quality of an e-mail address",
    "",
    "`score` says whether mail would arrive: 0 where the address is not valid, else 100 − `result`, and at most 20 without a way",
    "to deliver. `should_block` is true for what is not valid, for throwaway mailboxes, for domains that take no mail, and from",
    "a `result` of 75 on. It is about mail that would not arrive as well as about risk: both can differ from the verdict.",
  ];
}

const listed = (factors: Readonly<Record<string, number>>): string =>
  Object.entries(factors)
    .map(([name, factor]) => `\`${name}\` ${factor}`)
    .join(", ");
