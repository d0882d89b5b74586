// Where the parts of the service count. Each takes its own piece, or null where nothing is counted: then nothing is
// counted at all. No name of a target, an account, a key or a client goes in. Source: design 15, 16.

/** Outcomes of consultations, per engine. */
export type EngineMetrics = {
  readonly consulted: (consultation: Consulted) => void;
};

/** What is counted of a consultation. */
export type Consulted = {
  readonly verdicts: readonly {
    readonly engine: { readonly key: string; readonly kind: string };
    readonly detected: boolean;
    readonly elapsedMs: number;
  }[];
  readonly absences: readonly { readonly engine: { readonly key: string }; readonly status: string }[];
};

/** Attempts at lists, and the indexes that are compiled of them. */
export type ListMetrics = {
  /** One attempt at the list is over. */
  readonly tried: (list: string, outcome: "ok" | "failed") => void;
  /** A compilation is over. */
  readonly compiled: (elapsedMs: number, outcome: "ok" | "failed") => void;
};

/** Told of every look into a cache of answers: true, the answer was kept; false, it has to be asked for. */
export type CountLook = (isKept: boolean) => void;

/** Caches of what others answered. */
export type CacheMetrics = {
  /** What the cache of this name tells. */
  readonly cache: (name: string) => CountLook;
};

/** Requests of callers. */
export type CallMetrics = {
  readonly began: () => void;
  readonly ended: (call: EndedCall) => void;
};

/** A request that was answered, or whose caller hung up (499). */
export type EndedCall = {
  readonly kind: "metered" | "free" | "other";
  /** Name of the endpoint, path of the free tool; one word for all others. */
  readonly endpoint: string;
  readonly status: number;
  readonly elapsedMs: number;
  readonly creditsCharged: number;
};

/** Ends of sign-ins: "locked" and "off" were not judged, "code_missing" was right so far, "error" is no caller's fault. */
export const SIGN_IN_OUTCOMES = ["ok", "failed", "code_missing", "locked", "off", "error"] as const;

/** Sign-ins to the dashboard. */
export type SignInMetrics = {
  readonly signedIn: (by: "password" | "key", outcome: (typeof SIGN_IN_OUTCOMES)[number]) => void;
};

/** Everything that is counted. */
export type Metrics = EngineMetrics & ListMetrics & CacheMetrics & CallMetrics & SignInMetrics;
