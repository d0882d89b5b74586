import { expect, test } from "vitest";
import { InvalidValue } from "../base/failure.ts";
import { recogniseTarget } from "./recognise.ts";

test.each([
  ["8.8.8.8", "ip", "8.8.8.8"],
  [" 8.8.8[.]8 ", "ip", "8.8.8.8"],
  ["2001:DB8::1", "ip", "2001:db8::1"],
  ["[2001:db8::1]", "ip", "2001:db8::1"],
  ["192.0.2.0/24", "whois", "192.0.2.0/24"],
  ["2001:db8::/32", "whois", "2001:db8::/32"],
  ["AS64500", "whois", "AS64500"],
  ["asn 64500", "whois", "AS64500"],
  ["example.com", "domain", "example.com"],
  ["Example.COM/", "domain", "example.com"],
  ["bücher.example", "domain", "xn--bcher-kva.example"],
  ["http://example.com/a?b#c", "url", "http://example.com/a?b"],
  ["hxxps://example[.]com/a", "url", "https://example.com/a"],
  ["example.com/login", "url", "http://example.com/login"],
  ["example.com:8080/login", "url", "http://example.com:8080/login"],
  ["_dmarc.example.com", "domain", "_dmarc.example.com"],
  ["my_shop_.example.com/login", "url", "http://my_shop_.example.com/login"],
  ["jane@example.com", "email", "jane@example.com"],
  ["jane[at]example[.]com", "email", "jane@example.com"],
  ["1.2.3[.]4", "ip", "1.2.3.4"],
  ["8.8.8.8:53", "ip", "8.8.8.8"],
  ["[2001:db8::1]:443", "ip", "2001:db8::1"],
  ["example.com:8443", "domain", "example.com"],
  ["10.0.0.1/99", "url", "http://10.0.0.1/99"],
  ["hxxp://1.2.3[.]4/a", "url", "http://1.2.3.4/a"],
])("%s is for %s", (text, word, value) => {
  const found = recogniseTarget(text);
  expect([found.product.cli.word, found.value]).toEqual([word, value]);
});

test.each(["", "nothing", "a b", "<script>", "http://", "a@b@c", "1.2.3.4.5", "\u0000"])(
  "%j is nothing",
  (text) => {
    expect(() => recogniseTarget(text)).toThrow(InvalidValue);
  },
);
