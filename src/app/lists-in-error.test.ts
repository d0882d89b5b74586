import { expect, test } from "vitest";
import { list, state } from "../../test/list-states.ts";
import { defineEngines } from "../engines/definitions.ts";
import { allowlistsOptionsSchema, enginesOptionsSchema } from "../engines/options.ts";
import { listsInError } from "./lists-in-error.ts";

const definitions = defineEngines({
  engines: enginesOptionsSchema.parse({
    builtin: false,
    feeds: [list("young"), list("old"), list("off", { enabled: false }), list("broken")],
  }),
  allowlists: allowlistsOptionsSchema.parse([]),
});
const feeds = definitions.flatMap(({ feed }) => feed ?? []);

test("a list that is too old to answer is named with its age, as one that cannot be used", () => {
  const lists = [
    state("young", "2026-11-20T12:00:00Z"),
    state("old", "2026-11-01T12:00:00Z"),
    state("off", "2026-11-01T12:00:00Z"),
    state("broken", "2026-11-20T12:00:00Z", { loaded: false, lastError: "/srv/list: no" }),
  ];
  const installed = { feeds: () => feeds, definitions: () => definitions };
  expect(listsInError(installed, { lists }, new Date("2026-11-21T12:00:00Z"))).toEqual([
    { key: "old", detail: "The data is 20 days old" },
    { key: "broken", detail: "Cannot be used; `repute feeds list` says why" },
  ]);
});
