import type { z } from "zod";
import { counted } from "../base/counted.ts";
import { type Fault, InvalidValue, Refusal } from "../base/failure.ts";

type Issue = z.core.$ZodIssue;

/**
 * The body as the schema's shape, or a Refusal with every fault of it in the order of the schema's fields.
 * Source: design 13.1, the 422 row.
 */
export function validateBody<T extends object>(schema: z.ZodType<T>, body: unknown): T {
  if (body === undefined) throw invalid([fault(["body"], "missing", "A JSON object is wanted", null)]);
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw invalid([fault(["body"], "model_attributes_type", "A JSON object is wanted", body)]);
  }
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw invalid(parsed.error.issues.map((issue) => faultOf(issue, body)));
}

/** What `read` makes of a body; throws the 422 with its faults behind those that the request has already. */
export function besides<T>(faults: readonly Fault[], read: () => T): T {
  if (faults.length === 0) return read();
  try {
    read();
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== "VALIDATION") throw error;
    throw invalid([...faults, ...error.faults]);
  }
  throw invalid(faults);
}

/** What is wrong with a value, in a sentence; null: the error says something else. */
export function sentenceOf(error: unknown): string | null {
  if (error instanceof InvalidValue) return error.message;
  if (error instanceof Refusal && error.code === "VALIDATION") return error.faults[0]?.msg ?? error.message;
  return null;
}

const invalid = (faults: readonly Fault[]): Refusal => new Refusal("VALIDATION", { faults });

const fault = (
  loc: Fault["loc"],
  type: string,
  msg: string,
  input: unknown,
  ctx?: Record<string, unknown>,
): Fault => ({ loc, msg, type, input: shown(input), ...(ctx === undefined ? {} : { ctx }) });

function faultOf(issue: Issue, body: object): Fault {
  const path = issue.path.map((part) => (typeof part === "number" ? part : String(part)));
  const loc = ["body", ...path];
  const value = valueAt(body, path);
  if (issue.code === "invalid_type") return typeFault(loc, issue.expected, value, body);
  if (issue.code === "too_small") return sizeFault(loc, "too_short", Number(issue.minimum), value);
  if (issue.code === "too_big") return sizeFault(loc, "too_long", Number(issue.maximum), value);
  const reason = (issue.code === "custom" ? issue.params?.["reason"] : undefined) ?? "invalid_value";
  // A rule over several members finds none of them given.
  if (reason === "missing") return fault(loc, "missing", issue.message, body);
  return fault(loc, "value_error", issue.message, value, { reason });
}

const TYPE_FAULTS: Readonly<Record<string, readonly [type: string, msg: string]>> = {
  string: ["string_type", "A string is wanted"],
  array: ["list_type", "A list is wanted"],
};

function typeFault(loc: Fault["loc"], expected: string, value: unknown, body: object): Fault {
  if (value === undefined) return fault(loc, "missing", "This member is required", body);
  const [type, msg] = TYPE_FAULTS[expected] ?? [`${expected}_type`, `A value of type ${expected} is wanted`];
  return fault(loc, type, msg, value);
}

function sizeFault(loc: Fault["loc"], type: "too_short" | "too_long", bound: number, value: unknown): Fault {
  const isList = Array.isArray(value);
  const actual = isList || typeof value === "string" ? value.length : 0;
  const wanted = `${counted(bound, isList ? "item" : "character")} ${bound === 1 ? "is" : "are"} wanted`;
  const side = type === "too_short" ? "At least" : "At most";
  return fault(loc, type, `${side} ${wanted}, found ${actual}`, value, {
    field_type: isList ? "List" : "String",
    [type === "too_short" ? "min_length" : "max_length"]: bound,
    actual_length: actual,
  });
}

function valueAt(body: object, path: readonly (string | number)[]): unknown {
  let value: unknown = body;
  for (const part of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
    value = Reflect.get(value, part);
  }
  return value;
}

const MAX_SHOWN_CHARACTERS = 16_384;

/** What is repeated of a faulty value: all of a small one, the start of a long text, nothing of a large structure. */
function shown(value: unknown): unknown {
  if (typeof value === "string") return value.slice(0, MAX_SHOWN_CHARACTERS);
  if (typeof value !== "object" || value === null) return value;
  const text = JSON.stringify(value);
  return text.length <= MAX_SHOWN_CHARACTERS ? value : `${text.slice(0, MAX_SHOWN_CHARACTERS)}…`;
}

/** Turns what a product's `parse` threw into the refusal of its field; faults of ours pass through. */
export function refusalOf(error: unknown, field: string, body: object): unknown {
  if (!(error instanceof InvalidValue)) return error;
  const value = valueAt(body, [field]);
  return new Refusal("VALIDATION", {
    faults: [fault(["body", field], "value_error", error.message, value, { reason: error.reason })],
    cause: error,
  });
}
