import { z } from "zod";
import { nullable, type Wire } from "../base/wire.ts";
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

/** State of one list inside a compiled index: everything that the answers and `feeds list` tell of it. Times are ISO 8601. */
export const listStateSchema = z.object({
  key: z.string(),
  entries: z.number(),
  dropped: z.number(),
  /** Where the content came from: the seed shipped with the product, or a retrieval. */
  seed: z.boolean(),
  /** Last successful retrieval, null for a seed. */
  retrievedAt: nullable,
  /** The publisher's own date inside the file or of the seed. */
  publishedAt: nullable,
  /** When the content last changed. */
  changedAt: nullable,
  lastAttempt: nullable,
  lastError: nullable,
  /** Why content that is there may not answer, by the definition in force. Absent: there is none, or it may. */
  fault: z.exactOptional(nullable),
  /** What keeps it from being retrieved until something is changed. */
  trouble: z.exactOptional(z.enum(["key_refused", "gone"]).nullable()),
  /** False when there is no content, or none that may answer: the list cannot answer. */
  loaded: z.boolean(),
  contentHash: nullable,
  /** Address families of which the list holds entries. */
  families: z.array(z.enum(["v4", "v6"])),
});
export type ListState = Wire<typeof listStateSchema> & {
  /** When the next retrieval is planned. Only of a running service; a snapshot does not know. */
  readonly nextAttempt?: string | null;
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
  /** Lists that except this name, and all below it, of what they say of a domain around it. */
  readonly findException: (name: string) => readonly Listing[];
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
  readonly addException: (list: number, name: string) => void;
  readonly addUrl: (list: number, url: string, detail?: ListingDetail) => void;
  /** Remembers the entries so far; calling what it returns takes back all that were added since. */
  readonly checkpoint: () => () => void;
  /** Writes the snapshot: temporary name, fsync, rename. Resolves to its size in bytes. */
  readonly write: (path: string, lists: readonly ListState[], fingerprint: string) => Promise<number>;
};
