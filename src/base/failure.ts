/**
 * Whose fault a failure is decides its form: the caller's is a `Refusal`, an upstream's is an
 * `Answer` in state `unavailable`, ours is any other throw. There is no fourth.
 */

/** Every error code on the wire, its HTTP status and its default text. Source: interface 7, design 13.1. */
export const ERROR_CODES = {
  BAD_REQUEST: { status: 400, text: "The request is not valid HTTP" },
  SIGNATURE_INVALID: { status: 400, text: "The signature does not verify" },
  UNAUTHORIZED: { status: 401, text: "Missing, invalid or revoked API key" },
  NOT_SIGNED_IN: { status: 401, text: "Sign in first: there is no session, or it has ended" },
  SIGN_IN_FAILED: { status: 401, text: "This does not open an account" },
  TOTP_REQUIRED: { status: 401, text: "Enter the code that the authenticator shows now" },
  INSUFFICIENT_CREDITS: { status: 402, text: "Not enough credits for this call" },
  FORBIDDEN: { status: 403, text: "This account or API key may not do this" },
  CROSS_SITE: { status: 403, text: "The call does not come from a page of this service" },
  ADDRESS_NOT_PROVED: {
    status: 403,
    text: "The e-mail address of this account is not proved yet: open a link mailed to it",
  },
  SIGN_UP_CLOSED: { status: 403, text: "This installation opens no accounts for strangers" },
  NOT_FOUND: { status: 404, text: "There is nothing at this path" },
  METHOD_NOT_ALLOWED: { status: 405, text: "This path does not take this method" },
  REQUEST_TIMEOUT: { status: 408, text: "The request did not arrive in time" },
  CONFLICT: { status: 409, text: "This does not fit the present state" },
  PAYLOAD_TOO_LARGE: { status: 413, text: "The body is larger than 1 MiB" },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, text: "Send the body as application/json" },
  VALIDATION: { status: 422, text: "The request is not valid" },
  MISDIRECTED_REQUEST: {
    status: 421,
    text: "The pages are open by IP address or as localhost only; for a name, set server.public_url to this address",
  },
  RATE_LIMIT_EXCEEDED: { status: 429, text: "Too many requests" },
  HEADERS_TOO_LARGE: { status: 431, text: "The headers are larger than 16 KiB" },
  INTERNAL_ERROR: { status: 500, text: "The service failed; the call was not charged" },
  SERVICE_UNAVAILABLE: { status: 503, text: "The service cannot answer now; try again" },
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;

/** One fault of a 422 body, interface 2.2. `loc` starts with `"body"`. */
export type Fault = {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
  readonly input?: unknown;
  readonly ctx?: Readonly<Record<string, unknown>>;
};

/** What of a limit a call was too many for. Source: interface 7. */
export type LimitScope = "requests" | "concurrency";

export type RefusalOptions = {
  readonly message?: string;
  readonly field?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly faults?: readonly Fault[];
  readonly retryAfterS?: number;
  /** Of a 429: too many at once; left out: too many in a time. */
  readonly scope?: LimitScope;
  readonly cause?: unknown;
};

/** The caller's fault, or a state in which the caller must wait: becomes the code's HTTP status. */
export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly field: string | null;
  readonly details: Readonly<Record<string, unknown>> | null;
  readonly faults: readonly Fault[];
  readonly retryAfterS: number | null;
  readonly scope: LimitScope;

  constructor(code: ErrorCode, options: RefusalOptions = {}) {
    super(options.message ?? ERROR_CODES[code].text, { cause: options.cause });
    this.name = "Refusal";
    this.code = code;
    this.field = options.field ?? null;
    this.details = options.details ?? null;
    this.faults = options.faults ?? [];
    this.retryAfterS = options.retryAfterS ?? null;
    this.scope = options.scope ?? "requests";
  }
}

/** A value that is not one of its kind, e.g. a text that is no address. `reason` is a snake_case word. */
export class InvalidValue extends Error {
  readonly reason: string;

  constructor(reason: string, message: string) {
    super(message);
    this.name = "InvalidValue";
    this.reason = reason;
  }
}

/** Why an upstream gave no answer; the words of design 3.1. */
export const REASONS = ["timeout", "refused", "error"] as const;
export type Reason = (typeof REASONS)[number];

export type Unavailable = {
  readonly state: "unavailable";
  readonly upstream: string;
  readonly reason: Reason;
  /** A sentence, which people read. */
  readonly detail: string;
  /** The word that the system or our guard has for it, which programs read. */
  readonly code?: string;
  /** The failure of an earlier question, repeated without asking again (RFC 9520). */
  readonly isRepeated?: true;
  /** The name of the host has no address, or could not be looked up: nothing was sent to it. */
  readonly isUnresolved?: true;
};

/** What an upstream said, or that it said nothing. Absence (NXDOMAIN, not listed) is an answer. */
export type Answer<T> = { readonly state: "answered"; readonly value: T } | Unavailable;

/** Shorthand for an answer that came. */
export const answered = <T>(value: T): Answer<T> => ({ state: "answered", value });

/** Shorthand for an answer that did not come. */
export const unavailable = (upstream: string, reason: Reason, detail: string): Unavailable => ({
  state: "unavailable",
  upstream,
  reason,
  detail,
});
