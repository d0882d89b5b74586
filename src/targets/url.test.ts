import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { InvalidValue } from "../base/failure.ts";
import { parseUrl } from "./url.ts";

const hostOf = (input: string): string => {
  const { host } = parseUrl(input);
  return host.kind === "ip" ? host.ip.text : host.domain.name;
};

const reasonOf = (input: string): string => {
  try {
    parseUrl(input);
  } catch (error) {
    if (error instanceof InvalidValue) return error.reason;
    throw error;
  }
  return "accepted";
};

describe("parseUrl()", () => {
  test.each([
    ["https://example.com", "https://example.com/"],
    ["  HTTPS://WWW.Example.COM/A?b=C#d \n", "https://www.example.com/A?b=C"],
    ["hxxp://evil[.]example[.]com/x", "http://evil.example.com/x"],
    ["hxxps[:]//evil(.)example{.}com", "https://evil.example.com/"],
    ["http://example.com:80/", "http://example.com/"],
    ["https://example.com:8443/", "https://example.com:8443/"],
    ["http://user:secret@example.com/x", "http://example.com/x"],
    ["http://example.com./x", "http://example.com/x"],
    ["http://example.com/%7euser/%2f%3a?q=%7E%2f", "http://example.com/~user/%2F%3A?q=~%2F"],
    ["http://example.com/a/../b/./c", "http://example.com/b/c"],
    ["http:\\\\example.com\\x", "http://example.com/x"],
    ["ht\ntp://exa\tmple.com/", "http://example.com/"],
    ["http://bücher.example/", "http://xn--bcher-kva.example/"],
    ["http://①②⑦.0.0.1/", "http://127.0.0.1/"],
    ["http://0x7f.1/", "http://127.0.0.1/"],
    ["http://2130706433/", "http://127.0.0.1/"],
    ["http://[::ffff:7f00:1]:81/x", "http://127.0.0.1:81/x"],
    ["http://[2001:DB8:0::1]/", "http://[2001:db8::1]/"],
    ["http://localhost/", "http://localhost/"],
    ["http://a.example/x?", "http://a.example/x"],
  ])("reads %j as %s", (input, text) => {
    expect(parseUrl(input).text).toBe(text);
  });

  test.each([
    ["http://[::ffff:7f00:1]/", "127.0.0.1"],
    ["http://[2001:DB8:0::1]/", "2001:db8::1"],
    ["http://0300.0250.1/", "192.168.0.1"],
    ["http://good.example\\@evil.example/", "good.example"],
    ["http://good.example@evil.example/", "evil.example"],
    ["http://evil.example#@good.example/", "evil.example"],
    ["http://intranet/", "intranet"],
    ["http://secure_portal_coinbasehelp.typedream.app/", "secure_portal_coinbasehelp.typedream.app"],
    ["https://_A_.b_c.example.:8443/x_y?z_", "_a_.b_c.example"],
    ["http://my_host/", "my_host"],
  ])("finds the host that a browser goes to in %j", (input, host) => {
    expect(hostOf(input)).toBe(host);
  });

  test.each([
    ["", "empty"],
    [" \t", "empty"],
    ["example.com", "no_scheme"],
    ["example.com:8080/x", "no_scheme"],
    ["//example.com/", "no_scheme"],
    ["/path", "no_scheme"],
    ["ftp://example.com/", "scheme"],
    ["javascript:alert(1)", "scheme"],
    ["data:text/html,x", "scheme"],
    ["file:///etc/passwd", "scheme"],
    ["gopher://example.com/", "scheme"],
    ["ws://example.com/", "scheme"],
    ["http://", "invalid_host"],
    ["https://?x", "invalid_host"],
    ["http://1.2.3.4.5/", "invalid_host"],
    ["http://256.1.1.1/", "invalid_host"],
    ["http://[::1/", "invalid_host"],
    ["http://[fe80::1%25eth0]/", "invalid_host"],
    ["http://exa mple.com/", "invalid_host"],
    ["http://-a-.example/", "invalid_host"],
    ["http://-a_b.example/", "invalid_host"],
    ["http://a..example/", "invalid_host"],
    ["http://0à.א/", "invalid_host"],
    ["http://xn--0-sfa.xn--4db/", "invalid_host"],
    [`http://${"a".repeat(64)}.example/`, "invalid_host"],
    ["http://example.com:99999/", "invalid_host"],
    ["http://xn--a.example/", "invalid_host"],
    [`http://example.com/${"a".repeat(4096)}`, "too_long"],
  ])("refuses %j", (input, reason) => {
    expect(reasonOf(input)).toBe(reason);
  });

  const PORT = "The port of this URL is not a number from 0 to 65535";
  const HOST = "The host of this URL is not a valid name or address";
  test.each([
    ["http://example.com:65536/", PORT],
    ["https://user:1@example.com:80a?x:1", PORT],
    ["http://[2001:db8::1]:123456", PORT],
    ["http:\\\\example.com:-1\\x", PORT],
    ["http://[2001:db8::g]/", HOST],
    ["http://[2001:db8::abcd/", HOST],
    ["http://256.1.1.1:80/", HOST],
    ["http://exa mple.com/a:b", HOST],
    ["http://", "This URL names no host"],
    ["https://:80/", "This URL names no host"],
    ["http://user:x@/", "This URL names no host"],
  ])("says what is wrong with %j", (input, message) => {
    expect(() => parseUrl(input)).toThrow(message);
  });

  test("takes 4,096 characters and no more", () => {
    const url = `http://example.com/${"a".repeat(4096 - 19)}`;
    expect([url.length, reasonOf(url), reasonOf(`${url}a`)]).toEqual([4096, "accepted", "too_long"]);
  });

  test.each([
    ["http://example.com/a/(.)", "http://example.com/a/(.)"],
    ["https://example.com/?q=[.][at]", "https://example.com/?q=[.][at]"],
    ["hxxps[:]//example.com/#(.)", "https://example.com/#(.)"],
    ["hxxp://example[.]com/a[.]php", "http://example.com/a.php"],
    ["http://user[@]example.com/{.}", "http://user@example.com/."],
  ])("undoes in %s what was defanged alone", (text, url) => {
    expect(parseUrl(text).url.href).toBe(new URL(url).href);
  });

  test("keeps the parts that a browser reads", () => {
    fc.assert(
      fc.property(fc.webUrl({ withFragments: true, withQueryParameters: true }), (text) => {
        if (reasonOf(text) !== "accepted") return;
        const { url } = parseUrl(text);
        expect(url.href).toBe(new URL(text).href);
      }),
    );
  });

  test("gives one text to all spellings, and that text stands for itself", () => {
    fc.assert(
      fc.property(fc.webUrl({ withFragments: true, withQueryParameters: true }), (text) => {
        if (reasonOf(text) !== "accepted") return;
        const once = parseUrl(text).text;
        expect(parseUrl(once).text).toBe(once);
        expect(parseUrl(` ${text.replace(/^http/, "hxxp")} `).text).toBe(once);
      }),
    );
  });

  test("never fails otherwise than by a refusal, whatever it is given", () => {
    const scheme = fc.constantFrom("http://", "https://", "", "hxxp[:]//", "http:\\");
    fc.assert(
      fc.property(scheme, fc.string({ unit: "binary", maxLength: 300 }), (start, rest) => {
        expect(reasonOf(start + rest)).toMatch(/^[a-z_]+$/);
      }),
    );
  });
});
