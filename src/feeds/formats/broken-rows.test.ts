import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { feed } from "../../../test/feed-world.ts";
import { feedTextOf } from "../feed-text.ts";
import { loadFeed } from "../load.ts";
import { allFormats } from "./all.ts";
import type { FormatOptions } from "./format.ts";

/** Values that a format reads, and dropped rows behind "! ". */
function read(format: string, text: string, options: FormatOptions = {}): readonly string[] {
  const entries = allFormats
    .find(({ name }) => name === format)
    ?.parse(feedTextOf(Buffer.from(text)), options);
  return [...(entries ?? [])].flatMap((entry) =>
    "value" in entry ? [entry.value] : "dropped" in entry ? [`! ${entry.dropped}`] : [],
  );
}

describe("a quote in a row of csv that ends no field", () => {
  test.each([
    ['a.example,"x\nb.example,y\nc.example,z', "is never closed"],
    ['a.example,"x\nb.example,"y"\nc.example,z', "seems to be closed where the next row opens one"],
    ['a.example,"x\n\n# comment\nb.example,y\nc.example,"z"', "has blank lines and comments behind it"],
    ['a.example,"\n"b.example","y"\nc.example,"z"', "has quoted rows behind it"],
  ])("drops its own row alone: %j", (text) => {
    expect(read("csv", text)).toEqual([`! ${text.split("\n")[0]}`, "b.example", "c.example"]);
  });

  test("is none where a field of several lines ends as one", () => {
    const text = 'a.example,"two\n# lines\n\nwith ""quotes""" ,x\nb.example,y';
    expect(read("csv", text)).toEqual(["a.example", "b.example"]);
  });

  test("hides no row without quotes behind it, wherever it stands", () => {
    const row = fc.constantFrom("N,x", 'N,"x"', 'N,"x', 'N,"x""', '"N,x', '"N","x"y', "N", '"');
    fc.assert(
      fc.property(fc.array(row, { maxLength: 12 }), (rows) => {
        const names = rows.map((text, i) => text.replace("N", `n${i}.example`));
        const bare = names.filter((text) => !text.includes('"')).map((text) => text.split(",")[0]);
        const found = read("csv", `${names.join("\n")}\nlast.example`);
        // What stands between two quotes that fit together is one field.
        const hidden = bare.filter((name) => !found.includes(name ?? ""));
        for (const name of hidden) expect(isBetweenQuotes(names, name ?? "")).toBe(true);
        expect(found.at(-1)).toBe("last.example");
      }),
    );
  });
});

/** Whether a quote is open in front of the row, and one is behind it. */
function isBetweenQuotes(rows: readonly string[], name: string): boolean {
  const at = rows.findIndex((text) => text.startsWith(name));
  return (
    rows.slice(0, at).join("").includes('"') &&
    rows
      .slice(at + 1)
      .join("")
      .includes('"')
  );
}

