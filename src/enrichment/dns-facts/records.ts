import type { DnsRecord, RecordType } from "../../net/dns/dns-types.ts";
import type { SvcbData, SvcbParams } from "../../net/dns/svcb.ts";
import { keyTagOf } from "./key-tag.ts";
import type { RecordFields } from "./record-shape.ts";
import { safeText } from "./text.ts";

/** The strings of a TXT record, as octets. */
export const stringsOf = ({ data }: Extract<DnsRecord, { readonly type: "TXT" }>): readonly Buffer[] =>
  [data].flat().map((one) => (typeof one === "string" ? Buffer.from(one) : one));

type TypedRecord<T extends RecordType> = {
  /** The owner, lower case. */
  readonly name: string;
  readonly type: T;
  /** Seconds. */
  readonly ttl: number;
  readonly value: string;
} & RecordFields[T];

/** One record as answers show it. `value` is the presentation form without final dots and quotes. */
export type RecordOf<T extends RecordType> = { [K in T]: TypedRecord<K> }[T];

/** A record of any type. */
export type RecordObject = RecordOf<RecordType>;

/** The record object of a record; null of a type that is never asked for (signatures, DNAME). */
export function recordObject(record: DnsRecord): RecordObject | null {
  const { name } = record;
  const ttl = ("ttl" in record ? record.ttl : undefined) ?? 0;
  switch (record.type) {
    case "A":
    case "AAAA":
      return { name, type: record.type, ttl, value: record.data, address: record.data };
    case "CNAME":
    case "NS":
    case "PTR":
      return { name, type: record.type, ttl, value: record.data, target: record.data };
    case "MX": {
      const { preference: priority = 0, exchange } = record.data;
      return { name, type: "MX", ttl, value: `${priority} ${exchange}`, priority, exchange };
    }
    case "SRV": {
      const { priority = 0, weight = 0, port, target } = record.data;
      const value = `${priority} ${weight} ${port} ${target}`;
      return { name, type: "SRV", ttl, value, priority, weight, port, target };
    }
    case "HTTPS":
    case "SVCB":
      return { name, type: record.type, ttl, value: svcbValue(record.data), ...record.data };
    default:
      return textRecord(record, name, ttl) ?? securityRecord(record, name, ttl);
  }
}

function textRecord(record: DnsRecord, name: string, ttl: number): RecordObject | null {
  switch (record.type) {
    case "TXT": {
      const strings = stringsOf(record);
      // A character may begin in one string and end in the next.
      const value = safeText(Buffer.concat(strings));
      return { name, type: "TXT", ttl, value, strings: strings.map(safeText) };
    }
    case "SOA": {
      const { mname, rname, serial = 0, refresh = 0, retry = 0, expire = 0, minimum = 0 } = record.data;
      const value = [mname, rname, serial, refresh, retry, expire, minimum].join(" ");
      return { name, type: "SOA", ttl, value, mname, rname, serial, refresh, retry, expire, minimum };
    }
    case "CAA": {
      const { flags = 0 } = record.data;
      const tag = textOf(record.data.tag);
      const content = textOf(record.data.value);
      return { name, type: "CAA", ttl, value: `${flags} ${tag} ${content}`, flags, tag, content };
    }
    case "NAPTR": {
      const { order, preference, replacement } = record.data;
      const [flags, service, regexp] = [record.data.flags, record.data.services, record.data.regexp].map(
        textOf,
      );
      return naptrRecord(name, ttl, {
        order,
        preference,
        flags: flags ?? "",
        service: service ?? "",
        regexp: regexp ?? "",
        replacement,
      });
    }
    default:
      return null;
  }
}

const naptrRecord = (name: string, ttl: number, fields: RecordFields["NAPTR"]): RecordOf<"NAPTR"> => {
  const { order, preference, flags, service, regexp, replacement } = fields;
  const value = [order, preference, flags, service, regexp, replacement].join(" ");
  return { name, type: "NAPTR", ttl, value, ...fields };
};

function securityRecord(record: DnsRecord, name: string, ttl: number): RecordObject | null {
  switch (record.type) {
    case "DS": {
      const { keyTag, algorithm, digestType } = record.data;
      const digest = hexOf(record.data.digest);
      const value = `${keyTag} ${algorithm} ${digestType} ${digest}`;
      return { name, type: "DS", ttl, value, key_tag: keyTag, algorithm, digest_type: digestType, digest };
    }
    case "DNSKEY": {
      const { flags, algorithm, key } = record.data;
      const publicKey = key.toString("base64");
      const value = `${flags} 3 ${algorithm} ${publicKey}`;
      const fields = { flags, protocol: 3, algorithm, public_key: publicKey, key_tag: keyTagOf(record.data) };
      return { name, type: "DNSKEY", ttl, value, ...fields };
    }
    case "TLSA": {
      const { usage, selector, matchingType } = record.data;
      const data = hexOf(record.data.certificate);
      const value = `${usage} ${selector} ${matchingType} ${data}`;
      return { name, type: "TLSA", ttl, value, usage, selector, matching_type: matchingType, data };
    }
    default:
      return null;
  }
}

const textOf = (text: string): string => safeText(Buffer.from(text));

const hexOf = (octets: Buffer): string => octets.toString("hex").toUpperCase();

/** `1 . alpn=h2,h3 port=8443 no-default-alpn`. Source: RFC 9460, 2.1. */
const svcbValue = ({ priority, target, params }: SvcbData): string =>
  [priority, target, ...Object.entries(params).map(paramText)].join(" ");

const paramText = ([key, value]: readonly [string, SvcbParams[string]]): string =>
  value === true ? key : `${key}=${Array.isArray(value) ? value.join(",") : value}`;

/** Sorted as answers show them: by priority where the type has one, else by value. Source: design 8.2. */
export const sortedRecords = <T extends RecordObject>(records: readonly T[]): T[] =>
  records.toSorted((a, b) => rankOf(a) - rankOf(b) || compare(a.value, b.value) || compare(a.name, b.name));

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

const rankOf = (record: RecordObject): number => ("priority" in record ? record.priority : 0);
