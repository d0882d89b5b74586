import type { Category, Confidence } from "../kind.ts";
import { type AnswerRange, type AnswerTable, readAnswerRange } from "./answer-table.ts";
import { testPointName } from "./zone-names.ts";

/** A DNS blacklist as one engine reads it. Engines that name the same zone share its answers. */
export type ZoneDefinition = {
  /** Lower case, no final dot. */
  readonly zone: string;
  readonly target: "ip" | "domain";
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
  readonly target: "ip" | "domain";
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

/** Reads an entry that its schema has passed. Throws RangeError at an answer that is no address or range. */
export function zoneOf(entry: ZoneEntry): ZoneDefinition {
  const codes = Object.entries(entry.codes).map(([code, { category, confidence }]) => {
    const rating: Rating = { ...(category && { category }), ...(confidence && { confidence }) };
    return [rangeOf(code)[0], rating] as const;
  });
  const points = testPointsOf(entry);
  return {
    zone: entry.zone.toLowerCase().replace(/\.$/, ""),
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

/** RFC 5782, 5; of an IPv6 list the mapped forms of the same addresses. */
const TEST_POINTS = {
  ip: { listed: ["127.0.0.2", "::ffff:7f00:2"], not_listed: ["127.0.0.1", "::ffff:7f00:1"] },
  domain: { listed: ["test"], not_listed: ["invalid"] },
} as const;

function testPointsOf({ self_test: selfTest, test_points: own, target }: ZoneEntry): TestPoints | null {
  if (selfTest === "off") return null;
  const { listed, not_listed: notListed } = own ?? TEST_POINTS[target];
  return { listed, notListed };
}

/** A zone that cannot be tested with IPv6 does not apply to it (design 3.5). */
const hasIpv6Point = ({ listed, notListed }: TestPoints): boolean =>
  [...listed, ...notListed].some((point) => testPointName(point, "ipv6") !== null);

function rangeOf(text: string): AnswerRange {
  const range = readAnswerRange(text);
  if (range === null) throw new RangeError(`"${text}" is no answer or range of answers`);
  return range;
}

/** Engines with an equal key read the same zone. */
export const zoneKey = ({ zone, target }: ZoneDefinition): string => `${target} ${zone}`;
