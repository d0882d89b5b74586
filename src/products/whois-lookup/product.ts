import { InvalidValue } from "../../base/failure.ts";
import type { Deps } from "../deps.ts";
import { registrationFailure } from "../no-answer.ts";
import { defineProduct, type LookupContext } from "../product.ts";
import type { Gathered } from "./common-report.ts";
import { toFreeWhoisReport } from "./free.ts";
import { reportAsn, reportIp } from "./number-report.ts";
import { reportDomain } from "./report.ts";
import { FreeWhoisReport, WhoisInput, type WhoisReport, WhoisReportShape, WhoisVerdict } from "./shape.ts";
import { parseWhoisQuery, queryMemberOf, type WhoisTarget } from "./target.ts";
import { renderWhoisReport } from "./terminal.ts";

/** Who holds a domain, a network or an AS number, by RDAP and WHOIS. */
export const whoisLookup = defineProduct({
  name: "whois-lookup",
  summary: "Look up a registration",
  description:
    "Holder, registrar and dates of a domain, an IP address, a CIDR range or an AS number: RDAP first, WHOIS where " +
    "a domain's registry has none. The answer has one of three shapes, told by `type`. Not registered is an answer; " +
    "when no registry answers, `lookup_status` is `error` and nothing is charged.",
  price: 1,
  halfAllowance: false,
  targetKind: "registration",
  input: WhoisInput,
  output: WhoisReportShape,
  verdict: {
    output: WhoisVerdict,
    of: ({ type, query, lookup_status, freshness }) => ({ type, query, lookup_status, freshness }),
  },
  deadlineMs: 12_000,
  field: "query",
  parse: (body): WhoisTarget => {
    const asked = queryMemberOf(body);
    if (asked === null) throw new InvalidValue("empty", "A query is wanted, not an empty text");
    return parseWhoisQuery(asked.text);
  },
  textOf: ({ query }) => query,
  lookup: lookUp,
  isCharged: ({ lookup_status: status }) => status !== "error",
  failureOf: ({ error }) => registrationFailure(error),
  bulk: null,
  free: {
    path: "/api/free/whois-lookup",
    summary: "Look up a registration, reduced and without an account",
    output: FreeWhoisReport,
    reduce: toFreeWhoisReport,
  },
  cli: { word: "whois", type: { member: "type", takes: "domain, ip or asn" }, render: renderWhoisReport },
  page: {
    name: "Registration",
    takes: ["ip", "network", "asn", "domain"],
    form: { label: "Domain, IP address, network or AS number", example: "AS15169" },
    tool: {
      tab: "WHOIS",
      title: "WHOIS lookup",
      lead: "Who registered a domain, or holds a network or an AS number, by the registry's own answer.",
      label: "Domain, IP address, network or AS number",
      example: "AS15169",
      full: "holder, contacts, DNSSEC, and the registry's own remarks",
    },
    isWholePublic: true,
  },
  example: { query: "example.com" },
});

async function lookUp(target: WhoisTarget, deps: Deps, context: LookupContext): Promise<WhoisReport> {
  const { clock, registrations, dnssec, domainFacts } = deps;
  const startedMs = clock.monotonicMs();
  const now = (): Gathered => ({
    computedAt: clock.now(),
    elapsedMs: clock.monotonicMs() - startedMs,
    isFreeMailbox: (domain) => domainFacts.flagsOf(domain).has("free_mail"),
  });
  switch (target.kind) {
    case "ip":
      return reportIp(target, await registrations.ip(target.network, context), now());
    case "asn":
      return reportAsn(target, await registrations.asn(target.asn, context), now());
    case "domain": {
      const name = target.registeredDomain ?? target.domain.name;
      const [lookup, check] = await Promise.all([
        registrations.domain(name, context),
        dnssec.statusOf(name, context),
      ]);
      return reportDomain(target, lookup, check, now());
    }
    default:
      return target satisfies never;
  }
}
