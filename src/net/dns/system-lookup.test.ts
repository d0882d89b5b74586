import { expect, test } from "vitest";
import { createSystemLookup } from "./system-lookup.ts";

test("equal names under way are asked once, and one that failed not again for half a minute", async () => {
  let nowMs = 0;
  const asked: string[] = [];
  const lookup = createSystemLookup(
    async (name) => {
      asked.push(name);
      if (name === "nobody.example") throw new Error("ENOTFOUND");
      return ["192.0.2.1"];
    },
    { monotonicMs: () => nowMs },
  );
  expect(await Promise.all([lookup("a.example"), lookup("a.example")])).toEqual([
    ["192.0.2.1"],
    ["192.0.2.1"],
  ]);
  await expect(lookup("nobody.example")).rejects.toThrow("ENOTFOUND");
  expect(await lookup("nobody.example")).toEqual([]);
  nowMs = 30_001;
  await expect(lookup("nobody.example")).rejects.toThrow("ENOTFOUND");
  await lookup("a.example");
  expect(asked).toEqual(["a.example", "nobody.example", "nobody.example", "a.example"]);
});
