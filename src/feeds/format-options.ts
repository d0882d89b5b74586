import { z } from "zod";
import { allFormats } from "./formats/all.ts";
import type { FeedFormat, FormatOptions } from "./formats/format.ts";

/**
 * The options of all formats as one shape: beside `format` they stand in one mapping, so that a name means one thing. Throws
 * when two formats define one option differently; they share a definition then (`formats/options.ts`).
 */
export function optionShapeOf(formats: readonly FeedFormat[]): z.ZodRawShape {
  const owners = new Map<string, FeedFormat>();
  for (const format of formats) {
    for (const [option, schema] of Object.entries(format.options)) {
      const owner = owners.get(option) ?? format;
      if (owner.options[option] !== schema) {
        throw new Error(
          `The list formats "${owner.name}" and "${format.name}" define the option "${option}" differently`,
        );
      }
      owners.set(option, owner);
    }
  }
  return Object.fromEntries([...owners].map(([option, owner]) => [option, schemaOf(owner, option)]));
}

function schemaOf({ name, options }: FeedFormat, option: string): z.core.$ZodType {
  const schema = options[option];
  if (schema === undefined) throw new Error(`The list format "${name}" has no option "${option}"`);
  return schema;
}

const FORMAT_NAMES = allFormats.map((format) => format.name);

const optionShape = optionShapeOf(allFormats);

/** How a list is written: `format` and, beside it, that format's options. */
export const formatShape = {
  ...optionShape,
  format: z.enum(FORMAT_NAMES).describe(`How the list is written: ${FORMAT_NAMES.join(", ")}`),
};

/**
 * The shape of an entry, unchanged, that holds `formatShape` and keys of its own. Throws when one of these has the name of a
 * format's option, which it would replace.
 */
export function besideFormat<const Shape extends z.ZodRawShape>(
  shape: Shape,
  options: z.ZodRawShape = formatShape,
): Shape {
  for (const [option, schema] of Object.entries(options)) {
    if (shape[option] !== schema) {
      throw new Error(`The option "${option}" of a list format has the name of an entry's own key`);
    }
  }
  return shape;
}

type FormattedEntry = { readonly format: string; readonly [option: string]: unknown };

const formatOf = (entry: FormattedEntry): FeedFormat | undefined =>
  allFormats.find(({ name }) => name === entry.format);

/** What is wrong with the options in `entry` as a fault for Zod; else null. A format takes its own options and no others. */
export function formatOptionFault(entry: FormattedEntry): { path: string[]; message: string } | null {
  const format = formatOf(entry);
  if (format === undefined) return null;
  for (const option of Object.keys(optionShape)) {
    if (entry[option] === undefined || Object.hasOwn(format.options, option)) continue;
    const message = `The format "${format.name}" has no option "${option}"; ${takersOf(option)}`;
    return { path: [option], message };
  }
  const fault = format.faultOf?.(formatOptionsOf(entry)) ?? null;
  return fault === null ? null : { path: [fault.option], message: fault.message };
}

/** `json and ndjson take it`. */
function takersOf(option: string): string {
  const names = allFormats.filter(({ options }) => Object.hasOwn(options, option)).map(({ name }) => name);
  const last = names.at(-1) ?? "";
  return names.length === 1
    ? `only ${last} takes it`
    : `${names.slice(0, -1).join(", ")} and ${last} take it`;
}

/** The options of the entry's own format. */
export function formatOptionsOf(entry: FormattedEntry): FormatOptions {
  const names = Object.keys(formatOf(entry)?.options ?? {}).filter((name) => entry[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, entry[name]]));
}
