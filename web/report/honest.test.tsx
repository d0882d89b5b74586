import { readFileSync } from "node:fs";
import { renderToString } from "react-dom/server";
import { describe, expect, test } from "vitest";
import type {
  CheckIpReport,
  DomainReport,
  EmailReport,
  EngineResult,
  EngineUnavailable,
  FreeDomainReport,
  FreeEmailReport,
  FreeIpReport,
  FreeWhoisReport,
  Freshness,
  UrlReport,
  WhoisAsnReport,
} from "../api/types.gen.ts";
import { ReportEnvironmentProvider } from "./environment.tsx";
import { FreeEmail, FreeWhois } from "./free-answers.tsx";
import { FreeDomain, FreeIp } from "./free-reports.tsx";
import { UnknownScope } from "./known.tsx";
import { Report } from "./report.tsx";
import { Contacts } from "./whois-facts.tsx";

// What was not asked, was not reached or does not exist is never shown as if it had been looked at and found well.

const recorded = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../src/http/examples/${name}.json`, import.meta.url), "utf8")).data;

const ip: CheckIpReport = recorded("check-ip");
const domain: DomainReport = recorded("domain-reputation");
const url: UrlReport = recorded("url-reputation");
const freeIp: FreeIpReport = recorded("free-check-ip");
const freeDomain: FreeDomainReport = recorded("free-domain-reputation");

const textOf = (element: React.JSX.Element): string =>
  renderToString(element)
    .replace(/<!-- -->/g, "")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");

const OLD_S = 14_601_600;
const freshness: Freshness = {
  data_age_s: OLD_S,
  stale: true,
  cached: false,
  computed_at: "2026-11-21T12:00:00Z",
  sources: {
    engines: { newest_age_s: 2, oldest_age_s: OLD_S, stale_count: 1 },
    place: { age_s: OLD_S, stale: true },
    network: { age_s: 3 * 3600, stale: false },
    registry: { age_s: 90, stale: false },
    other: { age_s: 60, stale: false },
  },
};

describe("the free tool of an e-mail address", () => {
  const report: FreeEmailReport = {
    email: "jane@example.com",
    input: "jane@example.com",
    domain_unicode: "example.com",
    registered_domain: "example.com",
    target_level: "email",
    is_valid_format: true,
    is_disposable: false,
    is_free_provider: false,
    did_you_mean: null,
    message: "Valid address.",
    freshness,
    unknown_fields: [],
    elapsed_ms: 1,
  };

  test("that is well formed is not called good: no server was asked", () => {
    const html = renderToString(<FreeEmail report={report} />);
    expect(textOf(<FreeEmail report={report} />)).toMatch(/Well formed; whether mail arrives was not asked/);
    expect(html).toMatch(/class="verdict answer-ok"/);
    expect(html).not.toMatch(/Valid address|answer-good/);
  });

  test("that is a throwaway mailbox warns", () => {
    const thrown = { ...report, is_disposable: true, message: "Disposable address." };
    expect(renderToString(<FreeEmail report={thrown} />)).toMatch(/answer-warning.*Disposable address/s);
  });
});

describe("a URL whose page was never read", () => {
  const unread: UrlReport = {
    ...url,
    url: "https://example.com/",
    url_fetch_status: "dns_error",
    unknown_fields: [
      "report.domain_facts.is_parked",
      "report.html_forms",
      "report.resources",
      "report.response",
      "report.security_checks.is_login_form",
      "report.security_checks.is_valid_https",
      "report.tls",
    ],
    report: {
      ...url.report,
      response: null,
      tls: null,
      html_info: null,
      security_checks: {
        ...url.report.security_checks,
        is_non_standard_port: false,
        is_domain_ipv4_loopback: false,
      },
    },
  };
  const text = textOf(<Report word="url" report={unread} />);

  test("has a certificate and unknown parts from elsewhere", () => {
    expect(text).toContain("Certificate unknown: no page was read");
    expect(text).toContain("Loads from elsewhere unknown: no page was read");
    expect(text).not.toMatch(/without encryption/);
  });

  test("says how many checks could not be made, and which", () => {
    const made = Object.keys(url.report.security_checks).length - 2;
    expect(text).toContain(
      `None of the ${made} checks that could be made fired, 2 are good signs; 2 could not be made.`,
    );
    expect(text).toContain(`${made - 2} checks did not fire`);
    expect(text).toMatch(/2 checks could not be made Login form Valid HTTPS/);
  });
});

test("a URL that came without encryption has no certificate", () => {
  expect(textOf(<Report word="url" report={url} />)).toContain("the page came without encryption");
});

const silent: EngineUnavailable = {
  key: "a",
  name: "Silent list",
  status: "timeout",
  since: "2026-11-21T09:00:00Z",
  detail: "No answer",
};
const named: EngineResult = {
  name: "Old list",
  detected: true,
  reference: "",
  elapsed_ms: 0,
  kind: "feed",
  category: "abuse",
  confidence: "medium",
  family: "old",
  matched: { value: "192.0.2.1", level: "ip" },
  codes: [],
  reason: null,
  first_seen: null,
  last_seen: "2026-11-21T09:00:00Z",
  stale: true,
  seed: true,
  data_age_s: OLD_S,
};

describe("engines", () => {
  test("that are switched off did not fail to answer: they are counted, with a link to them", () => {
    const enginesDisabled = { count: 151, see: "/api/engines" };
    const blacklists = { ...ip.blacklists, engines_unavailable: [silent], engines_disabled: enginesDisabled };
    const text = textOf(<Report word="ip" report={{ ...ip, blacklists }} />);
    expect(text).toContain("· 1 did not answer");
    expect(text).toMatch(
      /Did not answer 1 Silent list timeout: No answer for \d+ \w+ Not listed 1 .* 151 engines switched off, not asked: which, and why/,
    );
    const html = renderToString(<Report word="ip" report={{ ...ip, blacklists }} />);
    expect(html).toContain('<a href="/api/engines?enabled=false">');
  });

  test("the oldest is named, and what a reason says is not said again", () => {
    const report: CheckIpReport = {
      ...ip,
      freshness: { ...freshness, computed_at: "2026-11-21T12:00:00Z" },
      blacklists: { ...ip.blacklists, detections: 1, engines: { old: named } },
      risk_score: {
        ...ip.risk_score,
        factors: [
          {
            key: "old",
            points: 31,
            reason: "Listed for abuse by Old list (exact address)",
            strength: 0.4,
            engines: ["old"],
          },
        ],
      },
    };
    const text = textOf(<Report word="ip" report={report} />);
    expect(text).toContain(
      "lists 2 s to 169 days old (oldest: Old list ) stale · place data of June 2026 · network data 3 h old",
    );
    expect(text).toContain("Listed for abuse by Old list (exact address) last seen 3 h ago");
  });
});

test.each([
  [
    "of one age, and of tables that were not asked",
    { newest: 90, oldest: 100, place: null, network: null },
    "lists 1 min old ",
  ],
  [
    "that are fresh, beside old tables",
    { newest: 2, oldest: 50_400, place: OLD_S, network: OLD_S },
    "lists 2 s to 14 h old · place data of June 2026 · network data of June 2026",
  ],
])("lists %s have an age of their own, and no table makes them stale", (_, ages, expected) => {
  const sources = {
    engines: { newest_age_s: ages.newest, oldest_age_s: ages.oldest, stale_count: 0 },
    place: { age_s: ages.place, stale: ages.place !== null },
    network: { age_s: ages.network, stale: ages.network !== null },
    registry: { age_s: null, stale: false },
    other: { age_s: null, stale: false },
  };
  const fresh: Freshness = { ...freshness, data_age_s: ages.oldest, stale: false, sources };
  const html = renderToString(<Report word="ip" report={{ ...ip, freshness: fresh }} />);
  expect(textOf(<Report word="ip" report={{ ...ip, freshness: fresh }} />)).toContain(expected);
  expect(html).not.toContain("tag-stale");
});

test("a hit without a verdict is explained beside the sentence of the free tools", () => {
  const message = "Only 0 of 46 engines answered with fresh data: no verdict.";
  const hit = { detections: 1, risk_score: null, message, freshness };
  const text = textOf(<FreeDomain report={{ ...freeDomain, ...hit }} />);
  expect(text).toContain("no verdict. 1 list named it, but that is not enough for a verdict.");
  expect(text).toContain("lists 2 s to 169 days old");
});

test("an address that is not public is told so once, with the reason", () => {
  const free: FreeIpReport = recorded("free-check-ip");
  const report = { ...free, message: "Not a public address (private).", risk_score: null };
  expect(textOf(<FreeIp report={report} />).match(/Not a public address[^.]*\./g)).toEqual([report.message]);
});

describe("where no list and no registry was asked, no age is told as unknown", () => {
  const ages = { newest_age_s: null, oldest_age_s: null, stale_count: 0 };
  const none = { age_s: null, stale: false };
  const sources = { engines: ages, place: none, network: none, registry: none, other: none };
  const untold: Freshness = { ...freshness, data_age_s: null, stale: false, sources };
  const whois: FreeWhoisReport = {
    ...recorded("free-whois-lookup"),
    freshness: { ...untold, sources: undefined },
  };
  const special = { message: "Not a public address (private).", risk_score: null };

  test.each([
    [
      "an address that is not public",
      <FreeIp key="ip" report={{ ...freeIp, ...special, freshness: untold }} />,
    ],
    ["a name without registration", <FreeWhois key="w" report={{ ...whois, lookup_status: "not_found" }} />],
    ["a registry without an answer", <FreeWhois key="e" report={{ ...whois, lookup_status: "error" }} />],
  ])("%s", (_, report) => {
    expect(textOf(report)).not.toMatch(/age of the (lists|data) unknown/);
  });

  test("a public address whose lists tell none still says so", () => {
    const report = { ...freeIp, freshness: untold };
    expect(textOf(<FreeIp report={report} />)).toContain("age of the lists unknown");
  });
});

test("a registry that gave no answer is not one that names no contact", () => {
  const contacts: WhoisAsnReport["contacts"] = [];
  const silent = (
    <UnknownScope fields={["contacts"]}>
      <Contacts contacts={contacts} />
    </UnknownScope>
  );
  expect(textOf(silent)).toContain("the registry gave no answer");
  expect(textOf(<Contacts contacts={contacts} />)).toContain("The registry publishes no contact.");
});

describe("the DNS records of a domain", () => {
  const none = { a: [], aaaa: [], mx: [], ns: [], txt: [], caa: [], soa: null };
  const said = (errors: DomainReport["dns"]["errors"]): string =>
    textOf(<Report word="domain" report={{ ...domain, dns: { ...domain.dns, ...none, errors } }} />);

  test("are said to be none only where every type was answered", () => {
    expect(said({})).toContain("No records were found.");
    const some = said({ MX: "timeout" });
    expect(some).not.toContain("No records were found.");
    expect(some).toContain("There are no records of the types that answered. Did not answer: MX (timeout)");
    const all = Object.fromEntries(Object.keys(none).map((type) => [type.toUpperCase(), "timeout"] as const));
    expect(said(all)).not.toMatch(/no records/i);
  });
});

const REJECT_BUT_BELOW = { present: true, valid: true, policy: "reject", subdomain_policy: "none" } as const;

describe("the mail security of a domain", () => {
  test("that does not exist is not refused by it", () => {
    const report: DomainReport = { ...domain, dns: { ...domain.dns, status: "nxdomain" } };
    const html = renderToString(<Report word="domain" report={report} />);
    const ticks = textOf(<Report word="domain" report={report} />);
    for (const name of ["SPF", "DMARC", "MTA-STS", "DNSSEC"])
      expect(ticks).toMatch(new RegExp(`${name} none: the name does not exist`));
    expect(html).not.toMatch(/tick-no"/);
  });

  test.each([
    ["_dmarc.shop.example.com", "policy reject"],
    ["_dmarc.example.com", "policy none"],
  ])("whose record stands at %s has the policy that it sets for the name", (from, said) => {
    const dmarc = { ...domain.dns.dmarc, ...REJECT_BUT_BELOW, from };
    const report: DomainReport = { ...domain, domain: "shop.example.com", dns: { ...domain.dns, dmarc } };
    expect(textOf(<Report word="domain" report={report} />)).toContain(`DMARC yes: ${said}`);
  });

  test("whose policy could not be asked for is unknown", () => {
    const report: DomainReport = { ...domain, unknown_fields: ["dns.mta_sts_present"] };
    expect(textOf(<Report word="domain" report={report} />)).toContain("MTA-STS unknown: unknown");
  });
});

test("a network of unknown date names its registry without one", () => {
  const fields = ["asn.created"];
  const report: CheckIpReport = {
    ...ip,
    unknown_fields: fields,
    asn: { ...ip.asn, created: "", rir: "RIPE" },
  };
  expect(textOf(<Report word="ip" report={report} />)).toMatch(/Registry RIPE Registered unknown/);
});

describe("a score that rests on bundled data alone", () => {
  const sentence = "From bundled data of August 2026; it may rise when lists load";
  const bundled = { ...freshness, bundled_data: "2026-08" };

  test.each([
    ["an address", <Report key="ip" word="ip" report={{ ...ip, freshness: bundled }} />],
    ["a domain", <Report key="domain" word="domain" report={{ ...domain, freshness: bundled }} />],
    ["a URL", <Report key="url" word="url" report={{ ...url, freshness: bundled }} />],
    ["a domain in the free tool", <FreeDomain key="free" report={{ ...freeDomain, freshness: bundled }} />],
    ["an address in the free tool", <FreeIp key="free-ip" report={{ ...freeIp, freshness: bundled }} />],
  ])("of %s says so, and which month", (_, element) => {
    expect(textOf(element)).toContain(sentence);
  });

  test("and no other says it", () => {
    expect(textOf(<Report word="ip" report={{ ...ip, freshness }} />)).not.toMatch(/bundled/);
    expect(textOf(<FreeDomain report={{ ...freeDomain, freshness }} />)).not.toMatch(/bundled/);
  });
});

test("a free report names the engines that did not answer, and counts the rest of them", () => {
  const unanswered = [{ name: "Silent list", status: "timeout" as const }];
  const report: FreeIpReport = { ...freeIp, engines_total: 13, unanswered_count: 12, unanswered };
  expect(textOf(<FreeIp report={report} />)).toMatch(
    / 12 did not answer\..* Did not answer 12 \(1 shown\) Silent list timeout/,
  );
});

test("a free report of a domain tells what the registry does not give from what it was not asked", () => {
  const dateless: FreeDomainReport = { ...freeDomain, registered: true, expiration_date: null };
  const silent = { ...dateless, unknown_fields: ["expiration_date"] };
  expect(textOf(<FreeDomain report={{ ...dateless, unknown_fields: [] }} />)).toContain("Expires none");
  expect(textOf(<FreeDomain report={silent} />)).toContain("Expires unknown");
});

test("where no engine was asked, no engine is said to have cleared", () => {
  const blacklists = {
    ...ip.blacklists,
    engines: {},
    engines_count: 0,
    engines_total: 0,
    engines_unavailable: [],
  };
  for (const verdict of ["clean", "unknown"] as const) {
    const report: CheckIpReport = { ...ip, blacklists, risk_score: { ...ip.risk_score, verdict } };
    const text = textOf(<Report word="ip" report={report} />);
    expect(text).toContain("No engine was asked");
    expect(text).not.toMatch(/of 0 engines|Listed by none/);
  }
});

test("a domain that does not exist has no policy, rather than one that refuses nothing", () => {
  const email: EmailReport = {
    ...recorded("email-reputation"),
    is_spoofable: true,
    mx_status: "nxdomain",
    mx_hosts: [],
  };
  const text = textOf(<Report word="email" report={email} />);
  expect(text).toContain("Mail servers None: the domain does not exist.");
  expect(text).toContain("No policy refuses mail that is sent in the name of this domain.");
});

test("a link that costs credits says so, where following it costs", () => {
  const environment = { isLive: true, hrefOf: () => "/x", costOf: () => "Look up for 1 credit" };
  const live = (
    <ReportEnvironmentProvider value={environment}>
      <Report word="ip" report={ip} />
    </ReportEnvironmentProvider>
  );
  expect(renderToString(live)).toContain('title="Look up for 1 credit"');
  expect(renderToString(<Report word="ip" report={ip} />)).not.toContain('title="Look up');
});

test("a free report of an international name shows how it reads", () => {
  const named: FreeDomainReport = {
    ...freeDomain,
    domain: "xn--mnchen-3ya.de",
    domain_unicode: "münchen.de",
  };
  expect(textOf(<FreeDomain report={named} />)).toContain("Reads as münchen.de");
  expect(textOf(<FreeDomain report={freeDomain} />)).not.toContain("Reads as");
});

test("the brand of a VPN stands in the free report, and its verdict is no abuse; without one nothing is said", () => {
  const vpn = { ...freeIp, engines: [], detections: 0, allowlists: [], risk_score: 10, unknown_fields: [] };
  const flags = { ...freeIp.anonymity, is_vpn: true };
  const text = textOf(<FreeIp report={{ ...vpn, anonymity: flags, provider: "NordVPN" }} />);
  expect(text).toContain("Operated by NordVPN");
  expect(text).toContain("Known as VPN, which is not abuse by itself.");
  expect(textOf(<FreeIp report={{ ...vpn, anonymity: flags, provider: null }} />)).not.toContain(
    "Operated by",
  );
  // A crawler that only pretends, an AS that is listed: facts that a free report does not show.
  const more = textOf(<FreeIp report={{ ...vpn, anonymity: flags, provider: null, risk_score: 55 }} />);
  expect(more).toContain("Strong evidence of abuse.");
});
