const FIELDS = [
  "domain",
  "registrar",
  // In an object of the registrar's; goes before `registrar`, which may be its handle.
  "registrarName",
  "registrarIanaId",
  "registrarUrl",
  "abuseEmail",
  "abusePhone",
  "created",
  "expires",
  "updated",
  "nameServer",
  "status",
  // A status with the date of expiry in brackets: `Connected (2027/03/31)`.
  "statusAndExpiry",
  // A registrant's name, or the handle of an object that has it.
  "holder",
  "registrantName",
  "registrantOrganization",
  "registrantState",
  "registrantCountry",
  "registrantEmail",
  // Whether the holder is a person or an organisation.
  "holderKind",
  // The handle of an object.
  "handle",
  "dnssec",
  "dsRecord",
  "dsKeyTag",
  "dsAlgorithm",
  "dsDigestType",
  "dsDigest",
  // A key, or the set of keys: the delegation is signed.
  "key",
  "referral",
] as const;

/** What a statement tells. */
export type Field = (typeof FIELDS)[number];

/** The labels of each field, as `plainLabel` has them. */
type Labels = Readonly<Partial<Record<Field, readonly string[]>>>;

/** The fields by their labels; a label in two lists means the later field. */
export const tableOf = (labels: Labels): ReadonlyMap<string, Field> =>
  new Map(FIELDS.flatMap((field) => (labels[field] ?? []).map((label) => [label, field] as const)));
