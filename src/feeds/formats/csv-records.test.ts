import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type CsvDialect, type CsvFields, recordsOf, splitRecord } from "./csv-records.ts";
import { type DroppedRow, droppedRow, MAX_LINE_CHARS } from "./format.ts";

const COMMAS = { delimiter: ",", trim: true };
const isData = (line: string) => line.trim() !== "" && !line.startsWith("#");
const dataOf = (line: string) => (isData(line) ? line : null);
const read = (text: string, dialect: CsvDialect = COMMAS) => [
  ...recordsOf(text.split("\n"), dialect, dataOf),
];

/** The rule, word for word: a record is the fewest lines that close its quotes, within a row's length. */
function readByRule(text: string, dialect: CsvDialect): (CsvFields | DroppedRow)[] {
  const lines = text.split("\n");
  const records: (CsvFields | DroppedRow)[] = [];
  while (lines.length > 0) {
    const [first = ""] = lines;
    const record = isData(first) ? recordAt(lines, dialect) : null;
    if (record !== null) records.push(record.fields);
    lines.splice(0, record?.lines ?? 1);
  }
  return records;
}

function recordAt(
  lines: readonly string[],
  dialect: CsvDialect,
): { lines: number; fields: CsvFields | DroppedRow } {
  for (let count = 1; count <= lines.length; count++) {
    const text = lines.slice(0, count).join("\n");
    const fields = splitRecord(text, dialect);
    if (fields !== "open") {
      const last = lines[count - 1] ?? "";
      // What stands behind a closing quote is lost only within one line.
      const isBroken = count > 1 && !/^(?:[^"]|"")*"\s*(?:,|$)/.test(last);
      if (!isBroken) return { lines: count, fields };
      break;
    }
    if (text.length > MAX_LINE_CHARS) break;
    if (count > 1 && isBrokenOnTheWay(lines[count - 1] ?? "")) break;
  }
  return { lines: 1, fields: droppedRow(lines[0] ?? "") };
}

const isBrokenOnTheWay = (line: string): boolean =>
  /(?<!")(?:"")*"(?!")/.test(line) && !/^(?:[^"]|"")*"\s*(?:,|$)/.test(line);

describe("recordsOf()", () => {
  test("a field between quotes goes over lines, within a row's length", () => {
    expect(read('a,"b\n#c\n\nd",e\nf')).toEqual([["a", "b\n#c\n\nd", "e"], ["f"]]);
    const long = `${"b".repeat(1000)}\n`.repeat(5);
    expect(read(`"${long}",e\nf`)[0]).toEqual(droppedRow(`"${"b".repeat(1000)}`));
  });

  test("a quote that ends no field costs its own line", () => {
    expect(read('a,"b\nc\nd"e\nf')).toEqual([droppedRow('a,"b'), ["c"], ['d"e'], ["f"]]);
    expect(read('"a\n"b\n"c"')).toEqual([droppedRow('"a'), droppedRow('"b'), ["c"]]);
    expect(read('","a","\n'.repeat(3))).toEqual(Array(3).fill(droppedRow('","a","')));
  });

  test("any text is read by the rule", () => {
    const piece = fc.constantFrom(
      '"',
      '""',
      ",",
      "\n",
      "\n\n",
      '\n"',
      '"\n',
      "a",
      " ",
      "#",
      "b".repeat(1500),
    );
    const dialect = fc.record({ delimiter: fc.constant(","), trim: fc.boolean() });
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), dialect, (pieces, given) => {
        const text = pieces.join("");
        expect(read(text, given)).toEqual(readByRule(text, given));
      }),
      { numRuns: 2000 },
    );
  });

  // Read anew from each line, the second one would not end within the test's time.
  test.each([
    '","\n',
    '","a","\n',
    'a,"\n',
    '"a\n',
    `"x\n${'","\n'.repeat(1000)}`,
    `"a\n${'""'.repeat(1500)}\n`,
    `${'"",'.repeat(1300)}"\n`,
  ])("a megabyte of quotes without an end is read to its end: %#", (unit) => {
    const count = Math.ceil(1e6 / unit.length);
    const { length } = unit.split("\n");
    const records = read(`${unit.repeat(count)}last`);
    expect(records.length).toBeGreaterThan(count / length);
    expect(records.at(-1)).toEqual(["last"]);
  });
});
