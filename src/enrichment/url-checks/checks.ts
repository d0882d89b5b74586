import { ALL_CHECKS, type CheckName } from "./all.ts";
import type { UrlEvidence } from "./evidence.ts";

/** Names of all checks, in the order in which they are shown. */
export const SECURITY_CHECKS: readonly CheckName[] = ALL_CHECKS.map(({ name }) => name);

/** Every check by name, always all of them, in their order. */
export type SecurityChecks = Readonly<Record<string, boolean>>;

/** Runs every check. `unknown` names those that the evidence cannot answer; they are false. Source: design 7.4. */
export function securityChecksOf(evidence: UrlEvidence): {
  readonly checks: SecurityChecks;
  readonly unknown: readonly CheckName[];
} {
  const answers = ALL_CHECKS.map(({ name, isKnown, holds }) => {
    const known = isKnown(evidence);
    return { name, known, holds: known && holds(evidence) };
  });
  return {
    checks: Object.fromEntries(answers.map(({ name, holds }) => [name, holds])),
    unknown: answers.flatMap(({ name, known }) => (known ? [] : [name])),
  };
}
