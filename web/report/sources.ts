import type { Freshness } from "../api/types.gen.ts";
import { duration, month } from "./numbers.ts";

// Where the facts of a report come from, and how old they are, in words.

type Table = "place" | "network";

const MONTH_S = 30 * 86_400;

/** `place data of November 2026`, `network data 3 h old`: of a month where it is that old, and where it is published monthly; null: not known. */
export function tableAge(what: Table, { sources, computed_at: at }: Freshness): string | null {
  const age = sources?.[what].age_s ?? null;
  if (age === null) return null;
  const isMonthly = what === "place" || age >= MONTH_S;
  const published = new Date(Date.parse(at) - age * 1000).toISOString().slice(0, 7);
  return isMonthly ? `${what} data of ${month(published)}` : `${what} data ${duration(age)} old`;
}

/** A table of places or networks, by name where the report has it. */
export function fromTable(what: Table, freshness: Freshness, name = ""): string {
  const age = tableAge(what, freshness) ?? `${what} data of unknown age`;
  return name === "" ? age : `${name}, ${age}`;
}

/** What registries and lists of names and networks say: their ages are told together. */
export function fromRegistries({ sources }: Freshness): string {
  const age = sources?.other.age_s ?? null;
  return `registries and lists of networks and names, ${age === null ? "of unknown age" : `at most ${duration(age)} old`}`;
}

/** What was asked for this report, or not long before. */
export const fromDns = ({ cached }: Freshness): string =>
  `asked of DNS for this report${cached ? ", or remembered for as long as DNS allows" : ""}`;
