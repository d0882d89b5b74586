import { z } from "zod";
import { feedShape, keySchema } from "../feeds/feed.ts";
import { besideFormat, formatOptionFault } from "../feeds/format-options.ts";
import { type Auth, authSchema, KEY_NAME, publisherKeySchema } from "../feeds/retrieval/publisher-key.ts";
import { parseIpv4Value, readIp } from "../targets/ip.ts";
import { DISABLED_CLASSES } from "./disabled.ts";
import { readAnswerRange } from "./dnsbl/answer-table.ts";
import { doNotUseReason } from "./dnsbl/do-not-use.ts";
import { ZONE_HASHES } from "./dnsbl/zone-names.ts";
import { CATEGORIES, CONFIDENCES } from "./kind.ts";

/** What rates an engine, feed or zone (design 3.2, 15). */
export const ratingShape = {
  category: z.enum(CATEGORIES).default("abuse").describe("What a hit says of the target"),
  confidence: z.enum(CONFIDENCES).default("medium").describe("How sure a hit is"),
  family: z
    .string()
    .regex(/^[a-z0-9_]{1,64}$/)
    .optional()
    .describe("Independent source behind the list; lists of one family count once; default: the key"),
  aggregate: z
    .boolean()
    .default(false)
    .describe("Made from other lists: all such are the one family `aggregate`"),
};

/** Of lists alone. */
export const listShape = {
  provider: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe("Brand of the VPN, relay or proxy whose addresses the list holds: `anonymity.provider`"),
};

const nameSchema = z.string().min(1).max(200).optional().describe("Name for people; default: the key");

const refineFormat = (entry: { format: string; auth?: Auth | undefined }, context: z.RefinementCtx): void => {
  refineAuth(entry.auth, context);
  const fault = formatOptionFault({ ...entry });
  if (fault) context.addIssue({ code: "custom", ...fault });
};

/** Categories whose lists tell what hides an address: only those give `anonymity`. */
const HIDING: readonly string[] = ["vpn", "proxy", "tor"];

const refineProvider = (
  entry: { target: string; category: string; provider?: string | undefined },
  context: z.RefinementCtx,
): void => {
  if (entry.provider === undefined || (entry.target === "ip" && HIDING.includes(entry.category))) return;
  context.addIssue({
    code: "custom",
    path: ["provider"],
    message: `A provider is of a list with target: ip and one of the categories ${HIDING.join(", ")}`,
  });
};

/** One entry of `engines.feeds[]`. */
export const operatorFeedSchema = z
  .strictObject(
    besideFormat({ ...feedShape, ...ratingShape, ...listShape, key: keySchema, name: nameSchema }),
  )
  .superRefine(refineFormat)
  .superRefine(refineProvider);
export type OperatorFeed = z.infer<typeof operatorFeedSchema>;

const answerRange = z
  .string()
  .refine(
    (text) => readAnswerRange(text) !== null,
    'Expected an address, a range "127.0.0.2-127.0.0.11" or a CIDR',
  );

