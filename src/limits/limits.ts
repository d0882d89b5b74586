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
    };

/** Exact sliding-window log of starts plus in-flight count per (account, endpoint). Interface 8.3, security P19. */
export type LimitStore = {
  /** `release` frees the in-flight slot once; a refused start takes no place. */
  readonly admit: (bucket: string, perSecond: number) => Promise<Admission> | Admission;
  readonly close: () => Promise<void>;
};

/** The free tools' window: starts per minute and client, no in-flight limit. Design 12. */
export type FreeLimitStore = {
  readonly admit: (bucket: string) => Promise<Admission> | Admission;
};
