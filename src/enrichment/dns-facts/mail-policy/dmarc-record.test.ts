import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isDmarc, parseDmarcRecord } from "./dmarc-record.ts";

describe("parseDmarcRecord()", () => {
  const usual = { policy: "reject", subdomainPolicy: "reject", pct: 100, rua: [], valid: true };
  test.each<[string, object]>([
    ["v=DMARC1; p=reject", {}],
    ["v=DMARC1;p=Reject;", {}],
    ["v=DMARC1 ; p = reject ; sp = none ; pct = 25", { subdomainPolicy: "none", pct: 25 }],
    [
      "v=DMARC1; p=reject; rua=mailto:a@b.example!10m, mailto:c@d.example",
      { rua: ["mailto:a@b.example", "mailto:c@d.example"] },
    ],
    ["v=DMARC1; p=reject; adkim=s; fo=1", {}],
    ["v=DMARC1", { policy: null, subdomainPolicy: null, valid: false }],
    ["v=DMARC1; p=block", { policy: null, subdomainPolicy: null, valid: false }],
    [
      "v=DMARC1; p=block; rua=mailto:a@b.example",
      { policy: "none", subdomainPolicy: "none", rua: ["mailto:a@b.example"], valid: false },
    ],
    ["v=DMARC1; p=reject; sp=block", { valid: false }],
    ["v=DMARC1; p=reject; pct=101", { valid: false }],
    ["v=DMARC1; p=reject; pct=-1", { valid: false }],
    ["v=DMARC1; p=reject; rua=a@b.example", { rua: ["a@b.example"], valid: false }],
    ["v=DMARC1; p=reject; p=none", { policy: null, subdomainPolicy: null, valid: false }],
    ["v=DMARC1; p=none; p=reject; p=none", { policy: null, subdomainPolicy: null, valid: false }],
    ["v=DMARC1; p=reject; p=reject", { valid: false }],
    ["v=DMARC1; p=reject; sp=none; sp=reject", { valid: false }],
    ["v=DMARC1; p=reject; nonsense", { valid: false }],
    ["v=DMARC1; p=toString", { policy: null, subdomainPolicy: null, valid: false }],
  ])("reads %j", (text, expected) => {
    expect(isDmarc(text)).toBe(true);
    expect(parseDmarcRecord(text)).toEqual({ ...usual, ...expected });
  });

  const local = "a".repeat(64);
  test.each<[uri: string, why: string, valid: boolean]>([
    ["mailto:a@b.example", "an address", true],
    ["MAILTO:a@b.c.example!10m", "a limit of size behind it", true],
    ["https://report.example/x", "reports over HTTPS", true],
    [`mailto:${local}@${"b".repeat(320 - 75)}.ex`, "319 characters", true],
    [`mailto:${local}@${"b".repeat(320 - 70)}.example`, "more than 320 characters", false],
    ["mailto:", "no address", false],
    ["mailto:@b.example", "no local part", false],
    ["mailto:a@b", "one label", false],
    ["mailto:a@.example", "an empty label at the start", false],
    ["mailto:a@b.", "an empty label at the end", false],
    ["mailto:a@b@c.example", "two at signs", false],
    ["mailto:a b@c.example", "a blank", false],
    ["https://", "no host", false],
    ["tel:1", "another scheme", false],
  ])("judges the address for reports %s: %s", (uri, _, valid) => {
    expect(parseDmarcRecord(`v=DMARC1; p=reject; rua=${uri}`).valid).toBe(valid);
  });

  // The first two kept a process busy for seconds when the expression ran over the whole record.
  test.each([".M", ".", "@", "!1", " ", "a@", "a.", ";", "=", "rua=", ",", "v="])(
    "cuts addresses for reports before it judges them: %j repeated over 1 MiB",
    (piece) => {
      const long = piece.repeat(2 ** 20 / piece.length);
      for (const text of [long, `p=none; rua=mailto:a@${long}@`, `p=none; rua=mailto:${long}`, `p=${long}`]) {
        const { rua } = parseDmarcRecord(`v=DMARC1; ${text}`);
        for (const uri of rua) expect(uri.length).toBeLessThanOrEqual(321);
      }
    },
  );

  test.each(["", "v=DMARC2; p=none", "p=none; v=DMARC1", "v=dmarc1; p=none", "v=DMARC10", "xv=DMARC1"])(
    "is not asked about %j",
    (text) => {
      expect(isDmarc(text)).toBe(false);
    },
  );

  test("never throws, and keeps pct within 0 and 100", () => {
    const tag = fc.oneof(
      fc.string(),
      fc.constantFrom("p=none", "pct=7", "pct=999", "rua=mailto:a@b.c", "=", "sp="),
    );
    fc.assert(
      fc.property(fc.array(tag), (tags) => {
        const { pct } = parseDmarcRecord(["v=DMARC1", ...tags].join(";"));
        expect(pct >= 0 && pct <= 100).toBe(true);
      }),
    );
  });
});
