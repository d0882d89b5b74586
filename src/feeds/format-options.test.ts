import { describe, expect, test } from "vitest";
import { z } from "zod";
import { operatorFeedSchema } from "../engines/options.ts";
import { feedShape, keySchema } from "./feed.ts";
import { feedTextOf } from "./feed-text.ts";
import { besideFormat, formatOptionFault, optionShapeOf } from "./format-options.ts";
import { allFormats } from "./formats/all.ts";
import type { FeedFormat, FormatOptions } from "./formats/format.ts";

const formatOf = (name: string, options: FeedFormat["options"]): FeedFormat => ({
  name,
  options,
  parse: () => [],
});

describe("the program does not start", () => {
  test.each([
    ["other schemas", z.string(), z.string().min(1)],
    ["other types", z.string(), z.number()],
    ["schemas that look alike", z.string(), z.string()],
  ])("when two formats define one option differently: %s", (_what, one, other) => {
    const formats = [
      formatOf("json", { path: one }),
      formatOf("plain", {}),
      formatOf("jsonl", { path: other }),
    ];
    expect(() => optionShapeOf(formats)).toThrow(
      'The list formats "json" and "jsonl" define the option "path" differently',
    );
  });

  test.each(["url", "key", "name", "target", "format", "refresh_minutes", "headers", "enabled", "category"])(
    "when an option of a format is called %s, as a key of an entry is",
    (name) => {
      const options = { [name]: z.string().optional() };
      const shape = { ...options, ...feedShape, category: z.string(), key: keySchema, name: z.string() };
      expect(() => besideFormat(shape, options)).toThrow(
        `The option "${name}" of a list format has the name of an entry's own key`,
      );
    },
  );

  test("but with formats that share a definition", () => {
    const path = z.string();
    const shape = optionShapeOf([formatOf("json", { path }), formatOf("jsonl", { path })]);
    expect(shape).toEqual({ path });
    const entry = { ...shape, url: z.string() };
    expect(besideFormat(entry, shape)).toBe(entry);
  });
});

const OPTIONS = [...new Set(allFormats.flatMap(({ options }) => Object.keys(options)))];

/** A value that the option's own schema takes. */
function validValue(option: string): unknown {
  const schema = Object(allFormats.find(({ options }) => Object.hasOwn(options, option))?.options[option]);
  const values = [1, "ip", "$[*]", "asn", "dns", true, { "1": 5 }, ";"];
  const value = values.find((candidate) => schema.safeParse(candidate).success);
  if (value === undefined) throw new Error(`No value is known for "${option}"`);
  return value;
}

describe.each(allFormats.map((format) => [format.name, format] as const))("the format %s", (name, format) => {
  const entry = { key: "mine", target: "ip", url: "https://lists.test/", format: name };

  test.each(OPTIONS)("takes %s only if it is its own", (option) => {
    const result = operatorFeedSchema.safeParse({ ...entry, [option]: validValue(option) });
    if (Object.hasOwn(format.options, option)) expect(result.error).toBeUndefined();
    else {
      expect(result.error?.issues).toMatchObject([
        {
          path: [option],
          message: expect.stringContaining(`The format "${name}" has no option "${option}"; `),
        },
      ]);
    }
  });

  test("looks at no option but its own", () => {
    const seen = new Set<string>();
    const options: FormatOptions = new Proxy<Record<string, unknown>>(
      {},
      {
        get: (_target, option) => {
          seen.add(String(option));
          return undefined;
        },
      },
    );
    for (const text of [
      '{"ip":"20.0.0.7"}\n20.0.0.7 1,2\n',
      '[{"ip":"20.0.0.7"}]',
      '{"list":["20.0.0.7"]}',
    ]) {
      try {
        for (const row of format.parse(feedTextOf(Buffer.from(text)), options)) expect(row).toBeTruthy();
      } catch (error) {
        expect(error).toHaveProperty("reason");
      }
    }
    expect(Object.keys(format.options)).toEqual(expect.arrayContaining([...seen]));
  });
});

test.each([
  ["csv", "field", "ip", 'The format "csv" has no option "field"; json and ndjson take it'],
  ["json", "column", "ip", 'The format "json" has no option "column"; csv, abusech_csv and table take it'],
  ["ndjson", "path", "$", 'The format "ndjson" has no option "path"; only json takes it'],
  ["table", "column", "ip", 'The format "table" takes "column" as a 0-based number only'],
])("%s with %s is refused in words", (format, option, value, message) => {
  expect(formatOptionFault({ format, [option]: value })).toEqual({ path: [option], message });
});
