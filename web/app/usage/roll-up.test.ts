import { describe, expect, test } from "vitest";
import { type Dimension, rollUp, type UsageRecord } from "./roll-up.ts";

const row = (status: number, calls: number, items: number, credits: number): UsageRecord => ({
  day: "2026-11-27",
  endpoint: "bulk/check-ip",
  key_id: "k",
  key_prefix: "rpt_abcdefgh",
  key_name: "",
  status,
  calls,
  items,
  credits,
});

describe.each(["endpoint", "key"] satisfies Dimension[])("by %s", (by) => {
  test.each([402, 403, 422, 429, 500, 503])(
    "items of calls that ended with %i are none that were looked up",
    (status) => {
      const { total, groups } = rollUp([row(200, 6, 98, 98), row(status, 15, 177, 0)], by, ["2026-11-27"]);
      expect(total).toMatchObject({ answered: 6, items: 98, credits: 98 });
      expect(groups).toMatchObject([{ answered: 6, items: 98, credits: 98 }]);
      expect(total.refused + total.failed).toBe(15);
    },
  );
});
