import type { UrlEvidence } from "./evidence.ts";
import type { SiteCategory } from "./site-category.ts";

/** One security check of design 7.4: pure, over one evidence. */
export type Check<Name extends string = string> = {
  readonly name: Name;
  /** As signal of the score; null: shown only. */
  readonly strength: number | null;
  /** One sentence for the score; `""` without strength. */
  readonly reason: Reason;
  readonly holds: Holds;
  /** Whether the evidence can answer at all; else the check is false and unknown (design 1.5). */
  readonly isKnown: Holds;
};

type Holds = (evidence: UrlEvidence) => boolean;
type Reason = string | ((evidence: UrlEvidence) => string);

const always: Holds = () => true;

/** A check that adds nothing to the score. */
export const shown = <const Name extends string>(
  name: Name,
  holds: Holds,
  isKnown = always,
): Check<Name> => ({
  name,
  strength: null,
  reason: "",
  holds,
  isKnown,
});

/** A check that is a signal of the score. */
export const signal = <const Name extends string>(
  name: Name,
  strength: number,
  reason: Reason,
  holds: Holds,
  isKnown = always,
): Check<Name> => ({ name, strength, reason, holds, isKnown });

/** Whether a field of the asked host's category is true, or false by a list's word. No list speaks of addresses. */
export const isSiteKnown =
  (field: keyof SiteCategory): Holds =>
  ({ site, host, unknownSite }) =>
    site[field] || host.kind === "ip" || !unknownSite.includes(field);

const onlyIf =
  (condition: Holds) =>
  <Name extends string>(checks: readonly Check<Name>[]): readonly Check<Name>[] =>
    checks.map((check) => ({
      ...check,
      isKnown: (evidence) => condition(evidence) && check.isKnown(evidence),
    }));

/** The checks, which only a response can answer. */
export const ofResponse = onlyIf(({ response }) => response !== null);

/** The checks of forms and frames: where some had to be left out, a page is not said to have none. */
export const ofForms = <Name extends string>(checks: readonly Check<Name>[]): readonly Check<Name>[] =>
  checks.map((check) => ({
    ...check,
    isKnown: (evidence) =>
      check.isKnown(evidence) && (evidence.page?.isCut !== true || check.holds(evidence)),
  }));

/** The checks, which only the body of a response can answer. */
export const ofBody = onlyIf(({ response, isRead }) => response !== null && isRead);
