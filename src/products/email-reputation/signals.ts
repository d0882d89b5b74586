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

/** The facts that add to an address's score (design 9). */
export function emailSignals(evidence: EmailEvidence): Signal[] {
  const { mxStatus, ageDays, riskyTld } = evidence;
  const isWeekOld = ageDays !== null && ageDays < 7;
  const isMonthOld = ageDays !== null && ageDays < 30 && !isWeekOld;
  const hasNoHost = mxStatus === "none" || mxStatus === "nxdomain";
  const rows: readonly (readonly [holds: boolean, name: string, strength: number, reason: string])[] = [
    [!evidence.isValidFormat, "invalid_format", 0.99, "No address that mail can be sent to"],
    [evidence.isDisposable, "disposable", 0.6, "A throwaway mailbox"],
    [hasNoHost, "no_mail_host", 0.6, "The domain has no mail host"],
    [mxStatus === "null_mx", "null_mx", 0.6, "The domain says that it takes no mail"],
    [evidence.isSuspiciousUsername, "suspicious_username", 0.15, "The user name looks made up"],
    [riskyTld !== null, "risky_tld", 0.08, `The TLD .${riskyTld} has a high share of abuse`],
    [isWeekOld, "age_under_7_days", 0.3, `The domain was registered ${ageDays} days ago`],
    [isMonthOld, "age_under_30_days", 0.15, `The domain was registered ${ageDays} days ago`],
    [evidence.hasSpf === false, "no_spf", 0.03, "The domain says nothing of who may send for it (SPF)"],
  ];
  return rows.flatMap(([holds, name, strength, reason]) => {
    if (!holds) return [];
    return [{ name, strength, reason, ...(name === "disposable" ? { repeats: [DISPOSABLE_ENGINE] } : {}) }];
  });
}
