import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { emailOf, emailsIn, hostOf, sortedEmails } from "./emails.ts";

const anyText = fc.string({
  unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
});

describe("emailsIn()", () => {
  test.each([
    ["Abuse@Example.COM", ["abuse@example.com"]],
    ["write to <a.b+c@mail.example.org>, or b@example.net.", ["a.b+c@mail.example.org", "b@example.net"]],
    ["mailto:x@example.com", ["x@example.com"]],
    ["post@bücher.example", ["post@xn--bcher-kva.example"]],
    ["twice@example.com twice@EXAMPLE.com", ["twice@example.com"]],
    ["\u212aIM@example.com", ["\u212aim@example.com"]],
    ["@example.com", []],
    ["someone@", []],
    ["a@b", []],
    ["a@192.0.2.1", []],
    ["x AT example.com", []],
    ["REDACTED FOR PRIVACY", []],
  ])("finds in %j %j", (text, addresses) => {
    expect(emailsIn(text)).toEqual(addresses);
  });

  test("gives addresses that it finds again, of any text", () => {
    fc.assert(
      fc.property(fc.oneof(anyText, fc.emailAddress()), (text) => {
        for (const address of emailsIn(text)) expect(emailOf(address)).toBe(address);
      }),
    );
  });
});

test("e-mail addresses are lower case, unique and sorted", () => {
  expect(sortedEmails(["b@example.com", "a@example.com, B@example.com"])).toEqual([
    "a@example.com",
    "b@example.com",
  ]);
});

test.each([
  ["NS1.Example.COM.", "ns1.example.com"],
  ["ns.bücher.example", "ns.xn--bcher-kva.example"],
  ["localhost", null],
  ["192.0.2.1", null],
  ["2001:db8::1", null],
  ["a..b.example", null],
  ["-a.example.com", null],
  ["ns1.example.com/x", null],
  ["", null],
])("the host name %j is %j", (text, name) => {
  expect(hostOf(text)).toBe(name);
});
