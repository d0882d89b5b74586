import { expect, test } from "vitest";
import { z } from "zod";
import { flag, text } from "../base/wire.ts";
import { Freshness } from "../risk/shapes.ts";
import { compactBy, compactShapeOf } from "./compact.ts";

const Report = z.object({
  ip: z.string(),
  input: z.string(),
  name: z.string().nullable(),
  note: text("A text"),
  is_known: flag("A flag"),
  is_signed: z.boolean().nullable(),
  count: z.int(),
  part: z.object({ inner: z.string().nullable(), list: z.array(z.string()) }),
  items: z.array(z.object({ key: z.string().nullable() })),
  more: z.object({ inner: z.object({ value: z.string().nullable() }) }).nullable(),
  freshness: Freshness,
  unknown_fields: z.array(z.string()),
  elapsed_ms: z.int().default(0),
});

const EMPTY = {
  ip: "192.0.2.1",
  input: "",
  name: null,
  note: "",
  is_known: false,
  is_signed: null,
  count: 0,
  part: { inner: null, list: [] },
  items: [],
  more: null,
  freshness: { data_age_s: null, stale: false, cached: false, computed_at: "2026-11-23T12:00:00Z" },
  unknown_fields: [],
  elapsed_ms: 0,
};
/** What is there of every report. */
const LEFT = {
  ip: "192.0.2.1",
  input: "",
  count: 0,
  part: {},
  freshness: EMPTY.freshness,
  unknown_fields: [],
  elapsed_ms: 0,
};

test.each([
  { why: "what is null, empty or its default is left out, parts and ages stay", over: {}, left: {} },
  {
    why: "a default that another member has is a value",
    over: { is_signed: false },
    left: { is_signed: false },
  },
  {
    why: "what is not the default stays",
    over: { is_known: true, note: "x" },
    left: { is_known: true, note: "x" },
  },
  {
    why: "items stay, also empty ones",
    over: { items: [{ key: null }, { key: "a" }] },
    left: { items: [{}, { key: "a" }] },
  },
  {
    why: "a part of a part with nothing in it is left out",
    over: { more: { inner: { value: null } } },
    left: { more: {} },
  },
  {
    why: "members without a shape are judged by themselves",
    over: { odd: [], even: [0] },
    left: { even: [0] },
  },
])("compactBy(): $why", ({ over, left }) => {
  const compacted = compactBy(Report)({ ...EMPTY, ...over });
  expect(compacted).toEqual({ ...LEFT, ...left });
  expect(compactShapeOf(Report).safeParse(compacted).error).toBeUndefined();
});
