import { formatIpv4, parseIpv4Value } from "../../targets/ip.ts";

/** An inclusive range of answers as unsigned 32-bit numbers. */
export type AnswerRange = readonly [low: number, high: number];

/** What the answers of a zone mean to one engine. */
export type AnswerTable = {
  /** Null: the default, all of 127.0.0.0/8 but what is refused by default. */
  readonly listed: readonly AnswerRange[] | null;
  /** Bits of the last octet that mean listed, for zones whose answers are sums; takes the place of `listed`. */
  readonly listedBits: number | null;
  /** Null: the default, 127.255.255.0/24 and 127.0.0.1. */
  readonly refused: readonly AnswerRange[] | null;
  /** Known answers that are no listing. */
  readonly neutral: readonly AnswerRange[];
};

/** What a zone's answers say before it is asked which engine they concern. */
export type ZoneAnswerState =
  | { readonly state: "read" }
  | { readonly state: "refused" | "error"; readonly detail: string };

const LOOPBACK: AnswerRange = [0x7f000000, 0x7fffffff];
const REFUSED_BY_DEFAULT: readonly AnswerRange[] = [
  [0x7fffff00, 0x7fffffff],
  [0x7f000001, 0x7f000001],
];

/** `127.0.0.2`, `127.0.0.2-127.0.0.11` or `127.0.0.0/24` (host bits may be set); else null. */
export function readAnswerRange(text: string): AnswerRange | null {
  const [from = "", to] = text.split("-");
  if (to !== undefined) {
    const [low, high] = [parseIpv4Value(from.trim()), parseIpv4Value(to.trim())];
    return low !== null && high !== null && low <= high ? [low, high] : null;
  }
  const [address = "", prefix = "32"] = from.split("/");
  const value = parseIpv4Value(address);
  if (value === null || !/^\d{1,2}$/.test(prefix) || Number(prefix) > 32) return null;
  const size = 2 ** (32 - Number(prefix));
  const low = value - (value % size);
  return [low, low + size - 1];
}

const isWithin = (ranges: readonly AnswerRange[], value: number): boolean =>
  ranges.some(([low, high]) => value >= low && value <= high);

const isLoopback = (value: number): boolean => isWithin([LOOPBACK], value);

/** Whether the answer lists the target for this engine. Source: design 3.5. */
export function isListed({ listed, listedBits, neutral }: AnswerTable, value: number): boolean {
  const isOrdinary = isLoopback(value) && !isWithin(REFUSED_BY_DEFAULT, value) && !isWithin(neutral, value);
  if (listedBits !== null) return isOrdinary && (value & listedBits & 0xff) !== 0;
  return listed === null ? isOrdinary : isWithin(listed, value);
}

/** Another meaning of the zone, no engine's here. */
const isNeutral = ({ listedBits, neutral }: AnswerTable, value: number): boolean =>
  isWithin(neutral, value) || (listedBits !== null && isLoopback(value));

/** What is named outweighs what is refused by default; what is named as refused outweighs everything. */
function isRefused(tables: readonly AnswerTable[], value: number): boolean {
  if (tables.some(({ refused }) => refused !== null && isWithin(refused, value))) return true;
  const isNamed = tables.some(
    ({ listed, neutral }) => isWithin(neutral, value) || (listed !== null && isWithin(listed, value)),
  );
  return !isNamed && tables.some(({ refused }) => refused === null) && isWithin(REFUSED_BY_DEFAULT, value);
}

/**
 * Whether the answers of a zone are answers of a blacklist at all; `tables` are those of every engine that reads it.
 * A refusal among them outweighs listings. An address outside 127/8 that no table names comes from a rewriting
 * resolver or a parked zone; so may one inside that no table names and that stands alone. Source: design 3.5.
 */
export function judgeAnswers(tables: readonly AnswerTable[], values: readonly number[]): ZoneAnswerState {
  const refusal = values.find((value) => isRefused(tables, value));
  if (refusal !== undefined) {
    return { state: "refused", detail: `The zone refuses this resolver: ${formatIpv4(refusal)}` };
  }
  const listed = values.filter((value) => tables.some((table) => isListed(table, value)));
  const strange = values.filter(
    (value) => !listed.includes(value) && !tables.some((table) => isNeutral(table, value)),
  );
  const [worst = strange[0]] = strange.filter((value) => !isLoopback(value));
  if (worst === undefined || (listed.length > 0 && isLoopback(worst))) return { state: "read" };
  return { state: "error", detail: `${formatIpv4(worst)} is not an answer of this blacklist` };
}

/**
 * What the answers at an entry that every such list must hold say: any code of the zone does, as some use one for
 * it that they use for nothing else. Null: wrong, it is not listed. Source: RFC 5782, 5.
 */
export function judgeTestEntry(
  tables: readonly AnswerTable[],
  values: readonly number[],
): ZoneAnswerState | null {
  if (values.length === 0) return null;
  const judgement = judgeAnswers(tables, values);
  return judgement.state === "error" && values.every(isLoopback) ? { state: "read" } : judgement;
}

/** The same for an entry that no such list may hold. Null: wrong, it is listed. */
export function judgeEmptyEntry(
  tables: readonly AnswerTable[],
  values: readonly number[],
): ZoneAnswerState | null {
  if (values.length === 0) return { state: "read" };
  const judgement = judgeAnswers(tables, values);
  if (judgement.state === "refused") return judgement;
  if (judgement.state === "error" && !values.every(isLoopback)) return judgement;
  const isHarmless = values.every(
    (value) =>
      tables.some((table) => isNeutral(table, value)) && !tables.some((table) => isListed(table, value)),
  );
  return isHarmless ? { state: "read" } : null;
}
