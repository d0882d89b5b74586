import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { withoutResponse } from "../../../test/url-checks/lab.ts";
import { ALL_CHECKS } from "./all.ts";
import { SECURITY_CHECKS, securityChecksOf } from "./checks.ts";
import type { UrlEvidence } from "./evidence.ts";
import { urlSignals } from "./signals.ts";

const evidence = withoutResponse({ url: "http://www.shop.example/" });
const signalsOf = (...names: readonly string[]) =>
  urlSignals(Object.fromEntries(SECURITY_CHECKS.map((name) => [name, names.includes(name)])), evidence);
const brief = (...names: readonly string[]) =>
  signalsOf(...names).map(({ name, strength }) => `${name} ${strength}`);

describe("urlSignals()", () => {
  test.each([
    [
      "the general form gives way to the one that says more",
      ["is_windows_exe_file", "is_windows_exe_file_on_ipv4"],
      ["windows_exe_file_on_ipv4 0.6"],
    ],
    [
      "a bare address counts once, with the file on it",
      ["is_host_an_ipv4", "is_linux_elf_file", "is_linux_elf_file_on_ipv4"],
      ["linux_elf_file_on_ipv4 0.6"],
    ],
    [
      "free hosting counts once, with the file on it",
      ["is_free_hosting", "is_android_apk_file_on_free_hosting"],
      ["android_apk_file_on_free_hosting 0.5"],
    ],
    [
      "a masked program is one, not also a masked file",
      ["is_masked_file", "is_windows_exe_file", "is_masked_windows_exe_file"],
      ["masked_windows_exe_file 0.6"],
    ],
    [
      "a program that is named as one counts once",
      ["is_windows_exe_file", "is_uncommon_clickable_url", "is_suspicious_file_extension"],
      ["windows_exe_file 0.3"],
    ],
    [
      "the five kinds of listed files count together once",
      ["is_directory_listing", "is_zip_on_directory_listing", "is_pdf_on_directory_listing"],
      ["zip_on_directory_listing 0.15"],
    ],
    [
      "a listed program counts beside them",
      ["is_directory_listing", "is_exe_on_directory_listing", "is_apk_on_directory_listing"],
      ["exe_on_directory_listing 0.4", "apk_on_directory_listing 0.15"],
    ],
    [
      "very recent is instead of recent",
      ["is_domain_recent", "is_domain_very_recent"],
      ["domain_very_recent 0.3"],
    ],
    [
      "a homoglyph is not also a suspicious domain",
      ["is_homoglyph_host", "is_suspicious_domain"],
      ["homoglyph_host 0.35"],
    ],
    [
      "what says different things counts each",
      ["has_userinfo", "is_non_standard_port"],
      ["has_userinfo 0.25", "non_standard_port 0.1"],
    ],
    [
      "what is only shown adds nothing",
      ["is_url_accessible", "is_valid_https", "is_domain_blacklisted", "is_login_form"],
      [],
    ],
  ])("%s", (_, held, expected) => {
    expect(brief(...held)).toEqual(expected);
  });

  test("each check alone is a signal exactly where it has a strength, with a sentence", () => {
    for (const { name, strength } of ALL_CHECKS) {
      const signals = signalsOf(name);
      expect(signals.map((one) => one.strength)).toEqual(strength === null ? [] : [strength]);
    }
    const silent = signalsOf(...SECURITY_CHECKS).filter(({ reason }) => !/^[A-Z]/.test(reason));
    // These name what they found, and nothing was found.
    expect(silent.map(({ name }) => name).sort()).toEqual(["suspicious_content", "suspicious_url_pattern"]);
  });

  test("whatever holds, no check is counted twice and the strongest is among them", () => {
    fc.assert(
      fc.property(fc.subarray([...SECURITY_CHECKS]), (held) => {
        const signals = signalsOf(...held);
        expect(new Set(signals.map(({ name }) => name)).size).toBe(signals.length);
        const strengths = ALL_CHECKS.filter(({ name }) => held.includes(name)).map(
          ({ strength }) => strength ?? 0,
        );
        expect(signals[0]?.strength ?? 0).toBe(Math.max(0, ...strengths));
      }),
    );
  });
});

