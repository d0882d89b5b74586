import { readFileSync } from "node:fs";
import fc from "fast-check";
import { renderToString } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { reportBlacklists } from "../../src/engines/report.ts";
import { renderIpReport } from "../../src/products/check-ip/terminal.ts";
import { renderDnsReport } from "../../src/products/dns-lookup/terminal.ts";
import { renderDomainReport } from "../../src/products/domain-reputation/terminal.ts";
import { renderEmailReport } from "../../src/products/email-reputation/terminal.ts";
import type { Style } from "../../src/products/product.ts";
import { renderUrlReport } from "../../src/products/url-reputation/terminal.ts";
import type { View } from "../../src/products/views.ts";
import { renderWhoisReport } from "../../src/products/whois-lookup/terminal.ts";
import {
  ADDRESS_ROLES,
  DNSSEC_WORDS,
  DOMAIN_TRAITS,
  FETCH_WORDS,
  FILE_KINDS,
  NO_CERTIFICATE,
  NO_MAIL_HOSTS,
  NO_REASON,
} from "../../src/products/words.ts";
import { recordedFull, varied } from "../../test/recorded-answers.ts";
import { consultationOf, engine, hit } from "../../test/verdicts.ts";
import { type ProductReport, Report } from "./report.tsx";

// The terminal and the page are two faces of one answer: what one calls "none" the other does not call "unknown".

const plain = (text: string): string => text;
const STYLE = { width: 80, bold: plain, dim: plain, good: plain, warn: plain, bad: plain };
const blacklists = reportBlacklists(consultationOf({}), "x");

const FACES = {
  ip: ["check-ip", renderIpReport],
  domain: ["domain-reputation", renderDomainReport],
  url: ["url-reputation", renderUrlReport],
  email: ["email-reputation", renderEmailReport],
  whois: ["whois-lookup", renderWhoisReport],
} as const;

type Changed = Readonly<Record<string, unknown>>;
type Data = Readonly<Record<string, Changed>>;

/** An example's answer, changed, on the terminal and on its page, without markup and line ends. */
function facesOf(word: keyof typeof FACES, change: (data: Data) => Changed) {
  const [name, render] = FACES[word];
  const file = new URL(`../../src/http/examples/${name}.json`, import.meta.url);
  const data: Data = JSON.parse(readFileSync(file, "utf8")).data;
  const report = { ...data, ...change(data) };
  const { engines_total } = Object({ ...blacklists, ...Object(report).blacklists });
  const asked = { ...blacklists, engines_total };
  const terminal = render(Object({ ...report, blacklists: asked }), STYLE, "standard").replace(/\s+/g, " ");
  const props = Object({ word, report }) as ProductReport;
  const page = renderToString(<Report {...props} />)
    .replace(/<!-- -->/g, "")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");
  return { terminal, page };
}

const of = (data: Data, member: string, more: Changed): Changed => ({
  [member]: { ...data[member], ...more },
});

const tlsFault = (status: string, message: string) => (data: Data) =>
  of(data, "ssl", { status, error: { code: "FAULT", message } });

const fetchFault = (status: string, message: string) => (data: Data) => ({
  url_fetch_status: status,
  ...of(data, "report", {
    fetch: { ...Object(data["report"]?.["fetch"]), error: { code: "FAULT", message } },
  }),
});

const PLACE = { country_code: "", country_name: "", region_name: "", city_name: "", geo_accuracy: "none" };
const placeFields = Object.keys(PLACE).map((name) => `information.${name}`);

test.each([
  ["Place", "information", PLACE, placeFields],
  ["Route", "asn", { route: "", origins: [] }, ["asn.route"]],
  [
    "Reverse DNS",
    "information",
    { reverse_dns: null, reverse_dns_status: "nxdomain" },
    ["information.reverse_dns"],
  ],
] as const)("%s of an address is none or unknown on both", (label, member, more, fields) => {
  for (const [unknown, word] of [
    [[], "none"],
    [fields, "unknown"],
  ] as const) {
    const { terminal, page } = facesOf("ip", (data) => ({
      ...of(data, member, more),
      unknown_fields: unknown,
    }));
    expect(terminal).toContain(`${label} ${word} `);
    expect(page).toContain(`${label} ${word} `);
  }
});

