import { z } from "zod";
import type { Wire } from "../../base/wire.ts";

const text = z.string();
const number = z.int();

const paramValue = z.union([text, number, z.literal(true), z.array(text), z.array(number)]);
const svcb = {
  priority: number.describe("0: an alias of the target"),
  target: text.describe("`.`: the owner itself"),
  params: z
    .record(text, paramValue)
    .describe("By registered name, `key65280` when there is none; `ech` in base64"),
};

/** What the records of each type carry beside name, type, TTL and value. Source: design 8.2. */
const FIELDS = {
  A: { address: text.describe("IPv4 address") },
  AAAA: { address: text.describe("IPv6 address") },
  CNAME: { target: text.describe("Name that it is an alias of") },
  NS: { target: text.describe("Name server") },
  PTR: { target: text.describe("Name that it points to") },
  MX: {
    priority: number.describe("The lowest is tried first"),
    exchange: text.describe("`.`: takes no mail (RFC 7505)"),
  },
  TXT: { strings: z.array(text).describe("Its strings, which are read as one") },
  SOA: {
    mname: text.describe("Primary name server"),
    rname: text.describe("Mailbox of who runs the zone, its first dot for the @"),
    serial: number.describe("Serial number of the zone"),
    refresh: number.describe("Seconds between two looks of a secondary"),
    retry: number.describe("Seconds until a failed look is made again"),
    expire: number.describe("Seconds after which a secondary without contact stops answering"),
    minimum: number.describe("Seconds that a negative answer may be kept"),
  },
  CAA: {
    flags: number.describe("128: a reader that does not know the tag must not issue"),
    tag: text.describe("What it is about: issue, issuewild, iodef"),
    content: text.describe("What it says"),
  },
  SRV: {
    priority: number.describe("The lowest is tried first"),
    weight: number.describe("Share among those of one priority"),
    port: number.describe("Port of the service"),
    target: text.describe("Host of the service"),
  },
  DS: {
    key_tag: number.describe("Number of the key"),
    algorithm: number.describe("Algorithm of the key, IANA number"),
    digest_type: number.describe("Algorithm of the digest, IANA number"),
    digest: text.describe("Hexadecimal, upper case"),
  },
  DNSKEY: {
    flags: number.describe("257: key that signs keys; 256: key that signs the zone"),
    protocol: number.describe("Always 3"),
    algorithm: number.describe("Algorithm of the key, IANA number"),
    public_key: text.describe("Base64"),
    key_tag: number.describe("Number of the key"),
  },
  TLSA: {
    usage: number.describe("How the certificate is bound, IANA number"),
    selector: number.describe("0: the whole certificate; 1: its key"),
    matching_type: number.describe("0: as it is; 1: SHA-256; 2: SHA-512"),
    data: text.describe("Hexadecimal, upper case"),
  },
  HTTPS: svcb,
  SVCB: svcb,
  NAPTR: {
    order: number.describe("The lowest is read first"),
    preference: number.describe("Among those of one order, the lowest first"),
    flags: text.describe("What the replacement is"),
    service: text.describe("Services that it is about"),
    regexp: text.describe("Substitution that makes the next name"),
    replacement: text.describe("The next name"),
  },
};
export type RecordFields = {
  readonly [Type in keyof typeof FIELDS]: Wire<z.ZodObject<(typeof FIELDS)[Type]>>;
};

const shapes = Object.entries(FIELDS).map(([type, fields]) =>
  z.object({
    name: text.describe("Owner of the record, lower case"),
    type: z.literal(type).describe("Type of the record"),
    ttl: number.describe("Seconds"),
    value: text.describe(
      "Presentation form without final dots and quotes; octets that are not text as `\\DDD`",
    ),
    ...fields,
  }),
);

/** One record; which fields are parsed depends on its type (design 8.2). */
export const RecordObjectShape = z
  .union(shapes)
  .describe("One record; the fields behind `value` depend on its type")
  .meta({ id: "DnsRecord" });
