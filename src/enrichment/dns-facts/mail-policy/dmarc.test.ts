import { describe, expect, test } from "vitest";
import { policyInForce } from "./dmarc.ts";

describe("policyInForce()", () => {
  const record = {
    record: "v=DMARC1; p=reject; sp=none",
    policy: "reject",
    subdomain_policy: "none",
    pct: 100,
  } as const;
  test.each([
    ["example.com", "_dmarc.example.com", "reject"],
    ["mail.example.com", "_dmarc.mail.example.com", "reject"],
    ["mail.example.com", "_dmarc.example.com", "none"],
  ])("of %s under %s", (name, from, policy) => {
    expect(policyInForce(name, { ...record, from })).toBe(policy);
  });

  test("is nothing without a record", () => {
    expect(
      policyInForce("example.com", {
        record: null,
        policy: null,
        subdomain_policy: null,
        from: null,
        pct: null,
      }),
    ).toBeNull();
  });

  test.each([
    ["reject", 0, "quarantine"],
    ["quarantine", 0, "none"],
    ["none", 0, "none"],
    ["reject", 1, "reject"],
    ["quarantine", 1, "quarantine"],
    ["quarantine", null, "quarantine"],
  ] as const)("of %s that holds for %s percent of the messages is %s", (policy, pct, expected) => {
    const own = { record: null, policy, subdomain_policy: null, pct, from: "_dmarc.example.com" };
    expect(policyInForce("example.com", own)).toBe(expected);
    const above = { record: null, policy: null, subdomain_policy: policy, pct, from: "_dmarc.example.com" };
    expect(policyInForce("mail.example.com", above)).toBe(expected);
  });

  test.each([
    ["reject", "v=DMARC1; p=reject; t=y", "quarantine"],
    ["quarantine", "v=DMARC1; t = Y ; p=quarantine", "none"],
    ["none", "v=DMARC1; p=none; t=y", "none"],
    ["quarantine", "v=DMARC1; p=quarantine; t=n", "quarantine"],
    ["quarantine", "v=DMARC1; p=quarantine; rua=mailto:t=y@example.com", "quarantine"],
  ] as const)("of %s in %s is %s", (policy, text, expected) => {
    const own = { record: text, policy, subdomain_policy: policy, pct: 100, from: "_dmarc.example.com" };
    expect(policyInForce("example.com", own)).toBe(expected);
    expect(policyInForce("mail.example.com", own)).toBe(expected);
  });
});
