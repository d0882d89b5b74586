/** What the bench says to its load generator. */
export type LoadOrder = {
  readonly port: number;
  readonly path: string;
  readonly connections: number;
  /** Keys and bodies are sent in turn. */
  readonly keys: readonly string[];
  readonly bodies: readonly string[];
  /** The bodies stand at the end of the path instead, and the method is GET. */
  readonly query?: boolean;
  /** Of every call, beside those that it needs. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Ends after this many calls, or after this time, whichever is given. */
  readonly until: { readonly calls: number } | { readonly ms: number };
  /** Calls to begin a second; without it every connection calls as fast as it is answered. */
  readonly perSecond?: number;
  /** Calls that are due wait for a connection, and their wait counts; without it a rate that is too high is an error. */
  readonly isPatient?: boolean;
};

/** What came of an order. */
export type LoadResult = {
  readonly calls: number;
  /** Calls by status. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly seconds: number;
  readonly latenciesMs: Float64Array;
};
