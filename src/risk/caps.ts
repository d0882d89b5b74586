import { familyOf } from "../engines/family.ts";
import type { Verdict } from "../engines/kind.ts";
import type { Family } from "./families.ts";
import { baseOf } from "./formula.ts";
import type { HopClearance, Signal } from "./score.ts";
import type { Adjustment } from "./shapes.ts";
import { isStrongHit } from "./strength.ts";

export type CapContext = {
  readonly families: readonly Family[];
  /** Verdicts that detect. */
  readonly detections: readonly Verdict[];
  readonly signals: readonly Signal[];
  readonly allowlists: readonly Verdict[];
  readonly sharedInfrastructure: string | null;
  readonly hops: readonly HopClearance[];
  readonly computedAt: Date;
};

type Cap = { readonly key: string; readonly cap: number; readonly reason: string };

const ALLOWLISTED_CAP = 9;
const SHARED_INFRASTRUCTURE_CAP = 49;
const UNCORROBORATED_CAP = 49;
const WEAK_ONLY_CAP = 19;
/** From this strength on a signal is no weak ground of its own. Source: design 4.3. */
const FIRM_SIGNAL = 0.3;

/** The caps that lower `base`, in the order of design 4.3; each one's points are what it takes away. */
export function adjustmentsOf(base: number, circumstances: CapContext): readonly Adjustment[] {
  const adjustments: Adjustment[] = [];
  let total = base;
  for (const { key, cap, reason } of capsOf(circumstances)) {
    if (cap >= total) continue;
    adjustments.push({ key, points: cap - total, reason });
    total = cap;
  }
  return adjustments;
}

function capsOf(circumstances: CapContext): readonly Cap[] {
  const strongHits = circumstances.detections.filter((verdict) =>
    isStrongHit(verdict, circumstances.computedAt),
  );
  const caps = [
    allowlistedCap(circumstances, strongHits),
    strongHits.length === 0 ? sharedCap(circumstances) : null,
    strongHits.length === 0 ? uncorroboratedCap(circumstances) : null,
    weakOnlyCap(circumstances),
  ];
  return caps.filter((cap) => cap !== null);
}

/** What clears a target and the URLs that it redirects to, each its own. */
type Clearance = Pick<HopClearance, "allowlists" | "sharedInfrastructure"> & {
  /** Absent: the target itself. */
  readonly hop?: number;
};

/**
 * The reason that clears all that was found, and the least that it leaves of the score; null where something stays. What
 * clears one URL of a chain says nothing of the others, so each must clear its own hits; and only what clears the target
 * itself lowers the signals too, which are drawn from the target and its last page.
 */
function clearing(
  circumstances: CapContext,
  reasonOf: (place: Clearance) => string | null,
): { readonly reason: string; readonly least: number } | null {
  const { detections, families, hops, ...target } = circumstances;
  const places: readonly Clearance[] = [target, ...hops];
  const found = places.filter(({ hop }) => detections.some(({ matched }) => matched?.hop === hop));
  if (found.some((place) => reasonOf(place) === null)) return null;
  const own = reasonOf(target);
  if (own !== null) return { reason: own, least: 0 };
  const [first] = found;
  const reason = first === undefined ? null : reasonOf(first);
  return reason === null ? null : { reason, least: signalBaseOf(families) };
}

function allowlistedCap(circumstances: CapContext, strongHits: readonly Verdict[]): Cap | null {
  // Mostly: nothing that takes longer is asked then.
  if (circumstances.allowlists.length === 0 && circumstances.hops.length === 0) return null;
  if (new Set(strongHits.map(familyOf)).size >= 2) return null;
  const cleared = clearing(circumstances, ({ allowlists, hop }) => {
    // One page of a good site can be bad: there only an allowlist of that very URL speaks.
    const isUrlListed = strongHits.some(({ matched }) => matched?.level === "url" && matched.hop === hop);
    const allowlist = allowlists.find(({ matched }) => !isUrlListed || matched?.level === "url");
    if (allowlist === undefined) return null;
    const value = allowlist.matched === null ? "the target" : `"${allowlist.matched.value}"`;
    return `Allowlist ${allowlist.engine.name} names ${value}`;
  });
  if (cleared === null) return null;
  return { key: "allowlisted", cap: Math.max(ALLOWLISTED_CAP, cleared.least), reason: cleared.reason };
}

function sharedCap(circumstances: CapContext): Cap | null {
  if (circumstances.sharedInfrastructure === null && circumstances.hops.length === 0) return null;
  const cleared = clearing(circumstances, (place) => place.sharedInfrastructure);
  if (cleared === null) return null;
  const cap = Math.max(SHARED_INFRASTRUCTURE_CAP, cleared.least);
  return { key: "shared_infrastructure", cap, reason: cleared.reason };
}

function uncorroboratedCap({ families }: CapContext): Cap | null {
  const sources = families.filter(({ key, verdicts }) => key !== "policy" && verdicts.length > 0);
  const [only] = sources;
  if (only === undefined || sources.length > 1) return null;
  if (only.verdicts.some(({ confidence }) => confidence === "high")) return null;
  return {
    key: "uncorroborated",
    cap: Math.max(UNCORROBORATED_CAP, signalBaseOf(families)),
    reason: "Only one independent source lists it, and none of its lists is of high confidence",
  };
}

function weakOnlyCap({ detections, families, signals }: CapContext): Cap | null {
  const isWeak = ({ category, confidence }: Verdict) => confidence === "low" || category === "policy";
  if (detections.length === 0 || !detections.every(isWeak)) return null;
  if (signals.some(({ strength }) => strength >= FIRM_SIGNAL)) return null;
  return {
    key: "weak_only",
    cap: Math.max(WEAK_ONLY_CAP, signalBaseOf(families)),
    reason: "Only lists of low confidence or of policy name it",
  };
}

/** The base that the signals on their own give: what a weak list adds to must not make it smaller. */
const signalBaseOf = (families: readonly Family[]): number =>
  baseOf(families.filter(({ verdicts }) => verdicts.length === 0));
