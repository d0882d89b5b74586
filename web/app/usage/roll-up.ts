import type { Shapes } from "../../api/types.gen.ts";
import { formatDate, formatShortDate } from "../../ui/format.ts";
import { endpointName, outcomeOf, statusName } from "../words.ts";

/** Calls of one day, or of an hour as "2026-11-24T05". */
export type UsageRecord = Shapes["UsageView"]["rows"][number];
export type Dimension = "endpoint" | "key" | "status";

/** What one day, or one group over all days, comes to. Refused and failed calls cost nothing. */
export type Totals = {
  readonly answered: number;
  /** Of answered calls: those of a call that was refused were never looked up. */
  readonly items: number;
  readonly credits: number;
  readonly refused: number;
  readonly failed: number;
};

export type UsageGroup = Totals & {
  readonly id: string;
  readonly name: string;
  /** What the bars stack, one number per day. */
  readonly perDay: readonly number[];
};

/** What a bar stands for. */
type Unit = "day" | "hour";

export type RollUp = {
  readonly unit: Unit;
  /** Days, or hours as "2026-11-24T05". */
  readonly days: readonly string[];
  readonly groups: readonly UsageGroup[];
  /** Calls per day that were refused or failed; all zero when the groups are the statuses themselves. */
  readonly beside: readonly number[];
  readonly total: Totals;
};

const DAY_MS = 86_400_000;

/** Every day from one to the other, both included. */
export function daysBetween(from: string, to: string): readonly string[] {
  const days: string[] = [];
  for (let at = Date.parse(from); at <= Date.parse(to); at += DAY_MS) {
    days.push(new Date(at).toISOString().slice(0, 10));
  }
  return days;
}

/** The rows of one day with its hours in place of the day. */
export const byHour = ({ day, rows }: Shapes["UsageHoursView"]): readonly UsageRecord[] =>
  rows.map(({ hour, ...row }) => ({ ...row, day: hourOf(day, hour) }));

/** Every hour of a day. */
export const hoursOf = (day: string): readonly string[] =>
  Array.from({ length: 24 }, (_, hour) => hourOf(day, hour));

const hourOf = (day: string, hour: number): string => `${day}T${String(hour).padStart(2, "0")}`;

/** "24 Nov 2026" for a day, "05:00" for an hour. */
export const nameOfSlot = (slot: string): string => hourName(slot) ?? formatDate(slot);

/** The same on an axis. */
export const shortNameOfSlot = (slot: string): string => hourName(slot) ?? formatShortDate(slot);

const hourName = (slot: string): string | null => (slot.includes("T") ? `${slot.slice(-2)}:00` : null);

/** Colours that differ; what is left over is one series, so that no two share a colour. */
const SERIES = 7;

/** The groups as the chart stacks them: the busiest, and all others together. */
export function seriesOf({
  groups,
}: Pick<RollUp, "groups">): readonly Pick<UsageGroup, "id" | "name" | "perDay">[] {
  if (groups.length <= SERIES) return groups;
  const others = groups.slice(SERIES - 1);
  const perDay = (others[0]?.perDay ?? []).map((_, at) =>
    others.reduce((sum, group) => sum + (group.perDay[at] ?? 0), 0),
  );
  return [...groups.slice(0, SERIES - 1), { id: "", name: `${others.length} others`, perDay }];
}

const IDENTITY: Readonly<Record<Dimension, (row: UsageRecord) => readonly [id: string, name: string]>> = {
  endpoint: ({ endpoint }) => [endpoint, endpointName(endpoint)],
  key: (row) => [row.key_id === "" ? row.key_name : row.key_id, keyName(row)],
  status: ({ status }) => [String(status), statusName(status)],
};

const keyName = ({ key_name: name, key_prefix: prefix }: UsageRecord): string => {
  if (prefix === "") return name;
  return name === "" ? `${prefix}…` : `${name} (${prefix}…)`;
};

/** Rows of the service as bars and table of one dimension, the busiest group first. */
export function rollUp(rows: readonly UsageRecord[], by: Dimension, days: readonly string[]): RollUp {
  const names = new Map<string, string>();
  const members = Map.groupBy(rows, (row) => {
    const [id, name] = IDENTITY[by](row);
    names.set(id, name);
    return id;
  });
  const groups = [...members].map(([id, own]): UsageGroup => {
    const shown = by === "status" ? own : own.filter(({ status }) => outcomeOf(status) === "answered");
    return { id, name: names.get(id) ?? id, perDay: perDay(shown, days), ...totalsOf(own) };
  });
  const beside = rows.filter(({ status }) => outcomeOf(status) !== "answered");
  return {
    unit: days[0]?.includes("T") === true ? "hour" : "day",
    days,
    groups: groups.toSorted((a, b) => callsOf(b) - callsOf(a)),
    beside: perDay(by === "status" ? [] : beside, days),
    total: totalsOf(rows),
  };
}

/** All calls, whatever became of them. */
export const callsOf = ({ answered, refused, failed }: Totals): number => answered + refused + failed;

function perDay(rows: readonly UsageRecord[], days: readonly string[]): readonly number[] {
  const index = new Map(days.map((day, at) => [day, at]));
  const counts = days.map(() => 0);
  for (const { day, calls } of rows) {
    const at = index.get(day);
    if (at !== undefined) counts[at] = (counts[at] ?? 0) + calls;
  }
  return counts;
}

function totalsOf(rows: readonly UsageRecord[]): Totals {
  const totals = { answered: 0, refused: 0, failed: 0, items: 0, credits: 0 };
  for (const { status, calls, items, credits } of rows) {
    const outcome = outcomeOf(status);
    totals[outcome] += calls;
    if (outcome === "answered") totals.items += items;
    totals.credits += credits;
  }
  return totals;
}
