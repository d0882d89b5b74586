import { InvalidValue } from "../base/failure.ts";
import type { ExportFacts } from "./facts.ts";
import { exportFormats } from "./formats/all.ts";
import type { Chosen, ExportFormat } from "./formats/format.ts";
import type { ExportOptions } from "./options.ts";

/** A format with what was chosen of its options. */
export type Variant = {
  readonly format: ExportFormat;
  readonly chosen: Chosen;
  /** The same text for the same file: `txt`, `rpz~action=nodata`. Part of a file name. */
  readonly id: string;
};

/** The format of a file's ending; null: there is none. */
export const formatOf = (ext: string): ExportFormat | null =>
  exportFormats.find((format) => format.ext === ext) ?? null;

/** Formats that can hold an export's target. */
export const formatsFor = (target: ExportOptions["target"]): readonly ExportFormat[] =>
  exportFormats.filter(({ targets }) => targets.includes(target));

/**
 * What a query chooses of a format. Throws InvalidValue, whose code is the name of the option, for an option that the
 * format does not have, one given twice, and a value that it cannot have.
 */
export function variantOf(
  format: ExportFormat,
  query: Readonly<Record<string, unknown>>,
  target: ExportOptions["target"],
): Variant {
  const options = format.options.filter((option) => (option.target ?? target) === target);
  const chosen: Record<string, string> = {};
  for (const [name, value] of Object.entries(query)) {
    const option = options.find((one) => one.name === name);
    if (option === undefined) throw new InvalidValue(name, unknownOption(format, options, name));
    const { values } = option;
    const fits =
      typeof value === "string" && ("form" in values ? values.pattern.test(value) : values.includes(value));
    if (!fits) {
      const expected = "form" in values ? values.form : values.join(" or ");
      throw new InvalidValue(name, `Expected of ${name}: ${expected}`);
    }
    chosen[name] = value;
  }
  const parts = Object.entries(chosen)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `~${name}=${value.replaceAll(":", "+")}`);
  return { format, chosen, id: format.ext + parts.join("") };
}

const unknownOption = (format: ExportFormat, options: readonly { readonly name: string }[], name: string) =>
  options.length === 0
    ? `The format ${format.ext} has no option "${name}"; it has none`
    : `The format ${format.ext} has no option "${name}"; it has ${options.map((one) => one.name).join(", ")}`;

/**
 * Why nothing may be made of a generation in a variant; null: it holds something. Where one family of addresses is chosen, a file
 * without any would be taken for the new list, as that of an export without entries.
 */
export function nothingIn(
  { name, ipv4_entries: v4, ipv6_entries: v6 }: ExportFacts,
  { chosen }: Pick<Variant, "chosen">,
): string | null {
  const { v } = chosen;
  if (v === undefined || (v === "4" ? v4 : v6) > 0) return null;
  return `The export "${name}" has no IPv${v} entries`;
}

/** The variant with this id; null where no format has it any more. */
export function variantWithId(id: string, target: ExportOptions["target"]): Variant | null {
  const [ext = "", ...parts] = id.split("~");
  const format = formatOf(ext);
  if (format === null) return null;
  const pairs = parts.map((part) => {
    const equals = part.indexOf("=");
    return [part.slice(0, equals), part.slice(equals + 1).replaceAll("+", ":")] as const;
  });
  try {
    return variantOf(format, Object.fromEntries(pairs), target);
  } catch (error) {
    if (error instanceof InvalidValue) return null;
    throw error;
  }
}
