import fc from "fast-check";
import { expect, test } from "vitest";
import { type CallRow, rollUp, toCallRow } from "./call-rows.ts";

const row: CallRow = toCallRow(
  {
    requestId: "request",
    accountId: "account",
    keyId: "key",
    keyPrefix: "rpt_01234567",
    endpoint: "/api/check-ip",
    targetKind: "ip",
    target: "192.0.2.1",
    items: 1,
    status: 200,
    elapsedMs: 1.5,
    clientAddress: "198.51.100.7",
  },
  { at: new Date("2026-01-01T23:59:59.999Z"), credits: 2, storeTargets: true },
);

test("toCallRow() keeps the target when it may, and whole milliseconds", () => {
  expect(row).toMatchObject({ target: "192.0.2.1", elapsed_ms: 2, credits: 2, at: 1_767_311_999_999 });
});

test("rollUp() parts days at midnight UTC", () => {
  const next = { ...row, at: row.at + 1 };
  expect(rollUp([next, row, row]).map(({ day, calls, credits }) => [day, calls, credits])).toEqual([
    ["2026-01-01", 2, 4],
    ["2026-01-02", 1, 2],
  ]);
});

test("rollUp() loses nothing, repeats no row and sorts them, for any calls", () => {
  const call = fc.record({
    account_id: fc.constantFrom("a", "b"),
    key_id: fc.constantFrom("k", "l"),
    status: fc.constantFrom(200, 402),
    items: fc.nat(100),
    credits: fc.nat(200),
    at: fc.nat(3 * 86_400_000),
  });
  fc.assert(
    fc.property(fc.array(call), (parts) => {
      const calls = parts.map((part) => ({ ...row, ...part }));
      const days = rollUp(calls);
      const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
      expect(sum(days.map((day) => day.calls))).toBe(calls.length);
      expect(sum(days.map((day) => day.items))).toBe(sum(calls.map((one) => one.items)));
      expect(sum(days.map((day) => day.credits))).toBe(sum(calls.map((one) => one.credits)));
      const ids = days.map(
        (day) => `${day.account_id} ${day.day} ${day.endpoint} ${day.key_id} ${day.status}`,
      );
      expect(ids).toEqual([...new Set(ids)].sort());
    }),
  );
});
