import type { Generation } from "../generation.ts";
import type { ExportOptions } from "../options.ts";

/** What a caller may choose of a format: `?name=value`. */
export type FormatOption = {
  readonly name: string;
  /** The only values it may have; where they cannot be named a pattern, and what it stands for in words. */
  readonly values: readonly string[] | { readonly pattern: RegExp; readonly form: string };
  readonly summary: string;
  /** What the values must be to have it; absent: anything. */
  readonly target?: ExportOptions["target"];
};

/** What was chosen, checked: one of the format's options to each value. */
export type Chosen = Readonly<Record<string, string>>;

/** What was left out because the format cannot say it. */
export type Written = { dropped: number };

/** One way to write a generation for a consumer. */
export type ExportFormat = {
  /** Ends the file's name, and is the format's own. */
  readonly ext: string;
  readonly title: string;
  readonly mediaType: string;
  readonly targets: readonly ExportOptions["target"][];
  readonly options: readonly FormatOption[];
  /**
   * The lines, each with its line end, in pieces of any size. Rows that the format cannot say are left out and counted
   * in `written`.
   */
  readonly write: (generation: Generation, chosen: Chosen, written: Written) => Iterable<string>;
};

export const V_OPTION: FormatOption = {
  name: "v",
  target: "ip",
  values: ["4", "6"],
  summary: "Only IPv4 or only IPv6",
};

export const SET_OPTION: FormatOption = {
  name: "set",
  values: { pattern: /^[a-z][a-z0-9_]{0,23}$/, form: "a letter, then up to 23 of a-z, 0-9 and _" },
  summary: "Name of the sets, before 4 and 6",
};
