import { describe, expect, test } from "vitest";
import { SECURITY_CHECKS, securityChecksOf } from "../src/enrichment/url-checks/checks.ts";
import { FILE_CASES } from "./url-checks/file-cases.ts";
import { evidenceOf, type Pair } from "./url-checks/lab.ts";
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
