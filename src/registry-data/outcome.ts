import type { Answer } from "../base/failure.ts";
import type { LookupError, Provenance } from "./shapes.ts";
import type { DomainRegistration } from "./types.ts";

/** What came of asking the registries about one subject. */
export type RegistryLookup<T> = {
  readonly status: "ok" | "not_found" | "error";
  /** Of `ok`; of `not_found` where the registry says why (`reserved` among the statuses). */
  readonly registration: T | null;
  /** The protocol that gave the dates, or said that there is nothing. */
  readonly source: "rdap" | "whois" | null;
  readonly provenance: Provenance;
  /** Only of `error`. */
  readonly error: LookupError | null;
  /** When the registry answered. */
  readonly fetchedAt: Date | null;
  readonly cached: boolean;
  /** Past its life, and the registry gives no answer now. */
  readonly stale: boolean;
};

export type RegistrationContext = {
  readonly signal: AbortSignal;
  /** Monotonic milliseconds at which the answer must be there. */
  readonly deadlineMs: number;
  /** True: a fact beside others. The registry is asked only when it is at ease, and the question outlives its asker. */
  readonly isAside?: boolean;
};

/** WHOIS of a domain, server discovery and one referral included. */
export type WhoisLookup = (
  name: string,
  context: { readonly signal: AbortSignal; readonly deadlineMs: number },
) => Promise<Answer<WhoisFinding>>;

export type WhoisFinding = {
  /** `registered` false: the registry says that it is not registered. */
  readonly registration: DomainRegistration;
  readonly server: string;
  readonly registrarServer: string | null;
};

/** No server was asked, or none answered. */
const NO_PROVENANCE: Provenance = {
  server: null,
  url: null,
  rdap_status: null,
  fallback_reason: null,
  registrar_server: null,
};

/** An outcome without an answer. */
export const failedLookup = <T>(
  code: string,
  message: string,
  provenance: Partial<Provenance> = {},
): RegistryLookup<T> => ({
  status: "error",
  registration: null,
  source: null,
  provenance: { ...NO_PROVENANCE, ...provenance },
  error: { code, message },
  fetchedAt: null,
  cached: false,
  stale: false,
});

/** An outcome that a registry gave now; a registration that is null is `not_found`. */
export const answeredLookup = <T>(
  registration: T | null,
  from: { source: "rdap" | "whois" | null; fetchedAt: Date | null; provenance: Partial<Provenance> },
): RegistryLookup<T> => ({
  status: registration === null ? "not_found" : "ok",
  registration,
  source: from.source,
  provenance: { ...NO_PROVENANCE, ...from.provenance },
  error: null,
  fetchedAt: from.fetchedAt,
  cached: false,
  stale: false,
});

/** What a registry said, also that there is no such registration. */
export function registryLookup<T extends { readonly registered: boolean | null }>(
  registration: T,
  from: Parameters<typeof answeredLookup>[1],
): RegistryLookup<T> {
  const lookup = answeredLookup<T>(registration, from);
  return registration.registered === false ? { ...lookup, status: "not_found" } : lookup;
}
