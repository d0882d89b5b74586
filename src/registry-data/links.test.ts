import { describe, expect, test } from "vitest";
import { webLinkOf } from "./links.ts";

describe("webLinkOf()", () => {
  test.each([
    "http://registrar.example",
    "https://registrar.example/",
    "HTTP://Registrar.Example",
    "https://registrar.example:443/a/../b?q=%7e#x",
    "http://bücher.example/straße",
    "www.registrar.example",
    "registrar.example/whois",
  ])("keeps %s as written", (link) => {
    expect(webLinkOf(` ${link} `)).toBe(link);
  });

  test.each([
    "",
    "RegistrarURL",
    "N/A",
    "javascript:alert(1)",
    "ftp://registrar.example",
    "//registrar.example",
    "http://",
    "https://a b.example",
    "https://[::1",
    "jane@registrar.example",
    '"www.registrar.example"',
    "https://registrar.example/<script>",
    `https://registrar.example/${"a".repeat(2000)}`,
  ])("gives nothing for %j", (text) => {
    expect(webLinkOf(text)).toBeNull();
  });
});
