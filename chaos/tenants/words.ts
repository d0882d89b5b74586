/** What hostile accounts do, in the order of the scenario. */
export const HOSTILITIES = [
  "silent zones",
  "heavy pages",
  "dashboard",
  "refused calls",
  "abandoned calls",
] as const;

export type Hostility = (typeof HOSTILITIES)[number];

/** The order to begin; one that says nothing ends it. */
export type HostileOrder = {
  readonly hostility: Hostility;
  /** Of the service. */
  readonly port: number;
  /** Of the stranger's web server. */
  readonly web: number;
  readonly keys: readonly string[];
  /** Refused calls a second, of all callers together. */
  readonly perSecond: number;
};

/** How often each status came; `left` counts calls that were abandoned. */
export type Tally = Readonly<Record<string, number>>;

/** Where the world outside is. */
export type WorldAddress = {
  /** For `dns.servers`. */
  readonly dns: string;
  readonly web: number;
};

/** What the stranger's web server saw so far. */
export type WebLooks = {
  readonly requests: number;
  /** Most connections at once since the last look. */
  readonly mostOpen: number;
};
