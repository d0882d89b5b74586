import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type AsnRange, parseAsnIpv4, parseAsnIpv6 } from "./asn-csv.ts";
import { countAddresses, sweepRanges } from "./sweep.ts";

const ranges = fc.array(
  fc
    .record({
      start: fc.nat(60),
      length: fc.integer({ min: 1, max: 20 }),
      asn: fc.integer({ min: 1, max: 5 }),
    })
    .map(({ start, length, asn }): AsnRange<number> => ({ start, end: start + length, asn, name: "" })),
  { maxLength: 12 },
);

const covers = (range: AsnRange<number>, at: number): boolean => range.start <= at && at < range.end;

describe("parseAsnIpv4()", () => {
  test.each([
    [
      "1.0.0.0,1.0.0.255,13335,Plain Name",
      { start: 0x01000000, end: 0x01000100, asn: 13335, name: "Plain Name" },
    ],
    [
      '1.0.0.0,1.0.0.0,5,"Cloudflare, Inc."',
      { start: 0x01000000, end: 0x01000001, asn: 5, name: "Cloudflare, Inc." },
    ],
    [
      '1.0.0.0,1.0.0.0,5,"LLC ""SPUTNIK"""',
      { start: 0x01000000, end: 0x01000001, asn: 5, name: 'LLC "SPUTNIK"' },
    ],
    ["1.0.0.0,1.0.0.0,65002,AS65002", { start: 0x01000000, end: 0x01000001, asn: 65002, name: "" }],
    ["255.255.255.0,255.255.255.255,1,X", { start: 0xffffff00, end: 0x1_0000_0000, asn: 1, name: "X" }],
  ])("reads %s", (line, range) => {
    expect(parseAsnIpv4(`${line}\n`)).toEqual([range]);
  });

  test.each([
    "",
    "1.0.0.0,1.0.0.255",
    "1.0.0.1,1.0.0.0,5,X",
    "x,y,5,Z",
    "1.0.0.0,1.0.0.1,0,X",
    "1.0.0.0,1.0.0.1,x,X",
  ])("leaves out %j", (line) => {
    expect(parseAsnIpv4(line)).toEqual([]);
  });
});

describe("parseAsnIpv6()", () => {
  test("counts a range inside a /64 as the whole /64", () => {
    const [range] = parseAsnIpv6("2001:db8:0:1::5,2001:db8:0:1::9,64500,Example");
    expect(range).toEqual({
      start: 0x20010db800000001n,
      end: 0x20010db800000002n,
      asn: 64500,
      name: "Example",
    });
  });
});

describe("sweepRanges()", () => {
  test("gives each address to the range that starts last, of those the shortest", () => {
    fc.assert(
      fc.property(ranges, (list) => {
        const boundaries = sweepRanges(list);
        expect(boundaries.map(({ start }) => start)).toEqual(
          boundaries.map(({ start }) => start).toSorted((a, b) => a - b),
        );
        for (let at = 0; at < 90; at++) {
          const here = list.filter((range) => covers(range, at));
          const found = boundaries.findLast(({ start }) => start <= at)?.range ?? null;
          if (here.length === 0) expect(found).toBeNull();
          else {
            const latest = Math.max(...here.map(({ start }) => start));
            const shortest = Math.min(...here.filter(({ start }) => start === latest).map(({ end }) => end));
            expect([found?.start, found?.end]).toEqual([latest, shortest]);
          }
        }
      }),
    );
  });
});

describe("countAddresses()", () => {
  test("counts an address in several ranges of one AS once", () => {
    fc.assert(
      fc.property(ranges, (list) => {
        const counts = countAddresses(list);
        for (let asn = 1; asn <= 5; asn++) {
          const own = list.filter((range) => range.asn === asn);
          let total = 0;
          for (let at = 0; at < 90; at++) if (own.some((range) => covers(range, at))) total++;
          expect(counts.get(asn) ?? 0).toBe(total);
        }
      }),
    );
  });
});
