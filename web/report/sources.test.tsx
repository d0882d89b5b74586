import fc from "fast-check";
import { DomUtils, parseDocument } from "htmlparser2";
import type { JSX } from "react";
import { renderToString } from "react-dom/server";
import { describe, expect, test } from "vitest";
import {
  type Data,
  recordedAnswer,
  recordedFree,
  recordedFull,
  recordedNumbers,
  varied,
} from "../../test/recorded-answers.ts";
import { fromPage, fromServer } from "../api/sources.gen.ts";
import type { CheckIpReport, Freshness } from "../api/types.gen.ts";
import { FreeReport } from "./free-report.tsx";
import { PlainReport } from "./plain-report.tsx";
import { Report } from "./report.tsx";

// Every datum that a page shows has a source and an age: of its own, or of the part of the report around it.

const ELEMENTS: readonly (readonly [name: string, make: (report: Data) => JSX.Element, report: Data])[] = [
  ...recordedFull.map(
    ([word, report]) =>
      [`full ${word}`, (one: Data) => <Report {...Object({ word, report: one })} />, report] as const,
  ),
  ...recordedFree.map(
    ([word, report]) =>
      [`free ${word}`, (one: Data) => <FreeReport {...Object({ word, report: one })} />, report] as const,
  ),
  ...recordedFull.map(
    ([word, report]) =>
      [`plain ${word}`, (one: Data) => <PlainReport report={Object(one)} />, report] as const,
  ),
];

type Element = ReturnType<typeof elementsOf>[number];

const elementsOf = (html: string) => DomUtils.getElementsByTagName(() => true, parseDocument(html));

const classesOf = ({ attribs }: Element): readonly string[] => (attribs["class"] ?? "").split(" ");
const isPart = (element: Element): boolean =>
  ["section", "li", "details"].includes(element.name) || classesOf(element).includes("fact");

function around(element: Element | null, accepts: (element: Element) => boolean): Element | null {
  for (let one = element; one !== null; ) {
    if (accepts(one)) return one;
    const parent: unknown = one.parent;
    one = elementIn(parent);
  }
  return null;
}

const elementIn = (node: unknown): Element | null =>
  node instanceof Object && "attribs" in node ? (node as Element) : null;

/** Texts of a report that belong to no part of it which tells its source; names of parts are no data. */
function unsourced(html: string): readonly string[] {
  const elements = elementsOf(html);
  const sourced = new Set(
    elements
      .filter(
        (element) => classesOf(element).includes("source") && DomUtils.textContent(element).trim() !== "",
      )
      .map((element) => around(element, isPart) ?? around(element, ({ name }) => name === "p")),
  );
  const isName = ({ name }: Element): boolean => /^h[1-3]$/.test(name);
  return elements
    .filter((element) => around(element, isName) === null)
    .flatMap((element) =>
      element.children.some((node) => node.type === "text" && "data" in node && /\w/.test(node.data)) &&
      around(element, (one) => sourced.has(one)) === null
        ? [DomUtils.textContent(element)]
        : [],
    );
}

test.each(ELEMENTS)("every datum of the page of a report has a source and an age: %s", (_, make, report) => {
  expect(unsourced(renderToString(make(report)))).toEqual([]);
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      expect(unsourced(renderToString(make(varied(report, seed))))).toEqual([]);
    }),
    { numRuns: 20 },
  );
});

test("a datum without a source is found", () => {
  const [ip] = recordedFull;
  const html = renderToString(<Report {...Object({ word: "ip", report: ip?.[1] })} />);
  const bare = html.replaceAll(/<button[^>]*class="tip source"[^>]*>(.*?)<\/button>/g, "$1");
  expect(unsourced(bare).length).toBeGreaterThan(5);
});

const ip: CheckIpReport = Object(recordedAnswer("check-ip"));
const ages = { engines: { newest_age_s: 2, oldest_age_s: 50_400, stale_count: 0 } };
const freshness: Freshness = {
  ...{ data_age_s: 50_400, stale: false, cached: false, computed_at: "2026-11-21T12:00:00Z" },
  sources: {
    ...ages,
    place: { age_s: 14_601_600, stale: true },
    network: { age_s: 3 * 3600, stale: false },
    registry: { age_s: 90, stale: false },
    other: { age_s: 60, stale: false },
  },
};
const tipsOf = (element: JSX.Element): ReadonlyMap<string, string> =>
  new Map(
    [...renderToString(element).matchAll(/data-text="([^"]+)">([^<]+)</g)].map(([, text = "", name = ""]) => [
      name,
      text,
    ]),
  );

