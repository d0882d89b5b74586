import type { Ipv6Words } from "../targets/ip.ts";

/** What a publisher says of one entry beyond its being on the list. */
export type ListingDetail = {
  readonly codes?: readonly string[];
  readonly reason?: string;
  /** ISO 8601. */
  readonly firstSeen?: string;
  /** ISO 8601. */
  readonly lastSeen?: string;
  /** The entry's own text where it is not the CIDR or name itself, e.g. a range. */
  readonly value?: string;
};

/** Whether the entry is a range, of which what was found is one part. */
export const isRange = (detail: ListingDetail | null): boolean => detail?.value?.includes("-") === true;

/** One list naming the target: its most specific entry. `list` is the index into `Listings.lists`. */
export type Listing = {
  readonly list: number;
  /** The list's own entry: address, CIDR, `AS64500`, name or URL. */
  readonly value: string;
  /** True when the entry is the target itself and no network around it. */
  readonly exact: boolean;
  readonly detail: ListingDetail | null;
};

/** State of one list inside a compiled index: everything that the answers and `feeds list` tell of it. */
export type ListState = {
  readonly key: string;
  readonly entries: number;
  readonly dropped: number;
  /** Where the content came from: the seed shipped with the product, or a retrieval. */
  readonly seed: boolean;
  /** ISO 8601: last successful retrieval, null for a seed. */
  readonly retrievedAt: string | null;
  /** ISO 8601: the publisher's own date inside the file or of the seed. */
  readonly publishedAt: string | null;
  /** ISO 8601: when the content last changed. */
  readonly changedAt: string | null;
  readonly lastAttempt: string | null;
  readonly lastError: string | null;
  /** Why content that is there may not answer, by the definition in force. Absent: there is none, or it may. */
  readonly fault?: string | null;
  /** ISO 8601: when the next retrieval is planned. Only of a running service; a snapshot does not know. */
  readonly nextAttempt?: string | null;
  /** False when there is no content, or none that may answer: the list cannot answer. */
  readonly loaded: boolean;
  readonly contentHash: string | null;
  /** Address families of which the list holds entries. */
  readonly families: readonly ("v4" | "v6")[];
};

/** The compiled index: one lookup answers for all lists. */
export type Listings = {
  readonly lists: readonly ListState[];
  /** Key of the snapshot's content, to tell whether it must be compiled anew. */
  readonly fingerprint: string;
  readonly findIpv4: (value: number) => readonly Listing[];
  readonly findIpv6: (words: Ipv6Words) => readonly Listing[];
  readonly findAsn: (asn: number) => readonly Listing[];
  /** Exact names only, A-labels in lower case; callers ask for each parent that may speak for the name. */
  readonly findName: (name: string) => readonly Listing[];
  /** Canonical URLs (design 3.3). */
  readonly findUrl: (url: string) => readonly Listing[];
  readonly bytes: number;
};

/** Collects entries and compiles them; lives in the preparing child process, not in the service. */
export type ListingsBuilder = {
  readonly addIpv4: (list: number, value: number, prefix: number, detail?: ListingDetail) => void;
  readonly addIpv6: (list: number, words: Ipv6Words, prefix: number, detail?: ListingDetail) => void;
  readonly addAsn: (list: number, asn: number, detail?: ListingDetail) => void;
  readonly addName: (list: number, name: string, detail?: ListingDetail) => void;
  readonly addUrl: (list: number, url: string, detail?: ListingDetail) => void;
  /** Remembers the entries so far; calling what it returns takes back all that were added since. */
  readonly checkpoint: () => () => void;
  /** Writes the snapshot: temporary name, fsync, rename. Resolves to its size in bytes. */
  readonly write: (path: string, lists: readonly ListState[], fingerprint: string) => Promise<number>;
};
