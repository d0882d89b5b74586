import type { Absence, Consultation, Engine, Verdict } from "../src/engines/kind.ts";

/** The instant at which the tests of the score compute. */
export const COMPUTED_AT = new Date("2026-11-21T12:00:00Z");

/** ISO 8601, that many days before `COMPUTED_AT`. */
export const daysAgo = (days: number): string =>
  new Date(COMPUTED_AT.getTime() - days * 86_400_000).toISOString();

/** An operator's feed with the defaults of design 4.1. */
export const engine = (key: string, over: Partial<Engine> = {}): Engine => ({
  key,
  name: key.toUpperCase(),
  kind: "feed",
  target: "ip",
  category: "abuse",
  confidence: "medium",
  family: key,
  aggregate: false,
  provider: null,
  reference: null,
  homepage: null,
  builtin: false,
  refreshMinutes: 60,
  disabled: null,
  disabledClass: null,
  licence: null,
  ...over,
});

/** A hit at the exact address, fresh and undated, unless told otherwise. */
export const hit = (of: Engine, over: Partial<Verdict> = {}): Verdict => ({
  engine: of,
  detected: true,
  matched: { value: "192.0.2.7", level: "ip" },
  category: of.category,
  confidence: of.confidence,
  codes: [],
  reason: null,
  firstSeen: null,
  lastSeen: null,
  dataAgeS: 60,
  stale: false,
  seed: false,
  elapsedMs: 0,
  ...over,
});

/** An engine that answered and does not list the target. */
export const miss = (of: Engine, over: Partial<Verdict> = {}): Verdict =>
  hit(of, { detected: false, matched: null, ...over });

/** An engine that gave no answer. */
export const absent = (of: Engine, status: Absence["status"]): Absence => ({
  engine: of,
  status,
  since: "2026-11-21T11:00:00Z",
  detail: "",
});

/** What the engines said, from its parts. */
export const consultationOf = (parts: Partial<Consultation> = {}): Consultation => ({
  verdicts: [],
  absences: [],
  disabled: [],
  allowlists: [],
  scanTimeMs: 1,
  cached: false,
  ...parts,
});
