import { z } from "zod";
import type { FormatOptions } from "./format.ts";

const columnSchema = z.union([z.string().min(1), z.int().min(0)]);
const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** Options that more than one format takes: one definition each, as they share one name in the configuration. Each format names its own. */
export const sharedOptions = {
  column: z
    .union([columnSchema, z.array(columnSchema).min(1)])
    .optional()
    .describe("csv, table: column of the value, by header name (csv) or 0-based number; default: 0"),
  field: z
    .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
    .optional()
    .describe("json, ndjson: member that holds the value, or a list of members"),
  where: z
    .record(z.string(), scalar)
    .optional()
    .describe("csv, json, ndjson: only rows whose columns (csv) or members have these values"),
  via: z.enum(["asn"]).optional().describe("asn: the values are AS numbers, matched by the address's origin"),
  published: z
    .string()
    .regex(/^[^.]+(\.[^.]+)*$/, "Expected a member, or members with dots between them")
    .optional()
    .describe(
      "json, ndjson: member with the publisher's date, such as `meta.generated`: of the document (json), of the objects that skip_if_field passes over (ndjson)",
    ),
  strip_port: z.boolean().optional().describe("csv, json, ndjson: drop a port behind the value"),
};

/** A table of scalars, e.g. `where`, as pairs. */
export const pairsOf = (value: unknown): readonly (readonly [string, string])[] =>
  typeof value === "object" && value !== null
    ? Object.entries(value).map(([name, wanted]) => [name, String(wanted)] as const)
    : [];

/** One name or a list of names (or numbers) as a list. */
export const listOf = (value: unknown): readonly (string | number)[] =>
  (Array.isArray(value) ? value : [value]).filter(
    (part): part is string | number => typeof part === "string" || typeof part === "number",
  );

/** A text option, or null. */
export const textOption = (options: FormatOptions, name: string): string | null => {
  const value = options[name];
  return typeof value === "string" ? value : null;
};
