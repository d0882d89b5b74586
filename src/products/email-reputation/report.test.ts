import { expect, test } from "vitest";
import { COMPUTED_AT, consultationOf } from "../../../test/verdicts.ts";
import { parseDomain } from "../../targets/domain.ts";
import { type GatheredEmail, reportEmail } from "./report.ts";

const NO_POLICY = { present: false, valid: null, record: null };

/** A mailbox of which its mail host said this. */
function gathered(outcome: NonNullable<GatheredEmail["smtp"]>["outcome"] | null): GatheredEmail {
  const domain = parseDomain("firm.example");
  const spf = { ...NO_POLICY, all: null, lookups: 0, errors: [] };
  const dmarc = { ...NO_POLICY, policy: null, subdomain_policy: null, pct: null, rua: [], from: null };
  return {
    target: {
      read: { state: "valid", mailbox: { local: "bob", domain, isSmtputf8: false } },
      text: "bob@firm.example",
      input: "bob@firm.example",
    },
    normalized: null,
    username: { role: null, isNoReply: false, reasons: [] },
    kind: {
      isDisposable: false,
      isRelay: false,
      isFree: false,
      provider: null,
      isDisposableKnown: true,
      isFreeKnown: true,
    },
    didYouMean: null,
    judged: null,
    mail: { status: "ok", hosts: [], spf: Object(spf), dmarc: Object(dmarc), ages: [] },
    ageDays: 1000,
    smtp: outcome === null ? null : { outcome, isCatchAll: null, code: null },
    consultation: consultationOf({}),
    ages: [],
    computedAt: COMPUTED_AT,
    elapsedMs: 1,
  };
}

test.each([
  [null, 97],
  ["deliverable", 97],
  ["catch_all", 97],
  ["greylisted", 97],
  ["unknown", 97],
  ["undeliverable", 20],
] as const)("the quality of a mailbox of which its host says %s is %i", (outcome, quality) => {
  const report = reportEmail(gathered(outcome));
  expect(report).toMatchObject({ score: quality, should_block: false, risk_score: { result: 3 } });
});
