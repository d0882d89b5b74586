import { z } from "zod";
import { printableLine } from "../base/clean-text.ts";
import { type Clock, isoSeconds } from "../base/clock.ts";
import { InvalidValue } from "../base/failure.ts";
import type { CountLook } from "../base/metrics.ts";
import { parseJson } from "../base/parse-json.ts";
import { readWrittenDate } from "../base/written-date.ts";
import { tellsOfFailure } from "../feeds/formats/json.ts";
import { isMembers } from "../feeds/formats/members.ts";
import type { Cacheable } from "../net/dns/answer-cache.ts";
import type { Http } from "../net/http/http-types.ts";
import { readAsn } from "../targets/asn.ts";
import type { EnrichmentOptions } from "./options.ts";
import { keepVendorAnswers, NOT_LISTED, type VendorAnswer, type VendorEnrichment } from "./vendor.ts";

/** Asks the operator's service of records. */
export type RecordApi = {
  /** Of an address or a name. Null when there was no answer: then there is no `vendor_enrichment`. Never rejects. */
  readonly find: (target: string) => Promise<VendorAnswer | null>;
};

const text = z.string().max(1000).nullish().catch(null);
const recordSchema = z.object({
  dataset: text,
  botname: text,
  detection: text,
  heuristic: text,
  rule: text,
  listed: z
    .union([z.literal(false), z.string().max(64), z.number()])
    .nullish()
    .catch(null),
  valid_until: z.unknown().optional(),
  seen_count: z.int().min(0).nullish().catch(null),
  cc: text,
  asn: z
    .union([z.int(), z.string().max(16)])
    .nullish()
    .catch(null),
});
const answerSchema = z.object({ results: z.array(z.unknown()).max(1000) });
type ApiRecord = Omit<z.infer<typeof recordSchema>, "valid_until"> & { readonly endMs: number };

const MAX_BYTES = 1024 * 1024;
const KEEP_S = 300;

/**
 * `GET {url}/{address or domain}` with Basic authentication, JSON `{"results": [record …]}`; 404 means none. The newest
 * record that is still valid counts. Source: design 5.6, 15. Null without a `url`.
 */
export function createRecordApi(
  options: EnrichmentOptions["record_api"],
  parts: { readonly http: Pick<Http, "get">; readonly clock: Clock; readonly count?: CountLook | null },
): RecordApi | null {
  const { url } = options;
  if (url === null) return null;
  const base = url.replace(/\/+$/, "");
  return {
    find: keepVendorAnswers(parts, (target) => ask(`${base}/${encodeURIComponent(target)}`, options, parts)),
  };
}

async function ask(
  url: string,
  { username, password, timeout_ms: timeoutMs }: EnrichmentOptions["record_api"],
  { http, clock }: { readonly http: Pick<Http, "get">; readonly clock: Clock },
): Promise<Cacheable<VendorEnrichment | null>> {
  const credentials = `${username ?? ""}:${password ?? ""}`;
  const headers = {
    accept: "application/json",
    ...(username === null ? {} : { authorization: `Basic ${Buffer.from(credentials).toString("base64")}` }),
  };
  const answer = await http.get({ url, headers, maxBytes: MAX_BYTES, timeoutMs, isOperatorsWord: true });
  if (answer.state === "unavailable") return { value: null, ttlS: 0 };
  const { status, body } = answer.value;
  if (status === 404) return { value: NOT_LISTED, ttlS: KEEP_S };
  const records = status === 200 ? readRecords(body.toString("utf8")) : null;
  const said = records === null ? null : newestOf(records, clock.now());
  return said === null ? { value: null, ttlS: 0 } : { value: said, ttlS: KEEP_S };
}

/**
 * Null of a failure, be it told in place of records (`{"error": "quota", "results": []}`), and in the place of a record
 * that cannot be read, or of which it cannot be read whether it still holds.
 */
function readRecords(text_: string): readonly (ApiRecord | null)[] | null {
  try {
    const document = parseJson(text_);
    const { data } = answerSchema.safeParse(document);
    const isFailure = data?.results.length === 0 && isMembers(document) && tellsOfFailure(document);
    return data === undefined || isFailure ? null : data.results.map(readRecord);
  } catch (error) {
    if (error instanceof InvalidValue) return null;
    throw error;
  }
}

function readRecord(one: unknown): ApiRecord | null {
  const record = recordSchema.safeParse(one).data;
  const endMs = endOf(record?.valid_until);
  return record === undefined || endMs === null ? null : { ...record, endMs };
}

/** Whether a record says in the place of a time that nothing is listed. */
const isDenial = (listed: ApiRecord["listed"]): boolean =>
  listed === false || listed === 0 || /^(?:0|false|no)$/i.test(String(listed ?? ""));

/** Milliseconds since 1970 at which a record ends, infinity where it names no end; null of what is no time. */
function endOf(until: unknown): number | null {
  if (until === undefined || until === null || until === "") return Number.POSITIVE_INFINITY;
  if (typeof until === "number") return until * 1000;
  return typeof until === "string" && until.length <= 64 ? instantOf(until) : null;
}

/** The newest valid record; null where there is none but one that cannot be read, which is no "not listed". */
function newestOf(records: readonly (ApiRecord | null)[], now: Date): VendorEnrichment | null {
  const read = records.filter((record) => record !== null);
  const valid = read.filter(({ listed, endMs }) => !isDenial(listed) && endMs > now.getTime());
  const [newest] = valid.toSorted((a, b) => (instantOf(b.listed) ?? 0) - (instantOf(a.listed) ?? 0));
  if (newest === undefined) return read.length === records.length ? NOT_LISTED : null;
  return vendorOf(newest);
}

const vendorOf = (record: ApiRecord): VendorEnrichment => ({
  listed: true,
  dataset: clean(record.dataset),
  botname: clean(record.botname),
  detection: clean(record.detection),
  heuristic: clean(record.heuristic),
  rule: clean(record.rule),
  listed_at: timeOf(instantOf(record.listed)),
  valid_until: timeOf(record.endMs),
  seen_count: record.seen_count ?? null,
  country_code: /^[a-z]{2}$/i.test(record.cc ?? "") ? (record.cc?.toUpperCase() ?? null) : null,
  asn: readAsn(String(record.asn ?? "")),
});

const clean = (value: string | null | undefined): string | null =>
  value === null || value === undefined ? null : printableLine(value.slice(0, 300));

/** The last instant that ISO 8601 writes with four digits of a year. */
const MAX_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

const isShown = (ms: number): boolean => ms >= 0 && ms <= MAX_MS;

/** Milliseconds since 1970 of seconds since then, or of ISO 8601; null of what is neither, or not of the years 1970 to 9999. */
function instantOf(value: string | number | false | null | undefined): number | null {
  const ms =
    typeof value === "string" ? millisecondsOf(value) : typeof value === "number" ? value * 1000 : -1;
  return isShown(ms) ? ms : null;
}

function millisecondsOf(text_: string): number {
  if (/^\d{9,10}$/.test(text_)) return Number(text_) * 1000;
  return /^\d{4}-\d\d-\d\d/.test(text_) ? (readWrittenDate(text_)?.getTime() ?? -1) : -1;
}

const timeOf = (ms: number | null): string | null =>
  ms === null || !isShown(ms) ? null : isoSeconds(new Date(ms));
