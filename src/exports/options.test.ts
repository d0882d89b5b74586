import { expect, test } from "vitest";
import { exportsOptionsSchema } from "./options.ts";

/** What is wrong with the options of one export: the option, and the message. */
const faultsOf = (options: object): readonly string[] => {
  const read = exportsOptionsSchema.safeParse([{ name: "a", ...options }]);
  return read.success
    ? []
    : read.error.issues.map(({ path, message }) => `${path.slice(1).join(".")}: ${message}`);
};
const allow = (more: object) => ({ kind: "allow", ...more });
const NO_FILTER = "An allow export is chosen by services alone: it has no such filter";

test.each([
  [allow({ policy: "edge" }), [`policy: ${NO_FILTER}`]],
  [allow({ categories: ["c2"] }), [`categories: ${NO_FILTER}`]],
  [allow({ without: ["c2"] }), [`without: ${NO_FILTER}`]],
  [allow({ families_min: 2 }), [`families_min: ${NO_FILTER}`]],
  [allow({ engines: { only: ["own"] } }), [`engines: ${NO_FILTER}`]],
  [allow({ engines: { without: ["own"] } }), [`engines: ${NO_FILTER}`]],
  [allow({ max_age_days: 3 }), [`max_age_days: ${NO_FILTER}`]],
  [allow({ min_score: 70 }), [`min_score: ${NO_FILTER}`]],
  [allow({ subtract: ["overrides"] }), [`subtract: ${NO_FILTER}`]],
  [allow({ redistribution: "allowed" }), [`redistribution: ${NO_FILTER}`]],
  [allow({ target: "domain" }), ["target: An allow export holds addresses: expected ip"]],
  [{ services: ["cdn"] }, ["services: Only an export of kind: allow has services"]],
  [
    { target: "url", aggregate: { promote: "24:16" } },
    ["aggregate: Only an export of kind: block and target: ip can promote"],
  ],
  [{ aggregate: { promote: "24:257" } }, ["aggregate: A /24 has 256 addresses: 257 are never listed"]],
  [{ aggregate: { promote: "31:3" } }, ["aggregate: A /31 has 2 addresses: 3 are never listed"]],
  [
    { policy: "edge", min_score: 90, families_min: 2 },
    [
      'min_score: The policy "edge" says from which score on: leave out one of them',
      'families_min: The policy "edge" says how many sources it takes: leave out one of them',
    ],
  ],
  [
    { categories: ["spam", "c2"], without: ["c2", "abuse", "spam"] },
    ["without: Nothing is left: each of `categories` is in `without` too"],
  ],
  [
    { engines: { only: ["own"], without: ["own", "other"] } },
    ["engines: Nothing is left: each of `only` is in `without` too"],
  ],
  [{ limit: 5, min_entries: 6 }, ["min_entries: With limit: 5 there are never 6 entries"]],
])("%j would not do what it says, and is refused", (options, faults) => {
  expect(faultsOf(options)).toEqual(faults);
});

test.each([
  [allow({ services: ["cdn", "mail"], limit: 5, min_entries: 5, max_age_h: 1 })],
  [allow({ redistribution: "any", engines: {}, categories: [], policy: null, families_min: 1 })],
  [{ aggregate: { promote: "24:256" } }],
  [{ aggregate: { promote: "8:1" }, limit: 1 }],
  [{ policy: "edge", min_score: 50, families_min: 1 }],
  [{ categories: ["c2", "spam"], without: ["c2"], engines: { only: ["own", "other"], without: ["own"] } }],
  [allow({ min_score: 50, subtract: ["overrides", "allowlists", "shared_infrastructure"] })],
  [{ policy: "edge", categories: ["c2"], engines: { only: ["own"] }, redistribution: "allowed" }],
])("%j is taken", (options) => {
  expect(faultsOf(options)).toEqual([]);
});
