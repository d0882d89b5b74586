import { describe, expect, test } from "vitest";
import { CallFailure } from "../web/api/failure.ts";
import { bestColumn, countLines, piecesOf, readSheet } from "../web/app/bulk/csv-in.ts";
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
    });
    expect([countLines(sheet), bestColumn(sheet)]).toEqual([3, 0]);
  });

  test("is CSV with its head and the column that holds the most to look up", () => {
    const sheet = readSheet('name,address\n"a,b",9.9.9.9\nc,example.com\n,\n');
    expect(sheet).toEqual({
      columns: ["name", "address"],
      firstLine: 2,
      rows: [["a,b", "9.9.9.9"], ["c", "example.com"], [], []],
    });
    expect(bestColumn(sheet)).toBe(1);
  });

  test("goes in pieces that a call takes, and together they are all of it", () => {
    const rows = Array.from({ length: 10_000 }, (_, at) => [`${at}.example.com`, "ö".repeat(40)]);
    const pieces = piecesOf({ columns: ["a", "b"], firstLine: 2, rows });
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
