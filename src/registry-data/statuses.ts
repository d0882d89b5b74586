/** EPP's status words for domains and RFC 3915's grace periods, in EPP's spelling. Source: RFC 5731 2.3, RFC 3915 3.1. */
const EPP_STATUSES = [
  "addPeriod",
  "autoRenewPeriod",
  "clientDeleteProhibited",
  "clientHold",
  "clientRenewProhibited",
  "clientTransferProhibited",
  "clientUpdateProhibited",
  "inactive",
  "linked",
  "ok",
  "pendingCreate",
  "pendingDelete",
  "pendingRenew",
  "pendingRestore",
  "pendingTransfer",
  "pendingUpdate",
  "redemptionPeriod",
  "renewPeriod",
  "serverDeleteProhibited",
  "serverHold",
  "serverRenewProhibited",
  "serverTransferProhibited",
  "serverUpdateProhibited",
  "transferPeriod",
];

/** By letters alone, so that `CLIENT TRANSFER PROHIBITED` and `client-transfer-prohibited` are found too. */
const BY_LETTERS: ReadonlyMap<string, string> = new Map([
  ...EPP_STATUSES.map((status) => [status.toLowerCase(), status] as const),
  // RDAP's names of the same (RFC 8056).
  ["active", "ok"],
  ["associated", "linked"],
  // Registries' own words for a domain in order.
  ["actif", "ok"],
  ["activated", "ok"],
  ["activo", "ok"],
  ["ativo", "ok"],
  ["connect", "ok"],
  ["okay", "ok"],
  ["published", "ok"],
  // What registries that run FRED (.cz, .al, .ao, .cr, .mw, .tz) say in sentences.
  ["deletionforbidden", "serverDeleteProhibited"],
  ["registrationrenewalforbidden", "serverRenewProhibited"],
  ["sponsoringregistrarchangeforbidden", "serverTransferProhibited"],
  ["updateforbidden", "serverUpdateProhibited"],
  ["domainisadministrativelykeptoutofzone", "serverHold"],
  ["domainisntgeneratedinthezone", "inactive"],
  ["tobedeleted", "pendingDelete"],
]);

const MAX_STATUSES = 40;
const MAX_WORDS = 5;

/**
 * A domain's statuses as EPP spells them, unique, sorted: links and remarks after a status are dropped, RDAP's spaced
 * names and registries' capitals become camelCase, words of a registry's own (`quarantine`) stay. Prose is left out.
 */
export function eppStatuses(texts: Iterable<string>): string[] {
  const statuses = new Set<string>();
  for (const text of texts) {
    for (const part of bareStatus(text).split(/[,;/|]+/)) {
      const status = eppStatus(part);
      if (status !== null && statuses.size < MAX_STATUSES) statuses.add(status);
    }
  }
  return [...statuses].sort();
}

const bareStatus = (text: string): string =>
  text
    .slice(0, 300)
    .replace(/^\d{3} /, "") // a code before it: `200 Active`
    .replace(/https?:\/\/\S*|\([^)]*\)?|\[[^\]]*\]?/gi, " ")
    .replace(/\s-{1,2}\s.*$/, "");

function eppStatus(text: string): string | null {
  const words = text.match(/[\p{L}\d]+/gu) ?? [];
  if (words.length === 0 || text.length > 64) return null;
  const known = BY_LETTERS.get(
    words
      .join("")
      .toLowerCase()
      .replace(/^the(?=domain)/, ""),
  );
  return known ?? (words.length > MAX_WORDS ? null : camelCase(words));
}

function camelCase(words: readonly string[]): string {
  const [first = "", ...others] = words;
  // One word in mixed case is spelt as its registry means it.
  if (others.length === 0 && /\p{Ll}/u.test(first)) return first.charAt(0).toLowerCase() + first.slice(1);
  return (
    first.toLowerCase() +
    others.map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()).join("")
  );
}