describe("the same word on both", () => {
  test.each(ADDRESS_ROLES)("%s", (flag, word) => {
    const { terminal, page } = facesOf("ip", (data) => of(data, "information", { [flag]: true }));
    expect(terminal).toContain(word);
    expect(page).toContain(word);
  });

  test.each(DOMAIN_TRAITS)("%s", (fact, word) => {
    const { terminal, page } = facesOf("domain", (data) =>
      of(data, "facts", { is_very_recent: false, [fact]: true, parked_by: null }),
    );
    expect(terminal).toContain(word);
    expect(page).toContain(word);
  });

  test.each(Object.entries(NO_CERTIFICATE))("no certificate: %s", (status, word) => {
    const { terminal, page } = facesOf("domain", (data) => of(data, "ssl", { status, error: null }));
    expect(terminal).toContain(`none seen: ${word}`);
    expect(page).toContain(`None seen: ${word}`);
  });

  test.each(Object.entries(NO_MAIL_HOSTS))("no mail host: %s", (mxStatus, word) => {
    const { terminal, page } = facesOf("email", () => ({
      mx_hosts: [],
      mx_status: mxStatus,
      unknown_fields: [],
    }));
    expect(terminal).toContain(`Hosts ${word}`);
    expect(page.replaceAll("&#x27;", "'")).toContain(`${word.charAt(0).toUpperCase()}${word.slice(1)}.`);
  });

  test.each(Object.entries(FETCH_WORDS).filter(([status]) => status !== "ok"))(
    "fetch: %s",
    (status, word) => {
      const { terminal, page } = facesOf("url", () => ({ url_fetch_status: status }));
      expect(terminal).toContain(`Status ${word}`);
      // A page that was fetched was not one that could not be read, and one that was not is told so once.
      expect(page).toContain(
        /^(not )?fetched/.test(word) ? `The page was ${word}` : `The page could not be read: ${word}`,
      );
    },
  );

  test.each(["clean", "unknown", "not_applicable"] as const)("no reason, %s", (verdict) => {
    const words = verdict === "clean" ? NO_REASON.other : NO_REASON[verdict];
    const { terminal, page } = facesOf("ip", (data) =>
      of(data, "risk_score", { verdict, factors: [], adjustments: [], result: 0 }),
    );
    expect(terminal).toContain(words);
    expect(page).toContain(words);
  });
});

test.each([
  { kind: "url", change: fetchFault("connect_error", "No connection"), said: "no connection" },
  {
    kind: "url",
    change: fetchFault("blocked", "Not fetched: leads to a forbidden address."),
    said: "not fetched: leads",
  },
  { kind: "domain", change: tlsFault("error", "The connection failed"), said: "the connection failed" },
  {
    kind: "domain",
    change: tlsFault("blocked", "The target may not be reached"),
    said: "the target may not be reached",
  },
  {
    kind: "domain",
    change: tlsFault("no_address", "The host name has no A or AAAA record"),
    said: "no A or AAAA record",
  },
] as const)("what came of a connection is said once: $kind, $said", ({ kind, change, said }) => {
  const { terminal, page } = facesOf(kind, change);
  for (const face of [terminal, page]) expect(face.toLowerCase().split(said.toLowerCase())).toHaveLength(2);
});

test.each(Object.entries(DNSSEC_WORDS))("DNSSEC: %s", (status, word) => {
  const { terminal, page } = facesOf("domain", (data) =>
    of(data, "dns", { dnssec: { ...Object(data["dns"]?.["dnssec"]), status, ds: [] } }),
  );
  expect(terminal).toContain(`DNSSEC ${word} `);
  expect(page).toContain(word);
  const registry = facesOf("whois", () => ({ dnssec_status: status }));
  expect(registry.terminal).toContain(`DNSSEC ${word} `);
  expect(registry.page).toContain(`DNSSEC ${word} `);
});

