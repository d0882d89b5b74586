import fc from "fast-check";
import { expect, test } from "vitest";
import { CATEGORIES } from "../engines/kind.ts";
import { createLabelTable } from "./label-table.ts";
import { type Label, labelSections, labelsIn } from "./labels.ts";

const words = fc.uniqueArray(fc.constantFrom("a", "b", "é", "abuse", "z_9", "long.name"), { maxLength: 5 });
const label: fc.Arbitrary<Label> = fc.record({
  families: words.map((some) => some.sort()),
  categories: fc.uniqueArray(fc.constantFrom(...CATEGORIES), { maxLength: 4 }).map((some) => some.sort()),
  sources: words.map((some) => some.sort()),
  isChallenged: fc.boolean(),
});

test("labels say the same after they were written and read", () => {
  fc.assert(
    fc.property(fc.array(label, { maxLength: 30 }), fc.array(label, { maxLength: 5 }), (some, others) => {
      const table = createLabelTable();
      for (const other of others) table.add(other);
      const picked = table.pick(some.map(table.add));
      const read = labelsIn(labelSections(picked, "x."), "x.");
      expect(read.count).toBe(some.length);
      expect(some.map((_, place) => read.at(place))).toEqual(some);
      expect(some.map((_, place) => read.isChallenged(place))).toEqual(some.map((one) => one.isChallenged));
      expect(read.vocabulary.sources).toEqual([...new Set(some.flatMap(({ sources }) => sources))].sort());
    }),
  );
});

test("the same labels are the same bytes, whatever else a build met before them", () => {
  fc.assert(
    fc.property(fc.array(label, { maxLength: 20 }), fc.array(label, { maxLength: 20 }), (some, others) => {
      const alone = createLabelTable();
      const table = createLabelTable();
      for (const other of others) table.add(other);
      const sections = labelSections(table.pick(some.map(table.add)), "");
      expect(sections).toEqual(labelSections(alone.pick(some.map(alone.add)), ""));
    }),
  );
});

test("a joined label names what some of its members name, and is challenged where all of them are", () => {
  const base = { families: ["f"], categories: ["abuse"], sources: ["one"], isChallenged: true } as const;
  const table = createLabelTable();
  const [first, second, firm] = [base, { ...base, sources: ["two"] }, { ...base, isChallenged: false }].map(
    table.add,
  );
  const joined = table.pick([table.join([first ?? 0, second ?? 0]), table.join([second ?? 0, firm ?? 0])]);
  expect(joined.at(0)).toEqual({ ...base, sources: ["one", "two"] });
  expect(joined.isChallenged(1)).toBe(false);
  expect(joined.at(7)).toEqual({ families: [], categories: [], sources: [], isChallenged: false });
});
