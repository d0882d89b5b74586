import { expect, test } from "vitest";
import { createSchemaJudge } from "./json-schema.ts";

const judge = createSchemaJudge({
  components: {
    schemas: {
      Part: {
        id: "Part",
        type: "object",
        properties: { n: { type: "integer" } },
        required: ["n"],
      },
      Open: { type: "object", properties: {}, additionalProperties: { type: "string" } },
    },
  },
});
const PART = { $ref: "#/components/schemas/Part" };
const OPEN = { $ref: "#/components/schemas/Open" };
const EITHER = { anyOf: [PART, { type: "null" }] };
// A member may have the name of a keyword.
const NAMED = {
  type: "object",
  properties: { type: { type: "string" }, properties: { type: "object" }, id: { type: ["integer", "null"] } },
};

test.each([
  ["what the schema says", PART, { n: 1 }, 0],
  ["a member that is missing", PART, {}, 1],
  ["a member too many", PART, { n: 1, m: 2 }, 1],
  ["each fault", PART, { m: 1, o: 2 }, 3],
  ["a fraction", PART, { n: 1.5 }, 1],
  ["an integer that no double holds exactly", PART, { n: 2 ** 53 }, 1],
  ["null where a schema allows it", EITHER, null, 0],
  ["members of any name where a schema allows them", OPEN, { a: "b" }, 0],
  ["another type of theirs", OPEN, { a: 1 }, 1],
  ["members with names of keywords", NAMED, { type: "a", properties: { b: 1 }, id: null }, 0],
  ["a member too many beside them", NAMED, { items: [] }, 1],
  ["an integer beside null", NAMED, { id: 2 ** 60 }, 1],
  ["a member too many of what may be null", { ...NAMED, type: ["null", "object"] }, { items: [] }, 1],
])("judges %s", (_what, schema, value, faults) => {
  expect(judge(schema, value)).toHaveLength(faults);
});

test("names the place of a fault", () => {
  expect(judge({ type: "array", items: PART }, [{ n: 1 }, { n: "a" }], "results")).toEqual([
    'results.1.n must be integer {"type":"integer"}',
  ]);
});

test.each([{ maxLenght: 3 }, { $ref: "#/components/schemas/None" }])(
  "refuses a schema that it cannot read: %j",
  (schema) => {
    expect(() => judge(schema, 1)).toThrow();
  },
);
