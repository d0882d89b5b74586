import { z } from "zod";
import { Blacklists, BlacklistsCompact } from "../engines/shapes.ts";
import { Freshness, RiskScoreShape } from "../risk/shapes.ts";

/** A value without its empty members; undefined where the value itself is empty. */
export type Compact = (value: unknown) => unknown;

/**
 * What leaves the members of a report out that are null, "", [], {} or what the shape has as their default. Scores and
 * ages stay whole, and so do the paths of what is unknown. Source: answers 2.
 */
export function compactBy(shape: z.ZodType): Compact {
  if (shape instanceof z.ZodUnion) return byType(shape);
  const members = new Map(shape instanceof z.ZodObject ? membersOf(shape) : []);
  for (const name of ALWAYS) members.set(name, asItIs);
  // The parts of a report are there in every answer, also where nothing is left in them.
  return (report) => (isObject(report) ? without(report, members, isObject) : report);
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A report of several shapes, told by `type`. */
function byType({ options }: z.ZodUnion): Compact {
  const shapes = options.flatMap((option) => {
    const of: unknown = option instanceof z.ZodObject ? option.shape["type"] : null;
    const type = of instanceof z.ZodDefault ? of.def.innerType : of;
    return type instanceof z.ZodLiteral && option instanceof z.ZodObject
      ? [[type.value, compactBy(option)] as const]
      : [];
  });
  const byLiteral = new Map<unknown, Compact>(shapes);
  return (report) => (isObject(report) ? (byLiteral.get(report["type"])?.(report) ?? report) : report);
}

/** What an answer holds of every target, whatever its value, beside the parts of the report. */
const ALWAYS = ["ip", "domain", "url", "email", "query", "type", "input", "target_level"];
const WHOLE = new Set<unknown>([RiskScoreShape, Freshness]);
/** Members that every part keeps as they are: whether a duration is there must not depend on luck. */
const KEPT: ReadonlySet<string> = new Set(["unknown_fields", "elapsed_ms"]);

const asItIs: Compact = (value) => value;
const unlessEmpty: Compact = (value) => {
  if (value === null || value === "") return undefined;
  if (Array.isArray(value)) return value.length === 0 ? undefined : value;
  return isObject(value) && Object.keys(value).length === 0 ? undefined : value;
};

const membersOf = ({ shape }: z.ZodObject): ReadonlyMap<string, Compact> =>
  new Map(
    Object.entries(shape).map(([name, member]) => [name, KEPT.has(name) ? asItIs : compactMember(member)]),
  );

function compactMember(shape: unknown): Compact {
  if (WHOLE.has(shape)) return asItIs;
  if (shape instanceof z.ZodDefault) {
    const { defaultValue, innerType } = shape.def;
    const inner = compactMember(innerType);
    return (value) => (value === defaultValue ? undefined : inner(value));
  }
  if (shape instanceof z.ZodNullable || shape instanceof z.ZodOptional)
    return compactMember(shape.def.innerType);
  if (shape instanceof z.ZodArray) return compactItems(compactMember(shape.def.element));
  if (!(shape instanceof z.ZodObject)) return unlessEmpty;
  const members = membersOf(shape);
  return (value) => (isObject(value) ? unlessEmpty(without(value, members)) : unlessEmpty(value));
}

/** Every item stays, whatever is left of it. */
const compactItems = (compact: Compact): Compact => {
  if (compact === unlessEmpty) return unlessEmpty;
  return (value) =>
    Array.isArray(value) && value.length > 0 ? value.map((item) => compact(item) ?? {}) : undefined;
};

function without(
  value: Readonly<Record<string, unknown>>,
  members: ReadonlyMap<string, Compact>,
  stays: (member: unknown) => boolean = () => false,
): object {
  const left: Record<string, unknown> = {};
  for (const name in value) {
    const member = value[name];
    const compacted = (members.get(name) ?? unlessEmpty)(member);
    if (compacted !== undefined) left[name] = compacted;
    else if (stays(member)) left[name] = {};
  }
  return left;
}

/** The shape on the wire of what `compactBy` leaves. */
export function compactShapeOf(shape: z.ZodType): z.ZodType {
  if (shape instanceof z.ZodUnion) {
    return z.union(shape.options.map((option) => compactShapeOf(asType(option))));
  }
  return shape instanceof z.ZodObject ? compactObject(shape, ALWAYS) : shape;
}

const asType = (shape: unknown): z.ZodType => (shape instanceof z.ZodType ? shape : z.unknown());

const made = new Map<z.ZodType, z.ZodType>([[Blacklists, BlacklistsCompact]]);

function compactObject(shape: z.ZodObject, always: readonly string[]): z.ZodType {
  const known = made.get(shape);
  if (known !== undefined) return known;
  const members = Object.entries(shape.shape).map(([name, member]) => {
    if (WHOLE.has(member) || KEPT.has(name)) return [name, asType(member)] as const;
    const compacted = memberShape(asType(member));
    const stays = always.includes(name) || (always.length > 0 && member instanceof z.ZodObject);
    return [name, stays ? compacted : compacted.optional()] as const;
  });
  const { id, description } = shape.meta() ?? {};
  const compacted = z.object(Object.fromEntries(members));
  const told = description === undefined ? {} : { description };
  const named = id === undefined ? compacted : compacted.meta({ id: `${id}Compact`, ...told });
  made.set(shape, named);
  return named;
}

function memberShape(shape: z.ZodType): z.ZodType {
  const bare = bareShape(shape);
  return shape.description === undefined || bare === shape ? bare : bare.describe(shape.description);
}

function bareShape(shape: z.ZodType): z.ZodType {
  if (shape instanceof z.ZodDefault || shape instanceof z.ZodNullable || shape instanceof z.ZodOptional) {
    return bareShape(asType(shape.def.innerType));
  }
  if (shape instanceof z.ZodArray) return z.array(memberShape(asType(shape.def.element)));
  return shape instanceof z.ZodObject ? compactObject(shape, []) : shape;
}
