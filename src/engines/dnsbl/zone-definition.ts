import type { Category, Confidence } from "../kind.ts";
import { type AnswerRange, type AnswerTable, readAnswerRange } from "./answer-table.ts";
import { testPointName, type ZoneHash } from "./zone-names.ts";

/** A DNS blacklist as one engine reads it. Engines that name the same zone share its answers. */
export type ZoneDefinition = {
  /** Lower case, no final dot. */
  readonly zone: string;
  /** What stands before the name that is asked about, with its dot: a publisher's key, or nothing. */
  readonly prefix: string;
  /** The hash that is asked about in place of the address or name; null: these themselves. */
  readonly hash: ZoneHash | null;
  readonly target: "ip" | "domain" | "email" | "url";
  /** Whether it is asked of IPv4 and of IPv6 addresses; of no meaning for names. */
  readonly ipv4: boolean;
  readonly ipv6: boolean;
  readonly table: AnswerTable;
  /** What single answers mean, by their number. */
  readonly codes: ReadonlyMap<number, Rating>;
  /** Null: the publisher has none. */
  readonly testPoints: TestPoints | null;
};

export type Rating = { readonly category?: Category; readonly confidence?: Confidence };

/** What stands before the zone in the names of a self-test: addresses reversed, or names. */
export type TestPoints = {
  readonly listed: readonly string[];
  readonly notListed: readonly string[];
};

/** The answers' part of a zone's entry in the catalogue or the configuration. */
export type ZoneEntry = {
  readonly zone: string;
  readonly hash?: ZoneHash | undefined;
  readonly target: ZoneDefinition["target"];
  readonly ipv4: boolean;
  readonly ipv6: boolean;
  readonly listed?: readonly string[] | undefined;
  readonly listed_bits?: readonly number[] | undefined;
  readonly refused?: readonly string[] | undefined;
  readonly neutral: readonly string[];
  readonly codes: Readonly<
    Record<string, { readonly category?: Category | undefined; readonly confidence?: Confidence | undefined }>
  >;
  readonly self_test: "rfc5782" | "off";
  readonly test_points?:
    | { readonly listed: readonly string[]; readonly not_listed: readonly string[] }
    | undefined;
};

/**
 * Reads an entry that its schema has passed; `{key}` in its zone becomes `key`. Throws RangeError at an answer that is no
 * address or range.
 */
export function zoneOf(entry: ZoneEntry, key: string | null = null): ZoneDefinition {
  const codes = Object.entries(entry.codes).map(([code, { category, confidence }]) => {
    const rating: Rating = { ...(category && { category }), ...(confidence && { confidence }) };
    return [rangeOf(code)[0], rating] as const;
  });
  const points = testPointsOf(entry);
  return {
    ...placesOf(entry.zone, key),
    hash: entry.hash ?? null,
    target: entry.target,
    ipv4: entry.ipv4,
    ipv6: entry.ipv6 && (points === null || hasIpv6Point(points)),
    table: {
      listed: entry.listed?.map(rangeOf) ?? null,
      listedBits: entry.listed_bits?.reduce((mask, bit) => mask | bit, 0) ?? null,
      refused: entry.refused?.map(rangeOf) ?? null,
      neutral: entry.neutral.map(rangeOf),
    },
    codes: new Map(codes),
    testPoints: points,
  };
}

/** `{key}.zone` has the key in the zone, `{key}.{reversed}.zone` before the name. */
function placesOf(text: string, key: string | null): Pick<ZoneDefinition, "zone" | "prefix"> {
  const named = text
    .replace(/\.$/, "")
    .replace("{key}", () => key ?? "{key}")
    .toLowerCase();
  const [before, after] = named.split("{reversed}.");
  return after === undefined ? { zone: named, prefix: "" } : { zone: after, prefix: before ?? "" };
}

/** RFC 5782, 5; of an IPv6 list the mapped forms of the same addresses. */
const TEST_POINTS = {
  ip: { listed: ["127.0.0.2", "::ffff:7f00:2"], not_listed: ["127.0.0.1", "::ffff:7f00:1"] },
  domain: { listed: ["test"], not_listed: ["invalid"] },
  // RFC 5782 knows no mailboxes and URLs: without points of its own such a zone is not tested.
  email: { listed: [], not_listed: [] },
  url: { listed: [], not_listed: [] },
} as const;

function testPointsOf({ self_test: selfTest, test_points: own, target }: ZoneEntry): TestPoints | null {
  if (selfTest === "off") return null;
  const { listed, not_listed: notListed } = own ?? TEST_POINTS[target];
  if (listed.length + notListed.length === 0) return null;
  return { listed, notListed };
}

/** A zone that cannot be tested with IPv6 does not apply to it (design 3.5). */
const hasIpv6Point = ({ listed, notListed }: TestPoints): boolean =>
  [...listed, ...notListed].some((point) => testPointName(point, "ipv6", null) !== null);

function rangeOf(text: string): AnswerRange {
  const range = readAnswerRange(text);
  if (range === null) throw new RangeError(`"${text}" is not an answer or range of answers`);
  return range;
}

/** Engines with an equal key read the same zone. */
export const zoneKey = ({ zone, prefix, hash, target }: ZoneDefinition): string =>
  `${target} ${hash} ${prefix}${zone}`;
