import { describe, expect, test } from "vitest";
import { DatabaseClosed, DatabaseStandby, isDatabaseUnavailable } from "./unavailable.ts";

const withCode = (code: string, message = "failed") => Object.assign(new Error(message), { code });
const sqlite = (errcode: number) => Object.assign(withCode("ERR_SQLITE_ERROR"), { errcode });

describe("isDatabaseUnavailable()", () => {
  test.each([
    [sqlite(5), "SQLITE_BUSY"],
    [sqlite(261), "SQLITE_BUSY_RECOVERY: the low byte decides"],
    [sqlite(8), "SQLITE_READONLY"],
    [sqlite(10 | (4 << 8)), "SQLITE_IOERR_FSYNC"],
    [sqlite(13), "SQLITE_FULL"],
    [sqlite(14), "SQLITE_CANTOPEN"],
    [withCode("ECONNREFUSED"), "no server"],
    [withCode("53100"), "PostgreSQL disk full"],
    [withCode("57P01"), "PostgreSQL shut down"],
    [withCode("25006"), "PostgreSQL read-only"],
    [withCode("25P04"), "PostgreSQL's transaction_timeout"],
    [withCode("42501"), "PostgreSQL: rights taken away"],
    [withCode("XX001"), "PostgreSQL: data corrupted"],
    [withCode("55000"), "PostgreSQL: the database accepts no connections"],
    [Object.assign(withCode("22023"), { severity: "FATAL" }), "PostgreSQL ended the connection"],
    [new Error("Connection terminated unexpectedly"), "the driver's text"],
    [new Error("timeout exceeded when trying to connect"), "no connection free"],
    [new DatabaseClosed(), "closed here"],
    [new DatabaseStandby(), "PostgreSQL is a standby"],
    [new Error("Cannot charge", { cause: new Error("x", { cause: sqlite(13) }) }), "the cause of a cause"],
  ])("is true for %s: %s", (error) => {
    expect(isDatabaseUnavailable(error)).toBe(true);
  });

  test.each<[unknown, string]>([
    [sqlite(2067), "SQLITE_CONSTRAINT_UNIQUE"],
    [sqlite(1), "SQLITE_ERROR: our SQL is wrong"],
    [withCode("23505"), "unique violation"],
    [withCode("42P01"), "undefined table"],
    [Object.assign(withCode("22023"), { severity: "ERROR" }), "a value that PostgreSQL refuses"],
    [new TypeError("x is not a function"), "a fault of ours"],
    ["SQLITE_FULL", "no error"],
    [null, "nothing"],
  ])("is false for %s: %s", (error) => {
    expect(isDatabaseUnavailable(error)).toBe(false);
  });
});
