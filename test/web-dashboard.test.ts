import { describe, expect, test } from "vitest";
import { CallFailure } from "../web/api/failure.ts";
import { checkColumn, readSheet } from "../web/app/bulk/csv-in.ts";
import { CSV_HEAD, csvRows } from "../web/app/bulk/csv-out.ts";
import { summarise } from "../web/app/bulk/summary.ts";
import { createPresses } from "../web/app/lookup/presses.ts";
import { wordedAs } from "../web/app/sign-in/sign-in-words.ts";
import { signUpFault } from "../web/app/sign-in/sign-up-faults.ts";

const reportOf = (verdict: string, purpose: string | null) => ({
  risk_score: { result: 0, verdict },
  blacklists: { detections: 0, engines_count: 12 },
  information: { special_purpose: purpose === null ? null : { name: purpose }, country_code: "" },
});

const answered = (input: string) =>
  summarise({ input, status: "success", result: reportOf("clean", null), error: null });

describe("what bulk gives out", () => {
  test("has a row for each line, in order, whatever became of it", () => {
    const sheet = readSheet("9.9.9.9\nnothing\n\n9.9.9.9\n1.1.1.1\n8.8.8.8", "ip");
    const given = checkColumn(sheet, 0, "ip");
    const rows = csvRows(given, [answered("9.9.9.9"), answered("1.1.1.1")]);
    expect(rows.map((row) => [row[0], row[1], row[6]])).toEqual([
      ["9.9.9.9", "success", ""],
      ["nothing", "not_sent", "Line 2: not like a valid value"],
      ["9.9.9.9", "not_sent", "Line 4: the same as line 1"],
      ["1.1.1.1", "success", ""],
      ["8.8.8.8", "not_sent", "Stopped before it was sent"],
    ]);
    expect(rows.every((row) => row.length === CSV_HEAD.length)).toBe(true);
  });

  test("names the purpose of an address that nothing can be said about, and scores it not", () => {
    const row = summarise({
      input: "192.0.2.1",
      status: "success",
      result: reportOf("not_applicable", "documentation"),
      error: null,
    });
    expect(row).toMatchObject({ score: null, detections: null, engines: null, note: "documentation" });
    expect(answered("9.9.9.9")).toMatchObject({ score: 0, detections: 0, engines: 12 });
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
    message: "No account opens with this API key and code",
    requestId: "r",
    retryAfterS: null,
    faults: [],
    cost: null,
  });

  test.each([
    [{ api_key: "k" }, "No account opens with this API key"],
    [{ api_key: "k", totp_code: "123456" }, "No account opens with this API key and code"],
    [{ email: "e", password: "p" }, "No account opens with this e-mail address and password"],
    [
      { email: "e", password: "p", totp_code: "123456" },
      "No account opens with this e-mail address, password and code",
    ],
  ])("%o: %s", (sent, message) => {
    expect(wordedAs(refused, sent)).toMatchObject({ message, status: 401, requestId: "r" });
  });

  test("sign-up names a plain fault before anything is sent, and leaves the rest to the service", () => {
    const fields = (email: string) => signUpFault({ email })?.faults.map(({ field }) => field) ?? [];
    expect(fields("ada")).toEqual(["email"]);
    expect(fields("ada@example.org")).toEqual([]);
  });
});