const ZONE_NAME =
  /^(?=.{1,200}$)(\{key\}\.)?(\{reversed\}\.)?[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*\.?$/i;

/** Targets of zones; what is no address is asked about by name, and mailboxes and URLs by hash alone. */
const ZONE_TARGETS = ["ip", "domain", "email", "url"] as const;

const refineAuth = (auth: Auth | undefined, context: z.RefinementCtx): void => {
  if (auth === undefined || auth.header !== undefined || auth.url !== undefined) return;
  context.addIssue({
    code: "custom",
    path: ["auth"],
    message: "Expected a header or a url that takes the key",
  });
};

/** What zones of the catalogue and of the operator have in common. */
export const zoneShape = {
  key: keySchema,
  name: nameSchema,
  target: z.enum(ZONE_TARGETS).describe("What is asked of the zone: ip, domain, email or url"),
  zone: z
    .string()
    .regex(ZONE_NAME)
    .describe("Name of the zone, e.g. bl.example; {key} in front becomes the publisher's key of auth"),
  hash: z
    .enum(ZONE_HASHES)
    .optional()
    .describe("The zone is asked about this hash of the address or name: hexadecimal, sha256 in base32"),
  auth: authSchema
    .pick({ key: true })
    .extend({ required: z.literal(true).default(true) })
    .optional(),
  listed: z
    .array(answerRange)
    .optional()
    .describe("Answers that mean listed; default: 127.0.0.0/8 without 127.0.0.1 and 127.255.255.0/24"),
  listed_bits: z
    .array(z.literal([1, 2, 4, 8, 16, 32, 64, 128]))
    .min(1)
    .optional()
    .describe("In place of listed, where answers are sums: bits of the last octet that mean listed"),
  neutral: z
    .array(answerRange)
    .default([])
    .describe(
      "Known answers that are not listings; any other answer counts as a fault of the resolver or zone",
    ),
  refused: z
    .array(answerRange)
    .optional()
    .describe("Answers that mean refused; default: 127.255.255.0/24 and 127.0.0.1"),
  codes: z
    .record(
      z.string().refine((code) => parseIpv4Value(code) !== null, "Expected an answer such as 127.0.0.4"),
      z.strictObject({
        category: z.enum(CATEGORIES).optional(),
        confidence: z.enum(CONFIDENCES).optional(),
      }),
    )
    .default({})
    .describe("Answer to category and confidence of the hit"),
  self_test: z.enum(["rfc5782", "off"]).default("rfc5782").describe("off: the publisher has no test points"),
  test_points: z
    .strictObject({
      listed: z.array(z.string()).describe("Addresses or names that the zone must list"),
      not_listed: z.array(z.string()).describe("Addresses or names that it must not list"),
    })
    .optional()
    .describe("What the self-test asks for; default: the entries of RFC 5782"),
  ipv4: z.boolean().default(true).describe("Whether the zone is asked of IPv4 addresses"),
  ipv6: z
    .boolean()
    .default(false)
    .describe("Whether the zone is asked of IPv6 addresses; not where `test_points` has none of IPv6"),
  reference: feedShape.reference,
  homepage: feedShape.homepage,
  enabled: feedShape.enabled,
  ...ratingShape,
};

type ZoneColumns = z.infer<z.ZodObject<typeof zoneShape>>;

/** Adds an issue where a zone's columns do not fit together. */
export function refineZone(
  { target, zone, hash, auth }: Omit<ZoneColumns, "name">,
  context: z.RefinementCtx,
): void {
  const needsHash = target === "email" || target === "url";
  if (needsHash && hash === undefined) {
    context.addIssue({
      code: "custom",
      path: ["hash"],
      message: `Expected a hash: ${target} targets are not names`,
    });
  }
  if (zone.startsWith("{key}") !== (auth !== undefined)) {
    context.addIssue({
      code: "custom",
      path: ["auth"],
      message: "Expected auth together with {key} in the zone",
    });
  }
}

/** One entry of `engines.dnsbl[]`. */
export const operatorZoneSchema = z.strictObject(zoneShape).superRefine((entry, context) => {
  refineZone(entry, context);
  const reason = doNotUseReason(entry.zone);
  if (reason !== null) {
    const message = `This zone must not be asked: ${reason}`;
    context.addIssue({ code: "custom", path: ["zone"], message });
  }
  const points = [...(entry.test_points?.listed ?? []), ...(entry.test_points?.not_listed ?? [])];
  const isReadable = entry.target !== "ip" || points.every((point) => readIp(point) !== null);
  if (entry.test_points !== undefined && (points.length === 0 || !isReadable)) {
    const message = `Expected ${entry.target === "ip" ? "addresses" : "names"}, one at least`;
    context.addIssue({ code: "custom", path: ["test_points"], message });
  }
});
export type OperatorZone = z.infer<typeof operatorZoneSchema>;

/** The operator's `engines:`. */
export const enginesOptionsSchema = z
  .strictObject({
    builtin: z
      .boolean()
      .default(true)
      .describe("False: no built-in blacklist engines and allowlists, only what stands below"),
    disable: z.array(z.string()).default([]).describe("Keys of engines that are shown as disabled"),
    enable: z
      .array(z.string())
      .default([])
      .describe(
        "Keys of built-in engines that are off by default (docs/engines.md says why): the operator answers for the publisher's terms",
      ),
    accept: z
      .array(z.enum(DISABLED_CLASSES))
      .default([])
      .describe(
        "Classes of reasons that do not keep a built-in engine off: the operator answers for the terms of all engines of the class, as with enable",
      ),
    keys: z
      .record(z.string().regex(KEY_NAME, "Expected 1 to 64 of a-z, 0-9 and _"), publisherKeySchema)
      .default({})
      .describe(
        "Publishers' keys by name, e.g. abuseipdb, also from REPUTE_KEY_<NAME>: engines that take the key are on; printed masked",
      ),
    feeds: z.array(operatorFeedSchema).default([]).describe("The operator's own lists"),
    dnsbl: z
      .array(operatorZoneSchema)
      .default([])
      .describe(
        "The operator's own DNS blacklists; one with a built-in key takes that one's place, e.g. with the operator's key in the zone's name",
      ),
  })
  .superRefine(({ feeds, dnsbl }, context) => {
    const seen = new Set<string>();
    for (const [list, entries] of [
      ["feeds", feeds],
      ["dnsbl", dnsbl],
    ] as const) {
      for (const [i, { key }] of entries.entries()) {
        if (seen.has(key)) {
          context.addIssue({
            code: "custom",
            path: [list, i, "key"],
            message: `The key "${key}" is used twice`,
          });
        }
        seen.add(key);
      }
    }
  });
export type EnginesOptions = z.infer<typeof enginesOptionsSchema>;

/** One entry of `allowlists[]`. */
const allowlistSchema = z
  .strictObject(besideFormat({ ...feedShape, key: keySchema.optional(), name: nameSchema }))
  .superRefine(refineFormat);

/** The operator's `allowlists:`; entry n (from 1) without a key is `allow_<n>` (design 15). */
export const allowlistsOptionsSchema = z.array(allowlistSchema).superRefine((entries, context) => {
  const seen = new Set<string>();
  for (const [i, entry] of entries.entries()) {
    const key = entry.key ?? `allow_${i + 1}`;
    if (seen.has(key)) {
      context.addIssue({ code: "custom", path: [i, "key"], message: `The key "${key}" is used twice` });
    }
    seen.add(key);
  }
});
export type AllowlistsOptions = z.infer<typeof allowlistsOptionsSchema>;
