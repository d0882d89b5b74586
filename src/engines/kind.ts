import { REASONS } from "../base/failure.ts";
import type { ListedKind } from "../targets/listed-kinds.ts";
import type { Licence } from "./catalogue-columns.ts";
import type { DisabledClass } from "./disabled.ts";

/** What a source lists; weights stand in `risk/`. Source: design 3.2. */
export const CATEGORIES = [
  "hijacked",
  "c2",
  "malware",
  "phishing",
  "attack",
  "abuse",
  "spam",
  "scanner",
  "proxy",
  "tor",
  "vpn",
  "suspicious",
  "aggregate",
  "policy",
] as const;
export type Category = (typeof CATEGORIES)[number];

export const CONFIDENCES = ["high", "medium", "low"] as const;
export type Confidence = (typeof CONFIDENCES)[number];

export const MATCH_LEVELS = [
  "ip",
  "network",
  "embedded_ipv4",
  "domain",
  "registered_domain",
  "url",
  "url_host",
  "email",
] as const;
export type MatchLevel = (typeof MATCH_LEVELS)[number];

/** An allowed page of a host, or an allowed address inside another one, does not clear the target (design 4.3). */
export const ABOUT_ANOTHER: ReadonlySet<MatchLevel> = new Set(["url_host", "embedded_ipv4"]);

/** An engine as the catalogue or the operator defines it. */
export type Engine = {
  readonly key: string;
  readonly name: string;
  readonly kind: "feed" | "dnsbl" | "allow";
  readonly target: ListedKind;
  readonly category: Category;
  readonly confidence: Confidence;
  /** Independent source behind it (design 4.1). */
  readonly family: string;
  readonly aggregate: boolean;
  /** Brand of the VPN, relay or proxy whose addresses the list holds; null: it is of many, or of none. */
  readonly provider: string | null;
  /** Template with `{value}`, or null. */
  readonly reference: string | null;
  readonly homepage: string | null;
  readonly builtin: boolean;
  readonly refreshMinutes: number;
  /** Set when the engine is known here but off: the reason. */
  readonly disabled: string | null;
  /** Class of that reason, where the catalogue gives it; null while the engine is on. */
  readonly disabledClass: DisabledClass | null;
  /** Null for the operator's own. */
  readonly licence: Licence | null;
};

/** One engine that answered about one target. */
export type Verdict = {
  readonly engine: Engine;
  readonly detected: boolean;
  /** Null when not detected. */
  readonly matched: {
    readonly value: string;
    readonly level: MatchLevel;
    /** Only where a redirect leads to what is listed: its index in the chain, from 0. Absent: the target itself. */
    readonly hop?: number;
  } | null;
  /** Category and confidence of the hit; the engine's own when nothing was hit. */
  readonly category: Category;
  readonly confidence: Confidence;
  readonly codes: readonly string[];
  readonly reason: string | null;
  /** ISO 8601 as the publisher dates the entry. */
  readonly firstSeen: string | null;
  readonly lastSeen: string | null;
  readonly dataAgeS: number;
  readonly stale: boolean;
  readonly seed: boolean;
  readonly elapsedMs: number;
};

/** Why an engine that was asked gave no answer. */
export const UNAVAILABLE_STATUSES = [...REASONS, "stale", "self_test_failed"] as const;
export type UnavailableStatus = (typeof UNAVAILABLE_STATUSES)[number];

/** One engine that is enabled, applies to the target and gave no answer. */
export type Absence = {
  readonly engine: Engine;
  readonly status: UnavailableStatus;
  /** ISO 8601: when this state began. */
  readonly since: string;
  readonly detail: string;
};

/** Everything the engines said of one target. Design 3.1. */
export type Consultation = {
  /** Sorted by key; engines that answered and apply. */
  readonly verdicts: readonly Verdict[];
  /** Where lists alone were asked: what `verdicts` would be if none named the target; the same object for all answers of a second. */
  readonly misses?: readonly Verdict[];
  /** Sorted by key. */
  readonly absences: readonly Absence[];
  /** Sorted by key; engines that apply and are off: not asked. */
  readonly disabled: readonly Engine[];
  /** Allowlists that name the target. */
  readonly allowlists: readonly Verdict[];
  readonly scanTimeMs: number;
  /** Whether any live part came from a cache. */
  readonly cached: boolean;
};

type OfEngine = { readonly engine: Pick<Engine, "key"> };

/** Orders what different engines say. */
export const byEngine = (a: OfEngine, b: OfEngine): number => (a.engine.key < b.engine.key ? -1 : 1);