describe("securityChecksOf()", () => {
  test("names every check in its order, whatever is known", () => {
    expect(Object.keys(securityChecksOf(evidence).checks)).toEqual(SECURITY_CHECKS);
    expect(new Set(SECURITY_CHECKS).size).toBe(SECURITY_CHECKS.length);
  });

  test("without response what depends on it is false and unknown, the rest is answered", () => {
    const { checks, unknown } = securityChecksOf({ ...evidence, isValidHttps: null });
    const dependent = SECURITY_CHECKS.filter((name) =>
      /^is_(http_|external_|redirect_|https_d|valid_https)/.test(name),
    );
    const pages = SECURITY_CHECKS.slice(SECURITY_CHECKS.indexOf("is_robots_noindex"));
    expect(unknown).toEqual([...dependent, ...pages]);
    expect(unknown.every((name) => !checks[name])).toBe(true);
  });

  test("of a body that could not be read only what the headers say is known", () => {
    const headers = new Map([["x-robots-tag", "noindex"]]);
    const response = { status: 200, headers, disposition: "", bodyBytes: 0 };
    const { checks, unknown } = securityChecksOf({ ...evidence, status: "invalid_response", response });
    const pages = SECURITY_CHECKS.slice(
      SECURITY_CHECKS.indexOf("is_suspended_page"),
      SECURITY_CHECKS.indexOf("is_possible_emotet") + 1,
    );
    expect(unknown).toEqual(expect.arrayContaining(pages));
    expect([checks["is_robots_noindex"], checks["is_empty_page_content"]]).toEqual([true, false]);
    expect(unknown).not.toContain("is_robots_noindex");
  });

  test("unknown age and addresses make their checks unknown, of an address none", () => {
    const { unknown } = securityChecksOf(
      withoutResponse({ url: "http://www.shop.example/", ageDays: null, addresses: null }),
    );
    expect(unknown.filter((name) => name.startsWith("is_domain") || name.includes("sinkhole"))).toEqual([
      "is_sinkholed_domain",
      "is_domain_recent",
      "is_domain_very_recent",
      "is_domain_ipv4_assigned",
      "is_domain_ipv4_private",
      "is_domain_ipv4_loopback",
      "is_domain_ipv4_reserved",
      "is_domain_ipv4_valid",
    ]);
    const ofAddress = securityChecksOf(withoutResponse({ url: "http://203.0.113.7/", addresses: null }));
    expect(ofAddress.unknown.filter((name) => name.includes("domain_"))).toEqual([]);
  });

  test("whether a name was taken is unknown where the facts do not know it", () => {
    const { unknown } = securityChecksOf({ ...evidence, unknownFacts: ["is_sinkholed"] });
    expect(unknown).toContain("is_sinkholed_domain");
    expect(securityChecksOf(evidence).unknown).not.toContain("is_sinkholed_domain");
  });

  test("a popular name is not drawn at random, even where the lists no longer say that it is popular", () => {
    const drawn = withoutResponse({ url: "http://x7f3k9q2m1zt.com/" });
    expect(securityChecksOf(drawn).checks.is_suspicious_domain).toBe(true);
    expect(securityChecksOf({ ...drawn, isPopular: true }).checks.is_suspicious_domain).toBe(false);
  });

  test("what no list can say of a site is unknown, but not of an address, nor of a file that is no program", () => {
    const unknownSite = ["is_free_hosting", "is_free_dynamic_dns", "is_url_shortener"] as const;
    const unlisted = (more: Partial<UrlEvidence>) =>
      securityChecksOf({ ...evidence, unknownSite, ...more }).unknown.filter((name) =>
        /hosting|dns$|shortener/.test(name),
      );
    const response = { status: 200, headers: new Map<string, string>(), disposition: "", bodyBytes: 1 };
    expect(unlisted({ response })).toEqual(unknownSite);
    const fileType = { ...evidence.fileType, signature: "ELF" } as const;
    expect(unlisted({ response, fileType })).toEqual([
      ...unknownSite,
      "is_linux_elf_file_on_free_hosting",
      "is_linux_elf_file_on_free_dynamic_dns",
    ]);
    const { host } = withoutResponse({ url: "http://203.0.113.7/" });
    expect(unlisted({ response, fileType, host, finalHost: host })).toEqual([]);
  });

  test("hops that were followed are known though nothing came in the end", () => {
    const hops = [{ url: "https://www.shop.example/", location: "http://www.other.example/" }];
    const { checks, unknown } = securityChecksOf({
      ...evidence,
      hops,
      finalUrl: new URL("http://www.other.example/"),
    });
    expect([checks["is_external_redirect"], checks["is_https_downgrade"]]).toEqual([true, true]);
    expect(unknown).not.toContain("is_external_redirect");
  });
});
