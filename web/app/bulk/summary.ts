import type { Shapes } from "../../api/types.gen.ts";
import { countOf } from "../../ui/format.ts";

export type BulkItem = Shapes["BulkReport"]["results"][number];

/** What the table and the file say of one item. Empty where the product has no such field. */
export type Summary = {
  readonly input: string;
  readonly status: "success" | "error";
  readonly verdict: string;
  readonly score: number | null;
  readonly detections: number | null;
  readonly engines: number | null;
  readonly note: string;
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function member(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), value);
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const numberOf = (value: unknown): number | null => (typeof value === "number" ? value : null);

/** The few facts of a report that fit in a line, whatever the product. */
export function summarise({ input, status, result, error }: BulkItem): Summary {
  const score = member(result, "risk_score") ?? member(result, "report", "risk_score");
  const verdict = textOf(member(score, "verdict"));
  const isJudged = verdict !== "not_applicable";
  const lists = member(result, "blacklists") ?? member(result, "report", "blacklists");
  return {
    input,
    status,
    verdict,
    // Nothing was judged: a zero would say that something was found clean.
    score: isJudged ? numberOf(member(score, "result")) : null,
    detections: isJudged ? numberOf(member(lists, "detections")) : null,
    engines: isJudged ? numberOf(member(lists, "engines_count")) : null,
    note: status === "error" ? (error ?? "") : noteOf(result),
  };
}

/** What is worth a glance beside the verdict. */
function noteOf(result: unknown): string {
  const flags = ["is_disposable", "is_free_provider"].filter((name) => member(result, name) === true);
  const anonymity = member(result, "anonymity");
  const seen = isObject(anonymity)
    ? Object.keys(anonymity).filter((name) => name.startsWith("is_") && anonymity[name] === true)
    : [];
  const records = member(result, "records");
  const count = Array.isArray(records) ? [countOf(records.length, "record")] : [];
  const purpose = textOf(member(result, "information", "special_purpose", "name"));
  const words = [purpose, ...flags, ...seen]
    .filter((name) => name !== "")
    .map((name) => name.replace(/^is_/, "").replaceAll("_", " "));
  const place = textOf(member(result, "information", "country_code"));
  return [...words, ...count, ...(place === "" ? [] : [place])].join(", ");
}
