import { registeredDomainOf } from "../targets/domain.ts";
import type { ExportDecision } from "./judge.ts";
import type { ExportSpec } from "./spec.ts";
import type { Texts } from "./texts.ts";

/** A text that no list of the export's target names: it has a score by what stands around it, and no entry. */
export type NotNamed = {
  readonly state: "out";
  readonly why: { readonly by: "not_named"; readonly score: number };
};

/**
 * Whether an export of names, URLs or mailboxes has an entry for a text: entries are made of what lists name alone. A name below
 * one that is named goes with the nearest one above it, which may be allowed; a mailbox with its domain. `judge` judges one text.
 */
export function decideText(
  { target, subtract }: Pick<ExportSpec, "target" | "subtract">,
  texts: Texts | null,
  { text, judge }: { readonly text: string; readonly judge: (text: string) => ExportDecision },
): ExportDecision | NotNamed {
  const decision = judge(text);
  if (texts === null || target === "ip" || decision.state !== "in") return decision;
  const named = new Set(texts[target]);
  // Formats exempt what is allowed below an entry.
  const isExempt = subtract.includes("allowlists") || subtract.includes("overrides");
  const allowed = new Set(target === "domain" && isExempt ? texts.allowed : []);
  const nearest = [text, ...textsAbove(target, text)].find((one) => named.has(one) || allowed.has(one));
  if (nearest === text) return decision;
  const above = nearest === undefined ? null : judge(nearest);
  if (above?.state === "in") return decision;
  if (above?.state === "out" && "reason" in above.why) return above;
  return { state: "out", why: { by: "not_named", score: decision.entry.score } };
}

function textsAbove(target: ExportSpec["target"], text: string): readonly string[] {
  if (target === "email") return text.includes("@") ? [text.slice(text.lastIndexOf("@") + 1)] : [];
  if (target !== "domain") return [];
  return namesAbove(text).slice(1);
}

/** A name and those above it, which no public suffix is. */
export const namesAbove = (name: string): readonly string[] =>
  name
    .split(".")
    .map((_, i, labels) => labels.slice(i).join("."))
    .filter((above) => registeredDomainOf(above) !== null);
