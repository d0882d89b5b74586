import { expect, test } from "vitest";
import { BUDGETS } from "../bench/budgets.ts";

test("no two figures of the bench have one key: the later row would stand for the earlier one", () => {
  const keys = BUDGETS.map(({ key }) => key);
  expect(keys.filter((key, i) => keys.indexOf(key) !== i)).toEqual([]);
});