test.each(Object.entries(FILE_KINDS))("a file of the kind %o", (signature, word) => {
  const file = { signature, headers: "HTML", extension: "", mismatch: false };
  const { terminal, page } = facesOf("url", (data) => of(data, "report", { file_type: file }));
  expect(terminal).toContain(`Type ${word}, `);
  expect(page).toContain(`The file is ${word}.`);
});

test.each([
  [40, "40 days"],
  [11_429, "31 years"],
])("an age of %d days", (days, word) => {
  const email = facesOf("email", () => ({ domain_age_days: days, unknown_fields: [] }));
  expect(email.terminal).toContain(`Domain age ${word} `);
  expect(email.page).toContain(word);
  const facts = facesOf("url", (data) => {
    const report = Object(data["report"]);
    return { report: { ...report, domain_facts: { ...report.domain_facts, age_days: days } } };
  });
  expect(facts.terminal).toContain(`Domain age ${word} `);
  const domain = facesOf("domain", (data) => of(data, "facts", { age_days: days }));
  expect(domain.terminal).toContain(`, ${word} ago `);
  expect(domain.page).toContain(`Age ${word} `);
});

test.each([
  [1, "1 B"],
  [4_200, "4.2 kB"],
])("a size of %d", (bytes, word) => {
  const { terminal, page } = facesOf("url", (data) => {
    const report = Object(data["report"]);
    return { report: { ...report, response: { ...report.response, body_bytes: bytes } } };
  });
  expect(terminal).toContain(`, ${word} `);
  expect(page).toContain(`Size ${word} `);
});

test("an address that is not public has no score", () => {
  const { terminal, page } = facesOf("ip", (data) =>
    of(data, "risk_score", { verdict: "not_applicable", factors: [], adjustments: [], result: 0 }),
  );
  expect(terminal).toContain("Not applicable");
  for (const face of [terminal, page]) expect(face).not.toContain("of 100");
});

test("a file that is not what it is said to be is told what said so", () => {
  const said = (extension: string, headers: string) =>
    facesOf("url", (data) =>
      of(data, "report", { file_type: { signature: "PE", extension, headers, mismatch: true } }),
    ).page;
  expect(said("PDF", "PE")).toContain("The file is PE, but its name says PDF.");
  expect(said("", "HTML")).toContain("The file is PE, but its server says HTML.");
  expect(said("PDF", "TEXT")).toContain("The file is PE, but its name says PDF and its server says TEXT.");
});

test("a registry that gave no answer says nothing of how long a name is registered", () => {
  const error = { code: "timeout", message: "No answer in time" };
  const { page } = facesOf("whois", () => ({
    ...{ lookup_status: "error", error, creation_date: null, domain_age_days: null },
    unknown_fields: ["domain_age_days", "creation_date"],
  }));
  expect(page).toContain("No answer No answer in time");
});

test("the terminal tells a list's own reason below it, within the width, without its terminal codes", () => {
  const reason = `Mail to traps ${"x".repeat(90)} \u001b[2J end`;
  const listed = reportBlacklists(
    consultationOf({ verdicts: [hit(engine("a"), { reason }), hit(engine("b"))] }),
    "192.0.2.7",
  );
  const file = new URL("../../src/http/examples/check-ip.json", import.meta.url);
  const { data } = JSON.parse(readFileSync(file, "utf8"));
  const text = renderIpReport(Object({ ...data, blacklists: listed }), STYLE, "standard");
  expect(text.split("\n").filter((line) => line.length > 80)).toEqual([]);
  expect(text).toMatch(/\n {2}A .*\n {4}“Mail to traps/);
  expect(text).toMatch(/end”\n {2}B /);
  expect(text).not.toContain("\u001b");
});

