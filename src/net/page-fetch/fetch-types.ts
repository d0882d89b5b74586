import type { Ip } from "../../targets/ip.ts";
import type { SilentFamilies } from "../dns/host-addresses.ts";
import type { Refresh } from "../http/http-redirect.ts";
import type { ForbiddenReason } from "../ssrf-guard.ts";
import type { TlsReport } from "../tls/tls-shape.ts";

/** How a page fetch ended. Source: design 7.1. */
export const FETCH_STATUSES = [
  "ok",
  "http_error",
  "timeout",
  "dns_error",
  "connect_error",
  "tls_error",
  "too_many_redirects",
  "redirect_loop",
  "too_large",
  "blocked",
  "invalid_response",
] as const;
export type FetchStatus = (typeof FETCH_STATUSES)[number];

/** How finding a host's addresses ended. */
export const RESOLUTIONS = ["ok", "blocked", "no_address", "timeout", "error"] as const;

/** A redirect that was followed. */
export type Hop = {
  /** Whence, without user information. */
  readonly url: string;
  readonly status: number;
  /** Whither, absolute. */
  readonly location: string;
  /** `http`: `Location`; `meta`: `Refresh`, or the page itself. */
  readonly type: "http" | "meta";
  readonly ip: string;
  /** `TLSv1.3`; null without TLS. */
  readonly tls: string | null;
  readonly elapsedMs: number;
};

/** The last response. */
export type PageResponse = {
  readonly status: number;
  /** `HTTP/1.1 200 OK`. */
  readonly statusLine: string;
  readonly httpVersion: "1.0" | "1.1";
  /** Names in lower case, repeated values joined by ", ", each at most 1 KiB, cookies' values masked. */
  readonly headers: ReadonlyMap<string, string>;
  /** As the server says it, "" when it does not. */
  readonly contentType: string;
  /** `Content-Disposition` as the server says it, whole; `""` when it does not. */
  readonly disposition: string;
  /** What the server announced (coded octets); null when nothing. */
  readonly contentLengthBytes: number | null;
  /** Decoded; what was read of it when `truncated`. No one may look at it after `FetchedPage.release`. */
  readonly body: Buffer;
  /** Its length. */
  readonly bodyBytes: number;
  /** The body was too large, or broke off. */
  readonly truncated: boolean;
};

/** A page and the way to it. */
export type FetchedPage = {
  readonly status: FetchStatus;
  readonly startedAt: Date;
  readonly elapsedMs: number;
  readonly userAgent: string;
  /** The host of the first URL. */
  readonly firstHost: {
    readonly resolution: (typeof RESOLUTIONS)[number];
    /** All of them, also those that are forbidden. */
    readonly addresses: readonly Ip[];
    readonly silent: SilentFamilies;
    /** The one that was used; null when none. */
    readonly ip: Ip | null;
  };
  /** Redirects that were followed, at most 10. */
  readonly hops: readonly Hop[];
  /** The URL that was asked last, or may not be asked (`blocked`). */
  readonly finalUrl: string;
  /** Where the last response leads when that redirect is one too many (`too_many_redirects`); else null. */
  readonly unfollowedUrl: string | null;
  /** The address that gave `response`. */
  readonly finalIp: Ip | null;
  /** Null when `finalUrl` gave none. */
  readonly response: PageResponse | null;
  /** Of the connection that gave `response`; null without TLS. */
  readonly tls: TlsReport | null;
  /** Set when and only when `status` is `blocked`. */
  readonly blockedReason: ForbiddenReason | null;
  /** GETs that were sent. */
  readonly requestsCount: number;
  /** Octets that came, TLS and headers included. */
  readonly bytesRead: number;
  /** What the network or the parser said, in states that it explains. */
  readonly error: { readonly code: string; readonly message: string } | null;
  /** Gives back the memory of the body: to be called as soon as it was read. */
  readonly release: () => void;
};

/** A page to be fetched. */
export type PageRequest = {
  /** http: or https:. */
  readonly url: URL;
  /**
   * A page's `<meta http-equiv="refresh">` of 10 seconds or less (see `parseRefresh`), or null.
   * Given the decoded body, the `Content-Type` and the URL that gave them.
   */
  readonly refreshOf: (
    body: Buffer,
    contentType: string,
    url: URL,
  ) => Refresh | null | Promise<Refresh | null>;
  readonly signal?: AbortSignal;
};

/**
 * Fetches a page as a browser would, without running anything: redirects and refreshes followed, certificates judged
 * but not required. Never throws for what the other side does.
 */
export type PageFetch = (request: PageRequest) => Promise<FetchedPage>;