describe("where facts come from and how old that is", () => {
  test("of an address", () => {
    const report = {
      ...ip,
      freshness,
      information: { ...ip.information, geo_source: "City table", is_hosting: true },
      anonymity: { ...ip.anonymity, is_vpn: true, sources: { is_vpn: ["vpn_list", "own_list"] } },
    };
    const tips = tipsOf(<Report word="ip" report={report} />);
    expect(tips.get("Place")).toBe("City table, place data of June 2026");
    // A registry may have named the holder.
    expect(tips.get("Network")).toBe("network data 3 h old; registry, asked 1 min ago");
    expect(tips.get("Reverse DNS")).toBe("DNS, as of this report");
    expect(tips.get("Abuse contact")).toBe("registry, asked 1 min ago");
    expect(tips.get("VPN")).toBe(
      "said by vpn_list, own_list; lists of names and networks, at most 1 min old",
    );
    expect(tips.get("Engines")).toBe("lists 2 s to 14 h old");
  });

  test("an age that is not known is not told as one", () => {
    const { sources: _, ...whole } = freshness;
    const tips = tipsOf(<Report word="ip" report={{ ...ip, freshness: { ...whole, cached: true } }} />);
    expect(tips.get("Network")).toBe("network data of unknown age");
    expect(tips.get("Registered")).toBe("registry of unknown age");
    expect(tips.get("Usage type")).toBe("lists of names and networks of unknown age");
    expect(tips.get("Reverse DNS")).toMatch(/or remembered for as long as DNS allows$/);
    expect(tips.get("Engines")).toBe("lists of unknown age");
  });

  test("what was not asked has no age either", () => {
    const none = { age_s: null, stale: false };
    const ages = { engines: { newest_age_s: null, oldest_age_s: null, stale_count: 0 } };
    const sources = { ...ages, place: none, network: none, registry: none, other: none };
    const tips = tipsOf(<Report word="ip" report={{ ...ip, freshness: { ...freshness, sources } }} />);
    expect(tips.get("Engines")).toBe("lists, without an answer for this report");
    expect(tips.get("Network")).toBe("network data, without an answer for this report");
    for (const status of [null, "timeout", "error"] as const) {
      const information = { ...ip.information, reverse_dns: null, reverse_dns_status: status };
      const tip = tipsOf(<Report word="ip" report={{ ...ip, information }} />).get("Reverse DNS");
      expect(tip).toBe("DNS, without an answer for this report");
    }
  });
});

describe("what sent nothing", () => {
  test("a page and a server that sent nothing are no source", () => {
    const silent = "without an answer for this report";
    expect([fromPage(null), fromServer(null), fromServer({ valid_from: null })]).toEqual([
      `page, ${silent}`,
      `server of the name, ${silent}`,
      `server of the name, ${silent}`,
    ]);
    expect([fromPage({}), fromServer({ valid_from: "2026-01-01T00:00:00Z" })]).toEqual([
      "page, as of this report",
      "server of the name, as of this report",
    ]);
  });
});

describe("a registration and a kept answer", () => {
  test.each(["full", "free"])("a registration names the server that gave it and when: %s", (kind) => {
    const [network = {}] = recordedNumbers();
    const [, [, free = {}] = []] = recordedFree.filter(([word]) => word === "whois");
    const report = kind === "full" ? network : free;
    const View = kind === "full" ? Report : FreeReport;
    const tips = tipsOf(<View {...Object({ word: "whois", report })} />);
    expect(tips.get("Holder")).toBe("RDAP of rdap.example, asked 3 h ago");
    const old = { ...report, freshness: { ...Object(report).freshness, stale: true } };
    expect(tipsOf(<View {...Object({ word: "whois", report: old })} />).get("Country")).toBe(
      "RDAP of rdap.example, asked 3 h ago, and without an answer now",
    );
  });

  test("an answer that an older version kept has no age of registries of its own", () => {
    const { registry: _, ...older } = freshness.sources ?? {};
    const report: CheckIpReport = Object({ ...ip, freshness: { ...freshness, sources: older } });
    expect(tipsOf(<Report word="ip" report={report} />).get("Registered")).toBe("registry of unknown age");
  });
});