test("where no engine was asked, neither face says what an engine answered", () => {
  for (const word of ["ip", "domain", "url", "email"] as const)
    for (const verdict of ["clean", "unknown"]) {
      const none = {
        engines: {},
        engines_total: 0,
        engines_count: 0,
        detections: 0,
        engines_unavailable: [],
      };
      const score = { factors: [], adjustments: [], verdict, result: 0 };
      const { terminal, page } = facesOf(word, (data) => ({
        ...of(data, "blacklists", none),
        ...(word === "url"
          ? of(data, "report", { risk_score: { ...Object(data["report"]).risk_score, ...score } })
          : of(data, "risk_score", score)),
      }));
      for (const face of [terminal, page]) {
        expect(face).toContain(NO_REASON.unasked);
        expect(face).not.toContain("No engine that answered");
      }
    }
});

// The terminal tells of each group of facts where they come from and how old that is, in the words of the page.

const RENDERS: Readonly<Record<string, (report: never, style: Style, view: View) => string>> = {
  ip: renderIpReport,
  domain: renderDomainReport,
  url: renderUrlReport,
  email: renderEmailReport,
  dns: renderDnsReport,
  whois: renderWhoisReport,
};

/** Lines of a report. */
function printed(word: string, report: object): readonly string[] {
  const render = RENDERS[word];
  if (render === undefined) throw new Error(`No product is called ${word}`);
  return render(Object({ ...report, blacklists }) as never, STYLE, "standard").split("\n");
}

const LABEL = /^ {2}([A-Z0-9][\w ]{1,13}?) {2,}\S/;
const IS_FROM = /^ {2}From {2,}/;

type Group = { readonly labels: readonly string[]; readonly from: string | null };

/** Facts of a block of lines, and what its label "From" says of them. */
function groupOf(block: readonly string[]): Group {
  const labels = block.flatMap((line) => LABEL.exec(line)?.[1]?.trim() ?? []);
  const at = block.findIndex((line) => IS_FROM.test(line));
  const more = block.slice(at + 1).filter((line) => /^ {10,}\S/.test(line));
  const said = [block[at]?.replace(IS_FROM, ""), ...more.map((line) => line.trim())].join(" ");
  return { labels: labels.filter((label) => !/^(From|Asked)$/.test(label)), from: at < 0 ? null : said };
}

/** A group for each block, or one where the report ends with the sources of all of it. */
function groupsOf(lines: readonly string[]): readonly Group[] {
  const blocks = lines
    .join("\n")
    .split("\n\n")
    .map((block) => block.split("\n"));
  const before = blocks.slice(0, -1).flat();
  const isWhole = blocks.length > 0 && !before.some((line) => IS_FROM.test(line));
  return (isWhole ? [blocks.flat()] : blocks).map(groupOf).filter(({ labels }) => labels.length > 0);
}

const tipsOf = (word: string, report: object): string =>
  [...renderToString(<Report {...Object({ word, report })} />).matchAll(/data-text="([^"]+)"/g)]
    .map(([, text = ""]) => text)
    .join("\n");

test.each(recordedFull)(
  "every fact in the terminal has a source and an age, as on the page: %s",
  (word, report) => {
    const check = (one: object) => {
      const lines = printed(word, one);
      const tips = tipsOf(word, one);
      for (const { labels, from } of groupsOf(lines)) {
        expect(from, labels.join(", ")).not.toBeNull();
        const parts = (from ?? "").split(" · ");
        if (parts.length > 1) {
          const named = parts.flatMap((part) => part.slice(0, part.indexOf(": ")).split(", "));
          expect(named.toSorted()).toEqual(
            [...new Set(labels.filter((label) => label !== "From"))].toSorted(),
          );
        }
        for (const part of parts)
          for (const source of part.replace(/^[^:]+: /, "").split("; ")) expect(tips).toContain(source);
      }
      expect(lines.filter((line) => line.length > STYLE.width)).toEqual([]);
    };
    check(report);
    fc.assert(
      fc.property(fc.nat(), (seed) => check(varied(report, seed))),
      { numRuns: 20 },
    );
  },
);
