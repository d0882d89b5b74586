import type { Answer } from "../../base/failure.ts";

/** A GET to be made. */
export type HttpRequest = {
  /** Absolute, http: or https:. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Decoded bytes of the body; more is `unavailable` with reason `error`. */
  readonly maxBytes: number;
  /** Resolution, connection, TLS, redirects and body together. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** True: the host of `url` is the operator's own word and may be anywhere; redirects to other hosts are guarded all the same. */
  readonly isOperatorsWord: boolean;
  /** Default 3. */
  readonly maxRedirects?: number;
  /** Texts that no request to another host may hold: a redirect that would give one away is not followed. */
  readonly secrets?: readonly string[];
};

/** What a server said: any status is an answer. */
export type HttpReply = {
  readonly status: number;
  /** Names in lower case; repeated ones joined by ", ". */
  readonly headers: ReadonlyMap<string, string>;
  /** Decoded (gzip, br, deflate). */
  readonly body: Buffer;
  /** After redirects. */
  readonly url: string;
};

/** As HttpReply, with the body in a file. */
export type HttpDownload = Omit<HttpReply, "body"> & {
  /** Decoded bytes written. */
  readonly bytes: number;
};

/**
 * The client for machine-readable upstreams (RDAP, feeds, enrichment, bootstrap files): certificates always verified
 * (`fetch.ca_file` adds authorities), proxies ignored, bounded in bytes and time. No answer is `unavailable`.
 */
export type Http = {
  readonly get: (request: HttpRequest) => Promise<Answer<HttpReply>>;
  /** Streams a 200's decoded body to a new file at `path` (mode 0600, removed when it does not succeed). */
  readonly download: (request: HttpRequest, path: string) => Promise<Answer<HttpDownload>>;
  readonly close: () => Promise<void>;
};
