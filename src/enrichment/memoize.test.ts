import fc from "fast-check";
import { expect, test } from "vitest";
import { createRecent } from "./memoize.ts";

test("what was used last is there, and never more than it may hold", () => {
  const max = 8;
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), fc.nat(20)), { maxLength: 200 }), (uses) => {
      const recent = createRecent<number>(max);
      const order: number[] = [];
      for (const [isSet, key] of uses) {
        const found = recent.get(String(key));
        const isAmongLast = order.slice(0, max / 2).includes(key);
        if (isAmongLast) expect(found).toBe(key);
        if (found === undefined && !isSet) continue;
        recent.set(String(key), key);
        if (order.includes(key)) order.splice(order.indexOf(key), 1);
        order.unshift(key);
      }
      const held = Array.from({ length: 21 }, (_, key) => recent.get(String(key)));
      expect(held.filter((value) => value !== undefined).length).toBeLessThanOrEqual(max);
      expect(recent.get("never")).toBeUndefined();
    }),
  );
});
