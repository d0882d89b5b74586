/** State of both limits of one account and endpoint, for the headers of interface 8.3. */
export type LimitState = {
  readonly limit: number;
  /** Starts left in the current window. */
  readonly remaining: number;
  /** Seconds until a start frees up, three decimals; 0 while starts remain. */
  readonly resetAfterS: number;
  readonly concurrencyLimit: number;
  readonly concurrencyRemaining: number;
};

export type Admission =
  | { readonly state: "admitted"; readonly limits: LimitState; readonly release: () => void }
  | {
      readonly state: "refused";
      readonly scope: "requests" | "concurrency";
      readonly retryAfterS: number;
      readonly limits: LimitState;
      /** Too many calls were abandoned; `resetAfterS` is the time until they are few enough. */
      readonly isForHangUps?: true;
    };

/** Exact sliding-window log of starts plus in-flight count per (account, endpoint). Interface 8.3, security P19. */
export type LimitStore = {
  /**
   * `release` frees the in-flight slot once; a refused start takes no place. With an `owner`, whose name begins the bucket's
   * before a space, the start is refused while the owner has abandoned too many calls.
   */
  readonly admit: (bucket: string, perSecond: number, owner?: string) => Promise<Admission> | Admission;
  /**
   * Begins what may be under way once at a time: what is returned ends it, called once or more. Null: it is under way, or was in a
   * process that died in the last seconds.
   */
  readonly begin: (name: string) => Promise<(() => void) | null> | (() => void) | null;
  /** Notes that the owner left a call before its answer. Design 13.2. */
  readonly noteHangUp: (owner: string) => void;
  readonly close: () => Promise<void>;
};

/** The free tools' window: starts per minute and client, no in-flight limit. Design 12. */
export type FreeLimitStore = {
  readonly admit: (bucket: string) => Promise<Admission> | Admission;
};
