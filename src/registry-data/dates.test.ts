import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseRegistryDate } from "./dates.ts";

describe("parseRegistryDate()", () => {
  test.each([
    ["2003-01-15T10:20:30Z", "2003-01-15T10:20:30Z"],
    ["2003-01-15T10:20:30.123456Z", "2003-01-15T10:20:30Z"],
    ["2003-01-15T10:20:30+01:00", "2003-01-15T09:20:30Z"],
    ["2003-01-15T10:20:30-0500", "2003-01-15T15:20:30Z"],
    ["2003-01-15T10:20:30", "2003-01-15T10:20:30Z"],
    ["2003-01-15 10:20:30", "2003-01-15T10:20:30Z"],
    ["2003-01-15 10:20:30+02", "2003-01-15T08:20:30Z"],
    ["2003-01-15 10:20:30 +03:00", "2003-01-15T07:20:30Z"],
    ["2003-01-15 10:20:30 UTC", "2003-01-15T10:20:30Z"],
    ["2003-01-15T10:20:30+14:00", "2003-01-14T20:20:30Z"],
    ["2003-01-15T10:20:30+99:99", "2003-01-15T10:20:30Z"],
    ["2003-01-15T10:20:30-15:00", "2003-01-15T10:20:30Z"],
    ["2003-01-15 10:20:30 (UTC+60)", "2003-01-15T10:20:30Z"],
    ["2003-01-15 10:20:30 CLST", "2003-01-15T13:20:30Z"],
    ["2003-01-15 10:20:30 (UTC+8)", "2003-01-15T02:20:30Z"],
    ["2003-01-15 10:20:30 (GMT+0:00)", "2003-01-15T10:20:30Z"],
    ["2003-01-15 10:20:30 EAT", "2003-01-15T07:20:30Z"],
    ["15-Jan-2003 10:20:30 WAT", "2003-01-15T09:20:30Z"],
    ["2003-01-15 10:20:30 (CAT)", "2003-01-15T08:20:30Z"],
    ["2003-01-15 10:20:30 NPT", "2003-01-15T04:35:30Z"],
    ["Wed Jan 15 10:20:30 EAT 2003", "2003-01-15T07:20:30Z"],
    ["2003-01-15 (GMT+0:00)", "2003-01-15T00:00:00Z"],
    ["2003-01-15 (YYYY-MM-DD)", "2003-01-15T00:00:00Z"],
    ["2003-01-15", "2003-01-15T00:00:00Z"],
    ["2003/01/15", "2003-01-15T00:00:00Z"],
    ["2003/01/15 10:20:30 (JST)", "2003-01-15T01:20:30Z"],
    ["2003.01.15 10:20:30", "2003-01-15T10:20:30Z"],
    ["2003. 01. 15.", "2003-01-15T00:00:00Z"],
    ["20030115", "2003-01-15T00:00:00Z"],
    ["20030115 #123456", "2003-01-15T00:00:00Z"],
    ["20030115 10:20:30", "2003-01-15T10:20:30Z"],
    ["20030115102030", "2003-01-15T10:20:30Z"],
    ["15.01.2003", "2003-01-15T00:00:00Z"],
    ["5.1.2003 10:20:30", "2003-01-05T10:20:30Z"],
    ["15/01/2003 10:20:30", "2003-01-15T10:20:30Z"],
    ["04/04/2003", "2003-04-04T00:00:00Z"],
    ["4.3.2003", "2003-03-04T00:00:00Z"],
    ["01/15/2003", "2003-01-15T00:00:00Z"],
    ["15-01-2003", "2003-01-15T00:00:00Z"],
    ["15-01-2003 10:20:30 GMT+1", "2003-01-15T09:20:30Z"],
    ["15-Jan-2003", "2003-01-15T00:00:00Z"],
    ["15-jan-2003 10:20:30 UTC", "2003-01-15T10:20:30Z"],
    ["15 January 2003", "2003-01-15T00:00:00Z"],
    ["15Jan2003", "2003-01-15T00:00:00Z"],
    ["2003 Jan 15", "2003-01-15T00:00:00Z"],
    ["15-Jan-03", "2003-01-15T00:00:00Z"],
    ["15-Jan-98 10:20:30", "1998-01-15T10:20:30Z"],
    ["15-01-98", "1998-01-15T00:00:00Z"],
    ["01/15/98", "1998-01-15T00:00:00Z"],
    ["98-01-15", "1998-01-15T00:00:00Z"],
    ["15 de enero de 2003", "2003-01-15T00:00:00Z"],
    ["miércoles, 15 de enero de 2003", "2003-01-15T00:00:00Z"],
    ["1er février 2003", "2003-02-01T00:00:00Z"],
    ["15. März 2003 10:20:30", "2003-03-15T10:20:30Z"],
    ["15-Ağu-2003", "2003-08-15T00:00:00Z"],
    ["15 ŞUBAT 2003", "2003-02-15T00:00:00Z"],
    ["15 Kasım 2003", "2003-11-15T00:00:00Z"],
    ["15 stycznia 2003", "2003-01-15T00:00:00Z"],
    ["2003. január 15.", "2003-01-15T00:00:00Z"],
    ["2003年01月15日", "2003-01-15T00:00:00Z"],
    ["15/01/2003 10:20:30 from 192.0.2.1", "2003-01-15T10:20:30Z"],
    ["2003-01-15T10:20:30Z [2003-01-15]", "2003-01-15T10:20:30Z"],
    ["2003年1月15日 10:20:30", "2003-01-15T10:20:30Z"],
    ["２００３年１月１５日", "2003-01-15T00:00:00Z"],
    ["2003년 1월 15일", "2003-01-15T00:00:00Z"],
    ["15-Sept-2003", "2003-09-15T00:00:00Z"],
    ["15th January 2003 at 10:20:30.123", "2003-01-15T10:20:30Z"],
    ["January 15 2003", "2003-01-15T00:00:00Z"],
    ["Jan 15, 2003", "2003-01-15T00:00:00Z"],
    ["2003-Jan-15.", "2003-01-15T00:00:00Z"],
    ["Wed Jan 15 2003", "2003-01-15T00:00:00Z"],
    ["Wed Jan 15 10:20:30 UTC 2003", "2003-01-15T10:20:30Z"],
    ["Wed Jan 15 10:20:30 2003", "2003-01-15T10:20:30Z"],
    ["Wed, 15 Jan 2003 10:20:30 GMT", "2003-01-15T10:20:30Z"],
    ["Wednesday, January 15, 2003", "2003-01-15T00:00:00Z"],
    ["1/15/2003 1:20:30 PM", "2003-01-15T13:20:30Z"],
    ["2003-01-15 14:20PM", "2003-01-15T14:20:00Z"],
    ["15.01.2003 1:20:30 p.m.", "2003-01-15T13:20:30Z"],
    ["2003-01-15 13:20:30 AMT", "2003-01-15T09:20:30Z"],
    ["2003-01-15 00:20:30 America/Lab", "2003-01-15T00:20:30Z"],
    ["before Aug-1996", "1996-08-01T00:00:00Z"],
    ["before 1 January 1996", "1996-01-01T00:00:00Z"],
    ["Before 2001", "2001-01-01T00:00:00Z"],
    ["9999-12-31", "9999-12-31T00:00:00Z"],
    ["2004-02-29", "2004-02-29T00:00:00Z"],
  ])("reads %s as %s", (text, instant) => {
    expect(parseRegistryDate(text)).toBe(instant);
  });

  test.each([
    [""],
    ["99/99/9999"],
    ["0000-00-00 00:00:00"],
    ["0001-01-01T00:00:00Z"],
    ["1970-01-01T00:00:00Z"],
    ["2003-02-29"],
    ["2026-02-31"],
    ["2026-04-31T00:00:00Z"],
    ["31-Feb-2026"],
    ["12026-01-01T00:00:00Z"],
    ["2003-01-15T25:00:00Z"],
    ["2003-01-15 14:20AM"],
    ["2003-01-15 25:20PM"],
    ["2003-01-153"],
    ["9999-12-31T23:59:59-12:00"],
    ["N/A"],
    ["not defined"],
    ["None"],
    ["2003"],
    ["15 Foo 2003"],
    ["04/03/2003"],
    ["04-03-2003 10:20:30"],
    ["15-03-24"],
    ["15.03.24"],
    ["15/03/24"],
    ["15-Jan-77"],
    ["15/01/67"],
    ["15 Jan 2003 - 15 Jan 2027"],
    ["2003-01-15 to 14 Jan 2027"],
    ["15.01.2003 - 14. Januar 2027"],
    ["15 de enero de 2003 al 14 de enero de 2027"],
    ["2003. 01. 15. ~ 2027. 01. 14."],
    ["2003/01/15 から 2027年1月14日"],
    ["15 Jan 10 2003"],
    ["15.01.2003 - 14.01.2027"],
    ["2003-01-15 2004-01-15"],
    ["15-Jan-03 to 14-Jan-27"],
    ["15 ma 2003"],
    ["2003年13月15日"],
    // October in Croatian, November in Polish; July in Polish, June in Croatian
    ["15 listopada 2003"],
    ["15 lip 2003"],
    ["2003-01-15T10:20:30Z".padEnd(200)],
  ])("takes %j for no date", (text) => {
    expect(parseRegistryDate(text)).toBeNull();
  });

  const days = fc.record({
    year: fc.integer({ min: 1985, max: 2069 }),
    month: fc.integer({ min: 1, max: 12 }),
    day: fc.integer({ min: 1, max: 28 }),
  });
  const padded = (number: number): string => String(number).padStart(2, "0");

  test("reads numbers in one order where it is known, and not at all where they can mean two days", () => {
    fc.assert(
      fc.property(days, fc.constantFrom("-", "/"), ({ year, month, day }, separator) => {
        const iso = `${year}-${padded(month)}-${padded(day)}T00:00:00Z`;
        const dayFirst = [day, month, year].join(separator);
        const monthFirst = [month, day, year].join(separator);
        expect(parseRegistryDate(dayFirst, { order: "day" })).toBe(iso);
        expect(parseRegistryDate(monthFirst, { order: "month" })).toBe(iso);
        const isOtherwise = day > 12;
        expect(parseRegistryDate(monthFirst, { order: "day" }) === iso).toBe(isOtherwise || day === month);
        const isCertain = day > 12 || day === month;
        expect([parseRegistryDate(dayFirst), parseRegistryDate(monthFirst)]).toEqual(
          isCertain ? [iso, iso] : [null, null],
        );
      }),
    );
  });

  test("reads a year of two digits only where no other day can be meant", () => {
    const orders = [
      (a: number, b: number, c: number) => [c, b, a],
      (a: number, b: number, c: number) => [c, a, b],
      (a: number, b: number, c: number) => [a, b, c],
    ] as const;
    const isDay = ([, month = 0, day = 0]: readonly number[]): boolean =>
      month >= 1 && month <= 12 && day >= 1 && day <= 28;
    const digits = fc.integer({ min: 0, max: 28 });
    fc.assert(
      fc.property(digits, digits, fc.oneof(digits, fc.integer({ min: 85, max: 99 })), (a, b, c) => {
        const readings = new Set(
          orders
            .map((order) => order(a, b, c))
            .filter(isDay)
            .map(String),
        );
        const read = parseRegistryDate([a, b, c].map(padded).join("-"));
        const [year = 0, month = 0, day = 0] = [...readings][0]?.split(",").map(Number) ?? [];
        const only = `${year + (year >= 85 ? 1900 : 2000)}-${padded(month)}-${padded(day)}T00:00:00Z`;
        expect(read).toBe(readings.size === 1 ? only : null);
      }),
    );
  });

  test.each([
    "bg ca cs da de el en-GB en-US es et fi fr hu id it ja ko nb nl pl pt ro ru sk sl sv tr uk zh".split(" "),
  ])("reads a date as %s writes it with the name of its month, or not at all", (...languages) => {
    for (const language of languages) {
      const written = new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" });
      fc.assert(
        fc.property(days, ({ year, month, day }) => {
          const text = written.format(new Date(Date.UTC(year, month - 1, day)));
          const iso = `${year}-${padded(month)}-${padded(day)}T00:00:00Z`;
          expect([language, text, parseRegistryDate(text)]).toEqual([
            language,
            text,
            /listopad/.test(text) && language === "pl" ? null : iso,
          ]);
        }),
        { numRuns: 60 },
      );
    }
  });

  test.each(["hr", "sr-Latn", "lt", "lv", "vi", "eu", "gl", "ms", "is", "ar", "fa", "th", "hi", "he"])(
    "reads no other day out of a date that %s writes",
    (language) => {
      const written = new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" });
      fc.assert(
        fc.property(days, ({ year, month, day }) => {
          const read = parseRegistryDate(written.format(new Date(Date.UTC(year, month - 1, day))));
          expect(read ?? "none").toMatch(new RegExp(`^(?:none|${year}-${padded(month)}-${padded(day)}T.*)$`));
        }),
      );
    },
  );

  test("takes a time without zone as the registry's own, a bare date as it stands", () => {
    expect(parseRegistryDate("2003-01-15 10:20:30", { zoneMinutes: 480 })).toBe("2003-01-15T02:20:30Z");
    expect(parseRegistryDate("2003-01-15", { zoneMinutes: 480 })).toBe("2003-01-15T00:00:00Z");
  });

  test("gives ISO 8601 to the second or null, of any text", () => {
    const piece = fc.constantFrom(
      "2003",
      "-",
      "/",
      ".",
      " ",
      "1",
      "15",
      "jan",
      "t",
      ":",
      "z",
      "+",
      "before ",
      "9",
    );
    const text = fc.oneof(
      fc.string(),
      fc.array(piece, { maxLength: 14 }).map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(text, (input) => {
        const instant = parseRegistryDate(input);
        expect(instant ?? "2003-01-15T00:00:00Z").toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      }),
    );
  });

  test("reads every instant back from ISO 8601", () => {
    const instants = fc.date({
      min: new Date("1971-01-01"),
      max: new Date("9999-12-31"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(instants, (instant) => {
        const iso = `${instant.toISOString().slice(0, 19)}Z`;
        expect(parseRegistryDate(instant.toISOString())).toBe(iso);
      }),
    );
  });
});
