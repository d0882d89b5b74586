import type { Consultation } from "../../engines/kind.ts";
import { isUnanswered } from "../../engines/report.ts";
import type { EnrichedIp } from "../../enrichment/ip/enrich-ip.ts";
import { parseIp } from "../../targets/ip.ts";
import { specialPurposeOf } from "../../targets/special-purpose.ts";
import { addressTarget } from "../address-target.ts";
import type { Deps } from "../deps.ts";
import { enginesFailure } from "../no-answer.ts";
import { defineProduct, type LookupContext } from "../product.ts";
import { verdictShape } from "../shapes.ts";
import { verdictOf } from "../views.ts";
import { toFreeIpReport } from "./free.ts";
import { type IpReport, type IpRequest, reportIp } from "./report.ts";
import { CheckIpInput, CheckIpReport, FreeIpReport } from "./shape.ts";
import { renderIpReport } from "./terminal.ts";

/** Reputation of one IPv4 or IPv6 address: lists, network, place, anonymity, explained score. */
export const checkIp = defineProduct({
  name: "check-ip",
  summary: "Check an IP address",
  description:
    "Asks every blacklist engine about an IPv4 or IPv6 address and adds its network, place and anonymity. " +
    "Engines that did not answer are named in `engines_unavailable` and never counted as clean. " +
    "IP Geolocation by DB-IP (https://db-ip.com).",
  price: 1,
  halfAllowance: false,
  targetKind: "ip",
  input: CheckIpInput,
  output: CheckIpReport,
  verdict: {
    output: verdictShape("CheckIpVerdict", "ip"),
    of: (report) => verdictOf({ ip: report.ip }, report),
  },
  deadlineMs: 5000,
  field: "ip",
  parse: ({ ip }): IpRequest => {
    const parsed = parseIp(ip);
    return { ip: parsed, special: specialPurposeOf(parsed), input: ip };
  },
  textOf: (target) => target.ip.text,
  lookup: gatherIp,
  isCharged: ({ blacklists }) => !isUnanswered(blacklists),
  failureOf: ({ blacklists }) => enginesFailure(blacklists.consultation.absences),
  judged: (report) => ({ score: report.risk_score, consultation: report.blacklists.consultation }),
  bulk: { field: "ips", item: "ip", concurrency: 16, deadlineMs: 60_000 },
  free: {
    path: "/api/free/check-ip",
    summary: "Check an IP address, reduced and without an account",
    output: FreeIpReport,
    reduce: toFreeIpReport,
  },
  cli: { word: "ip", render: renderIpReport },
  page: {
    name: "IP reputation",
    takes: ["ip"],
    form: { label: "IP address", example: "185.220.101.1" },
    tool: {
      tab: "IP",
      title: "IP address check",
      lead: "Which blacklists name an address, whose network it is in, and whether it is a Tor exit, a VPN or a proxy.",
      label: "IPv4 or IPv6 address",
      example: "8.8.8.8",
      full: "every engine with its reason and age, the points behind the score, abuse contact, route and cloud",
    },
    isWholePublic: true,
  },
  example: { ip: "8.8.8.8" },
});

function gatherIp(target: IpRequest, deps: Deps, context: LookupContext): Promise<IpReport> | IpReport {
  const { clock, engines, ipEnrichment } = deps;
  const startedMs = clock.monotonicMs();
  const { ip, special } = target;
  const consultation = engines.consult(addressTarget(ip, deps, special), context);
  const enrichment = ipEnrichment.enrich(ip, special, context);
  const report = (consulted: Consultation, enriched: EnrichedIp): IpReport =>
    reportIp({
      target,
      consultation: consulted,
      facts: enriched.facts,
      vendor: enriched.vendor,
      computedAt: clock.now(),
      elapsedMs: clock.monotonicMs() - startedMs,
    });
  if (!(consultation instanceof Promise || enrichment instanceof Promise))
    return report(consultation, enrichment);
  return Promise.all([consultation, enrichment]).then(([consulted, enriched]) => report(consulted, enriched));
}
