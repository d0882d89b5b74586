import { counted } from "../base/counted.ts";
import { InvalidValue } from "../base/failure.ts";
import { judgeFromLists } from "../products/check-ip/from-lists.ts";
import type { Deps } from "../products/deps.ts";
import { type Action, type Disposition, judge, keptFromMore, type Policy } from "../risk/policy.ts";
import { definePolicies } from "../risk/policy-options.ts";
import type { Ip } from "../targets/ip.ts";
import { ADDRESS_MEMBERS, linesOf, visitorOf } from "./access-log.ts";
import { defineCommand, JSON_OPTION } from "./command.ts";
import { withLookups } from "./lookups.ts";
import { namedPolicy } from "./named-policy.ts";
import { grouped, labelled, table } from "./table.ts";

/** `repute policy test`. */
export const command = defineCommand({
  help: {
    examples: [
      "repute policy test edge --log /var/log/nginx/access.log",
      "repute policy test edge --log /var/log/nginx/access.log.2.gz --json",
    ],
    page: "policies.md#what-a-policy-would-have-done",
  },
  arguments: [{ name: "name", summary: "Name of the policy" }],
  options: [
    {
      flags: "--log <file>",
      summary:
        "Access log in the common or combined format, of HAProxy, in JSON, or one address a line, also packed by gzip; - or without: standard input",
    },
    JSON_OPTION,
  ],
  run: async ({ argument, option, has }, context) => {
    const { file } = await context.config();
    const policy = namedPolicy(definePolicies(file.policies), argument("name"));
    const report = await withLookups(context, ({ deps }) =>
      tryPolicy(policy, linesOf(option("log") ?? "-"), deps),
    );
    // Of nothing that was read, all counts are 0, as where the policy lets every visitor in.
    if (report.lines > 0 && report.unread === report.lines) throw noAddresses(report.lines);
    if (has("json")) context.printJson(report);
    else context.print(reportText(report, context.style));
    return 0;
  },
});

const noAddresses = (lines: number): InvalidValue =>
  new InvalidValue(
    "log",
    `${counted(lines, "line")}, and no address where one is looked for: wanted are lines in the common or combined format, of HAProxy, in JSON (${ADDRESS_MEMBERS.join(", ")}), or one address a line, in UTF-8`,
  );

/** Distinct addresses that are remembered; further ones are judged again each time, and are not among the most frequent. */
const MAX_ADDRESSES = 1_000_000;
const MAX_SHOWN = 10;

type Seen = {
  readonly ip: Ip;
  readonly disposition: Disposition;
  readonly score: number;
  /** What kept the score down, also where the disposition is that of an unknown target. */
  readonly kept: readonly string[];
  requests: number;
};
type Counts = Record<Action, number>;

type Shown = {
  readonly ip: string;
  readonly requests: number;
  readonly score: number;
  readonly because: readonly string[];
};

type PolicyReport = {
  readonly policy: string;
  readonly lines: number;
  /** Lines without an address where one is looked for. */
  readonly unread: number;
  readonly requests: Counts;
  readonly addresses: Counts;
  /** The ten that asked most often. */
  readonly blocked: readonly Shown[];
  /** The same of those that an allowlist or shared infrastructure kept from more. */
  readonly saved: readonly Shown[];
};

async function tryPolicy(policy: Policy, lines: AsyncIterable<string>, deps: Deps): Promise<PolicyReport> {
  const seen = new Map<string, Seen>();
  const requests: Counts = { allow: 0, challenge: 0, block: 0 };
  const addresses: Counts = { allow: 0, challenge: 0, block: 0 };
  let [count, unread] = [0, 0];
  for await (const line of lines) {
    if (line.trim() === "") continue;
    count++;
    const ip = visitorOf(line);
    if (ip === null) {
      unread++;
      continue;
    }
    const known = seen.get(ip.text);
    const one = known ?? lookAt(policy, ip, deps);
    one.requests++;
    requests[one.disposition.action]++;
    if (known !== undefined || seen.size >= MAX_ADDRESSES) continue;
    addresses[one.disposition.action]++;
    seen.set(ip.text, one);
  }
  const all = [...seen.values()];
  return {
    ...{ policy: policy.name, lines: count, unread, requests, addresses },
    blocked: mostFrequent(
      all.filter(({ disposition }) => disposition.action === "block"),
      ({ disposition }) => disposition.because,
    ),
    saved: mostFrequent(all.filter(isSaved), ({ kept }) => kept),
  };
}

function lookAt(policy: Policy, ip: Ip, deps: Deps): Seen {
  const judged = judgeFromLists(ip, deps);
  const kept = keptFromMore(policy, judged.score);
  return { ip, disposition: judge(policy, judged), score: judged.score.result, kept, requests: 0 };
}

const SAVING = new Set(["allowlisted", "shared_infrastructure"]);
const isSaved = ({ disposition: { action }, kept }: Seen): boolean =>
  action === "allow" && kept.some((reason) => SAVING.has(reason));

const mostFrequent = (seen: readonly Seen[], because: (one: Seen) => readonly string[]): readonly Shown[] =>
  seen
    .toSorted((a, b) => b.requests - a.requests || (a.ip.text < b.ip.text ? -1 : 1))
    .slice(0, MAX_SHOWN)
    .map((one) => ({
      ip: one.ip.text,
      requests: one.requests,
      score: one.score,
      because: because(one),
    }));

type Style = Parameters<typeof table>[2];

function reportText(report: PolicyReport, style: Style): string {
  const counts = (["block", "challenge", "allow"] as const).map((action) => [
    action,
    grouped(report.requests[action]),
    grouped(report.addresses[action]),
  ]);
  const columns = [
    { title: "ACTION", width: 12 },
    { title: "REQUESTS", width: 12, isNumber: true },
    { title: "ADDRESSES", width: 12, isNumber: true },
  ];
  const unread = report.unread === 0 ? "" : `, ${grouped(report.unread)} of them without an address`;
  return [
    labelled([
      ["Policy", report.policy],
      ["Lines", `${grouped(report.lines)}${unread}`],
    ]),
    table(columns, counts, style),
    ...shownText("Blocked most often", report.blocked, style),
    ...shownText("On lists, and allowed by an allowlist or as shared infrastructure", report.saved, style),
  ].join("\n\n");
}

const SHOWN_COLUMNS = [
  { title: "ADDRESS", width: 39 },
  { title: "REQUESTS", width: 9, isNumber: true },
  { title: "SCORE", width: 5, isNumber: true },
  { title: "BECAUSE", width: 23 },
];

function shownText(title: string, shown: readonly Shown[], style: Style): readonly string[] {
  if (shown.length === 0) return [];
  const rows = shown.map(({ ip, requests, score, because }) => [
    ip,
    grouped(requests),
    String(score),
    because.join(", "),
  ]);
  return [`${style.bold(title)}\n${table(SHOWN_COLUMNS, rows, style)}`];
}