describe("a row of addresses with blanks in it", () => {
  test.each([
    ["198.51.100.0 - 198.51.100.255", "198.51.100.0-198.51.100.255"],
    ["198.51.100.0 -198.51.100.255 scanner", "198.51.100.0-198.51.100.255"],
    ["198.51.100.0- 198.51.100.255", "198.51.100.0-198.51.100.255"],
    ["2001:db8:: - 2001:db8::ff", "2001:db8::-2001:db8::ff"],
    ["198.51.100.0 255.255.255.0", "198.51.100.0/255.255.255.0"],
    ["198.51.100.4 - scanner", "198.51.100.4"],
    ["198.51.100.4 - 17 reports", "198.51.100.4"],
    ["198.51.100.0 /24", "198.51.100.0/24"],
    ["198.51.100.0\t/24\tdropped", "198.51.100.0/24"],
    ["2001:db8:: /48", "2001:db8::/48"],
    ["198.51.100.4 / 17 reports", "198.51.100.4"],
    ["198.51.100.4 /var/log", "198.51.100.4"],
    ["198.51.100.4 to 198.51.100.9", "198.51.100.4-198.51.100.9"],
    ["198.51.100.4 to 17 hosts", "198.51.100.4"],
    ["198.51.100.4 \u2014 198.51.100.9", "198.51.100.4-198.51.100.9"],
    ["198.51.100.4 \u2014 17 reports", "198.51.100.4"],
    ["198.51.100.0 - 198.51.100.255, 100, Example Org", "198.51.100.0-198.51.100.255"],
    ["198.051.100.000 - 198.051.100.255 , 000 , Example", "198.051.100.000-198.051.100.255"],
    ["198.51.100.0 - 198.51.100.255;scanner", "198.51.100.0-198.51.100.255"],
    ["198.51.100.0 - 198.51.100.255.", "198.51.100.0-198.51.100.255"],
    // A connection, as flow logs have it.
    ["198.51.100.7 -> 203.0.113.10", "198.51.100.7"],
    ["198.51.100.7:4711 -> 203.0.113.10:22", "198.51.100.7:4711"],
    ["198.51.100.7 => 203.0.113.10", "198.51.100.7"],
    ["198.51.100.7 - 10:20:30 last seen", "198.51.100.7"],
    ["198.51.100.7 - aa:bb:cc:dd:ee:ff", "198.51.100.7"],
    ["198.51.100.0 .. 198.51.100.255", "198.51.100.0-198.51.100.255"],
    ["198.51.100.0 ~ 198.51.100.255", "198.51.100.0-198.51.100.255"],
    ["198.51.100.0 through 198.51.100.255", "198.51.100.0-198.51.100.255"],
    ["2001:db8:: thru 2001:db8::ff", "2001:db8::-2001:db8::ff"],
    ["198.51.100.0 netmask 255.255.255.0", "198.51.100.0/255.255.255.0"],
    ["198.51.100.0 mask 255.255.255.0, scanner", "198.51.100.0/255.255.255.0"],
    ["198.51.100.4 ... 17 reports", "198.51.100.4"],
    ["198.51.100.4 -> 443", "198.51.100.4"],
    ["2001:db8::7 - cafe", "2001:db8::7"],
    ["198.51.100.4 2026-11-01", "198.51.100.4"],
    // The ends of one network; any other two addresses may be the ends of a connection.
    ["198.51.100.0 198.51.100.255", "198.51.100.0-198.51.100.255"],
    ["198.51.64.0\t198.51.127.255\t18 Example Org", "198.51.64.0-198.51.127.255"],
    ["198.051.100.008 198.051.100.015, scanner", "198.051.100.008-198.051.100.015"],
    ["2001:db8:: 2001:db8:0:ffff:ffff:ffff:ffff:ffff", "2001:db8::-2001:db8:0:ffff:ffff:ffff:ffff:ffff"],
    ["198.51.100.4 198.51.100.9", "198.51.100.4"],
    ["198.51.100.255 198.51.100.0", "198.51.100.255"],
    ["198.51.100.7 198.51.100.7", "198.51.100.7"],
    ["198.51.100.0 198.51.100.2555", "198.51.100.0"],
    ["2001:db8:: cafe", "2001:db8::"],
  ])("is %s, in a list of any rows and in one of networks", (text, value) => {
    expect([read("plain", text), read("netset", text)]).toEqual([[value], [value]]);
  });

  test.each([
    "198.51.100.4 - 198.51.100.256",
    "198.51.100.9 - 198.51.100.4",
    "198.51.100.4 to 2001:db8::7",
    "2001:db8::7 .. 2001:db8:::9",
  ])("gives no entry where the end is none, and is counted: %s", (text) => {
    for (const format of ["plain", "netset"]) {
      const counts = loadFeed(feed("", { format }), feedTextOf(Buffer.from(text)), null);
      expect(counts).toMatchObject({ entries: 0, dropped: 1, notUnderstood: 1 });
    }
  });

  test.each([
    "bad.example - 198.51.100.4",
    "abc.de - 198.51.100.4",
    "http://bad.example/a-b - 198.51.100.4",
    "bob@bad.example - spam",
  ])("is none where a name stands first: %s", (text) => {
    expect(read("plain", text)).toEqual([text.split(" ")[0]]);
  });
});
