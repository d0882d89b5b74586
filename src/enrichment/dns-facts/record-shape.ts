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
  A: { address: text },
  AAAA: { address: text },
  CNAME: { target: text },
  NS: { target: text },
  PTR: { target: text },
  MX: { priority: number, exchange: text.describe("`.`: takes no mail (RFC 7505)") },
  TXT: { strings: z.array(text) },
  SOA: {
    mname: text,
    rname: text,
    serial: number,
    refresh: number,
    retry: number,
    expire: number,
    minimum: number,
  },
  CAA: { flags: number, tag: text, content: text },
  SRV: { priority: number, weight: number, port: number, target: text },
  DS: {
    key_tag: number,
    algorithm: number,
    digest_type: number,
    digest: text.describe("Hexadecimal, upper case"),
  },
  DNSKEY: {
    flags: number,
    protocol: number,
    algorithm: number,
    public_key: text.describe("Base64"),
    key_tag: number,
  },
  TLSA: {
    usage: number,
    selector: number,
    matching_type: number,
    data: text.describe("Hexadecimal, upper case"),
  },
  HTTPS: svcb,
  SVCB: svcb,
  NAPTR: { order: number, preference: number, flags: text, service: text, regexp: text, replacement: text },
};
export type RecordFields = {
  readonly [Type in keyof typeof FIELDS]: Wire<z.ZodObject<(typeof FIELDS)[Type]>>;
};

const shapes = Object.entries(FIELDS).map(([type, fields]) =>
  z.object({
    name: text.describe("Owner of the record, lower case"),
    type: z.literal(type),
    ttl: number.describe("Seconds"),
    value: text.describe(
      "Presentation form without final dots and quotes; octets that are no text as `\\DDD`",
    ),
    ...fields,
  }),
);

/** One record; which fields are parsed depends on its type (design 8.2). */
export const RecordObjectShape = z
  .union(shapes)
  .describe("One record; the fields behind `value` depend on its type")
  .meta({ id: "DnsRecord" });
