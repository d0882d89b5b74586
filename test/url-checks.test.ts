import { describe, expect, test } from "vitest";
import { SECURITY_CHECKS, securityChecksOf } from "../src/enrichment/url-checks/checks.ts";
import { FILE_CASES } from "./url-checks/file-cases.ts";
import { type Case, evidenceOf, file, leads, type Pair, page } from "./url-checks/lab.ts";
import { PAGE_CASES } from "./url-checks/page-cases.ts";
import { DOMAIN_CASES, REACHABILITY_CASES, URL_CASES } from "./url-checks/way-cases.ts";

const CASES: Readonly<Record<string, Pair>> = {
  ...URL_CASES,
  ...REACHABILITY_CASES,
  ...DOMAIN_CASES,
  ...PAGE_CASES,
  ...FILE_CASES,
};

test("every security check has a case that sets it and one that comes near, in the order of design 7.4", () => {
  expect(Object.keys(CASES)).toEqual(SECURITY_CHECKS);
});

describe.each(Object.entries(CASES))("%s", (name, { hit, miss }) => {
  test("holds", async () => {
    const evidence = await evidenceOf(typeof hit === "function" ? await hit() : hit);
    const { checks, unknown } = securityChecksOf(evidence);
    expect(checks[name]).toBe(true);
    expect(unknown).not.toContain(name);
  });

  test("does not hold of what comes near", async () => {
    const { checks, unknown } = securityChecksOf(await evidenceOf(miss));
    expect(checks[name]).toBe(false);
    expect(unknown).not.toContain(name);
  });
});

const SHOP = "http://www.shop.example/get?id=5";
const savedAs = (disposition: string): Case =>
  file("WScript.Echo(1)", {
    url: SHOP,
    type: "application/octet-stream",
    headers: { "Content-Disposition": disposition },
  });

describe("what a URL leads to under another name", () => {
  test.each<[string, Case, boolean, boolean]>([
    ["the end of a redirect", leads("http://www.shop.example/go", "http://x.example:PORT/a.hta"), true, true],
    ["a path with escapes", { url: "http://www.shop.example/a.%68ta" }, true, true],
    ["a blank behind it", { url: "http://www.shop.example/a.hta%20" }, true, true],
    ["a name to save it under", savedAs('attachment; filename="invoice.pdf.vbs"'), true, true],
    ["a name in UTF-8", savedAs("attachment; filename=a.pdf; filename*=UTF-8''a%2Evbs"), true, true],
    ["a name behind 2 kB", savedAs(`attachment; x="${"y".repeat(2000)}"; filename=a.vbs`), true, true],
    ["a file that is shown by no browser", savedAs("inline; filename=a.vbs"), true, true],
    ["a script to be saved", savedAs("attachment; filename=invoice.js"), true, false],
    ["a carrier to be saved", savedAs("attachment; filename=a.iso"), true, false],
    [
      "a name in place of the URL's",
      { ...savedAs('attachment; filename="report.pdf"'), url: "http://www.shop.example/example.com" },
      false,
      false,
    ],
    [
      "no name in place of the URL's",
      { ...savedAs("attachment"), url: "http://www.shop.example/example.com" },
      true,
      false,
    ],
    ["a document to be saved", savedAs("attachment; filename=a.pdf"), false, false],
    ["a script of a page", { url: "http://www.shop.example/app.js" }, false, false],
    [
      "a page that is shown",
      page("Page", "words", { headers: { "Content-Disposition": "inline; filename=a.vbs" } }),
      false,
      false,
    ],
  ])("%s", async (_, one, isCarrier, isProgram) => {
    const { checks } = securityChecksOf(await evidenceOf(one));
    expect(checks["is_suspicious_file_extension"]).toBe(isCarrier);
    expect(checks["is_uncommon_clickable_url"]).toBe(isProgram);
  });
});
