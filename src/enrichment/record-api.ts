import { z } from "zod";
import { printableLine } from "../base/clean-text.ts";
import { type Clock, isoSeconds } from "../base/clock.ts";
import { InvalidValue } from "../base/failure.ts";
import type { CountLook } from "../base/metrics.ts";
import { parseJson } from "../base/parse-json.ts";
import { readWrittenDate } from "../base/written-date.ts";
import type { Cacheable } from "../net/dns/answer-cache.ts";
import type { Http } from "../net/http/http-types.ts";
import type { EnrichmentOptions } from "./options.ts";
import { keepVendorAnswers, NOT_LISTED, type VendorAnswer, type VendorEnrichment } from "./vendor.ts";

/** Asks the operator's service of records. */
export type RecordApi = {
  /** Of an address or a name. Null when there was no answer: then there is no `vendor_enrichment`. Never rejects. */
  readonly find: (target: string) => Promise<VendorAnswer | null>;
};

const text = z.string().max(1000).nullish().catch(null);
const instant = z
  .union([z.string().max(64), z.number()])
  .nullish()
  .catch(null);
const recordSchema = z.object({
  dataset: text,
  botname: text,
  detection: text,
  heuristic: text,
  rule: text,
  listed: instant,
  valid_until: instant,
  seen_count: z.int().nullish().catch(null),
  cc: text,
  asn: z
    .union([z.int(), z.string().max(16)])
    .nullish()
    .catch(null),
});
const answerSchema = z.object({ results: z.array(z.unknown()).max(1000) });
type ApiRecord = z.infer<typeof recordSchema>;

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

/** Null in the place of a record that cannot be read. */
function readRecords(text_: string): readonly (ApiRecord | null)[] | null {
  try {
    const answer = answerSchema.safeParse(parseJson(text_));
    if (!answer.success) return null;
    return answer.data.results.map((one) => recordSchema.safeParse(one).data ?? null);
  } catch (error) {
    if (error instanceof InvalidValue) return null;
    throw error;
  }
}

/** The newest valid record; null where there is none but one that cannot be read, which is no "not listed". */
function newestOf(records: readonly (ApiRecord | null)[], now: Date): VendorEnrichment | null {
  const read = records.filter((record) => record !== null);
  const valid = read.filter(({ valid_until: until }) => {
    const end = millisecondsOf(until);
    return end === null || end > now.getTime();
  });
  const newest = valid.toSorted(
    (a, b) => (millisecondsOf(b.listed) ?? 0) - (millisecondsOf(a.listed) ?? 0),
  )[0];
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
  listed_at: timeOf(record.listed),
  valid_until: timeOf(record.valid_until),
  seen_count: record.seen_count ?? null,
  country_code: clean(record.cc)?.toUpperCase() ?? null,
  asn: asnOf(record.asn),
});

const clean = (value: string | null | undefined): string | null =>
  value === null || value === undefined ? null : printableLine(value.slice(0, 300));

function asnOf(value: ApiRecord["asn"]): number | null {
  const digits = /^(?:AS)?(\d{1,10})$/i.exec(String(value ?? ""))?.[1];
  return digits === undefined ? null : Number(digits);
}

/** The last instant that ISO 8601 writes with four digits of a year. */
const MAX_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Seconds since 1970, or ISO 8601. */
function millisecondsOf(value: string | number | null | undefined): number | null {
  if (value === null || value === undefined) return null;
  const ms =
    typeof value === "number"
      ? value * 1000
      : /^\d{9,10}$/.test(value)
        ? Number(value) * 1000
        : (readWrittenDate(value)?.getTime() ?? Number.NaN);
  return ms >= 0 && ms <= MAX_MS ? ms : null;
}

const timeOf = (value: string | number | null | undefined): string | null => {
  const ms = millisecondsOf(value);
  return ms === null ? null : isoSeconds(new Date(ms));
};
