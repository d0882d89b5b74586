import { daysAgo } from "../../base/counted.ts";
import type { Signal } from "../../risk/score.ts";
import type { MxStatus } from "./facts.ts";

/** What an address's signals are drawn from. */
export type EmailEvidence = {
  readonly isValidFormat: boolean;
  readonly isDisposable: boolean;
  readonly mxStatus: MxStatus | null;
  readonly isSuspiciousUsername: boolean;
  readonly riskyTld: string | null;
  readonly ageDays: number | null;
  readonly hasSpf: boolean | null;
};

/** The list of throwaway domains is an engine too: the signal says the same. */
const DISPOSABLE_ENGINE = "disposable_email_domains";

/** Strengths of an e-mail address's signals. Source: design 9. */
export const EMAIL_SIGNALS = {
  invalid_format: 0.99,
  disposable: 0.6,
  no_mail_host: 0.6,
  null_mx: 0.6,
  suspicious_username: 0.15,
  risky_tld: 0.08,
  age_under_7_days: 0.3,
  age_under_30_days: 0.15,
  no_spf: 0.03,
} as const;

/** The facts that add to an address's score (design 9). */
export function emailSignals(evidence: EmailEvidence): Signal[] {
  const { mxStatus, ageDays, riskyTld } = evidence;
  const isWeekOld = ageDays !== null && ageDays < 7;
  const isMonthOld = ageDays !== null && ageDays < 30 && !isWeekOld;
  const registered = `The domain was registered ${daysAgo(ageDays ?? 0)}`;
  const hasNoHost = mxStatus === "none" || mxStatus === "nxdomain";
  const rows: readonly (readonly [holds: boolean, name: keyof typeof EMAIL_SIGNALS, reason: string])[] = [
    [!evidence.isValidFormat, "invalid_format", "No address that mail can be sent to"],
    [evidence.isDisposable, "disposable", "A throwaway mailbox"],
    [hasNoHost, "no_mail_host", "The domain has no mail host with an address"],
    [mxStatus === "null_mx", "null_mx", "The domain says that it takes no mail"],
    [evidence.isSuspiciousUsername, "suspicious_username", "The user name looks made up"],
    [riskyTld !== null, "risky_tld", `The TLD .${riskyTld} has a high share of abuse`],
    [isWeekOld, "age_under_7_days", registered],
    [isMonthOld, "age_under_30_days", registered],
    [evidence.hasSpf === false, "no_spf", "The domain says nothing of who may send for it (SPF)"],
  ];
  return rows.flatMap(([holds, name, reason]) => {
    if (!holds) return [];
    const strength = EMAIL_SIGNALS[name];
    return [{ name, strength, reason, ...(name === "disposable" ? { repeats: [DISPOSABLE_ENGINE] } : {}) }];
  });
}
