import { describe, expect, test } from "vitest";
import { CallFailure } from "../web/api/failure.ts";
import { bestColumn, countLines, piecesOf, readSheet } from "../web/app/bulk/csv-in.ts";
import { decodeText } from "../web/app/bulk/decode-text.ts";
import { createPresses } from "../web/app/lookup/presses.ts";
import { wordedAs } from "../web/app/sign-in/sign-in-words.ts";
import { signUpFault } from "../web/app/sign-in/sign-up-faults.ts";

describe("what bulk reads", () => {
  test("is lines as they are, with their numbers, and empty ones without cells", () => {
    const sheet = readSheet("9.9.9.9\r\nnothing\n\n example.com ");
    expect(sheet).toEqual({
      columns: ["Column 1"],
      firstLine: 1,
      rows: [["9.9.9.9"], ["nothing"], [], ["example.com"]],
      openQuote: null,
    });
    expect([countLines(sheet), bestColumn(sheet)]).toEqual([3, 0]);
  });

  test("is CSV with its head and the column that holds the most to look up", () => {
    const sheet = readSheet('name,address\n"a,b",9.9.9.9\nc,example.com\n,\n');
    expect(sheet).toEqual({
      columns: ["name", "address"],
      firstLine: 2,
      rows: [["a,b", "9.9.9.9"], ["c", "example.com"], [], []],
      openQuote: null,
    });
    expect(bestColumn(sheet)).toBe(1);
  });

  test.each([",", ";", "\t", "|"])(
    "is columns apart by %j, however few, with empty lines counted",
    (separator) => {
      const text = `name${separator}ip\n\nanna${separator}9.9.9.9\nbob${separator}8.8.8.8\n\n`;
      expect(readSheet(text)).toEqual({
        columns: ["name", "ip"],
        firstLine: 2,
        rows: [[], ["anna", "9.9.9.9"], ["bob", "8.8.8.8"], [], []],
        openQuote: null,
      });
    },
  );

  test.each([
    { why: "one URL", text: "https://x.example/a,b" },
    { why: "one URL with a path parameter", text: "https://x.example/a;id=1?q=2\n" },
    { why: "URLs of which some hold commas", text: "https://x.example/a,b,c\n\nhttps://y.example/\n" },
  ])("leaves $why whole", ({ text }) => {
    const { columns, rows } = readSheet(text);
    expect(columns).toEqual(["Column 1"]);
    expect(rows.flat()).toEqual(text.split("\n").filter((line) => line !== ""));
  });

  test("takes URLs with something beside each for a table", () => {
    const sheet = readSheet("https://x.example/a,2026\nhttps://y.example/b,2027");
    expect(sheet.rows).toEqual([
      ["https://x.example/a", "2026"],
      ["https://y.example/b", "2027"],
    ]);
    expect(bestColumn(sheet)).toBe(0);
  });

  test("names the row of a quote that is never closed", () => {
    expect(readSheet('ip,name\n1.1.1.1,"a"\n8.8.8.8,"b\n9.9.9.9,c\n').openQuote).toBe(3);
  });

  test.each([
    { why: "UTF-8", bytes: Buffer.from("ip,ö"), text: "ip,ö" },
    { why: "UTF-8 with a mark", bytes: Buffer.from("\ufeffip,ö"), text: "ip,ö" },
    { why: "UTF-16, little end first", bytes: Buffer.from("\ufeffip,ö", "utf16le"), text: "ip,ö" },
    { why: "UTF-16, big end first", bytes: Buffer.from("\ufeffip,ö", "utf16le").swap16(), text: "ip,ö" },
    { why: "UTF-16 without a mark", bytes: Buffer.from("ip,a", "utf16le"), text: null },
    { why: "Latin-1", bytes: Buffer.from("ip,ö", "latin1"), text: null },
    { why: "a spreadsheet", bytes: Buffer.from("504b0304140000000800", "hex"), text: null },
    { why: "nothing", bytes: Buffer.alloc(0), text: "" },
  ])("of a file is its text: $why", ({ bytes, text }) => {
    expect(decodeText(bytes)).toBe(text);
  });

  test("goes in pieces that a call takes, and together they are all of it", () => {
    const rows = Array.from({ length: 10_000 }, (_, at) => [`${at}.example.com`, "ö".repeat(40)]);
    const pieces = piecesOf({ firstLine: 2, rows });
    expect(pieces.length).toBeGreaterThan(4);
    expect(pieces.flatMap((piece) => piece.rows)).toEqual(rows);
    let next = 2;
    for (const piece of pieces) {
      expect(piece.firstLine).toBe(next);
      next += piece.rows.length;
      expect(Buffer.byteLength(JSON.stringify(piece.rows))).toBeLessThan(262_144 - 1000);
    }
  });
});

describe("presses", () => {
  test("the second of two asks and cancels nothing; the same again is meant after two seconds, another at once", () => {
    let nowMs = 5;
    const presses = createPresses(() => nowMs);
    expect(presses.isFresh()).toBe(false);
    expect(presses.isRepeated("a")).toBe(false);
    for (const [at, what, isRepeated, isFresh] of [
      [5, "a", true, true],
      [704, "a", true, true],
      [705, "a", true, false],
      [706, "b", false, true],
      [2_600, "b", true, false],
      [2_706, "b", false, true],
    ] as const) {
      nowMs = at;
      expect([at, presses.isRepeated(what), presses.isFresh()]).toEqual([at, isRepeated, isFresh]);
    }
    // What failed may be tried again.
    presses.forget();
    expect(presses.isRepeated("b")).toBe(false);
  });
});

describe("the words of the forms before signing in", () => {
  const refused = new CallFailure({
    status: 401,
    code: "SIGN_IN_FAILED",
    message: "Wrong API key or code",
    requestId: "r",
    retryAfterS: null,
    faults: [],
    cost: null,
  });

  test.each([
    [{ api_key: "k" }, "Wrong API key"],
    [{ api_key: "k", totp_code: "123456" }, "Wrong API key or code"],
    [{ email: "e", password: "p" }, "Wrong e-mail address or password"],
    [{ email: "e", password: "p", totp_code: "123456" }, "Wrong e-mail address, password or code"],
  ])("%o: %s", (sent, message) => {
    expect(wordedAs(refused, sent)).toMatchObject({ message, status: 401, requestId: "r" });
  });

  test("sign-up names a plain fault before anything is sent, and leaves the rest to the service", () => {
    const fields = (email: string) => signUpFault({ email })?.faults.map(({ field }) => field) ?? [];
    expect(fields("ada")).toEqual(["email"]);
    expect(fields("ada@example.org")).toEqual([]);
  });
});
