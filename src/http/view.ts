import type { Fault } from "../base/failure.ts";
import { findPolicy } from "../metering/disposition.ts";
import type { SealedProduct } from "../products/product.ts";
import { VIEWS, type View } from "../products/views.ts";
import type { Policy } from "../risk/policy.ts";
import type { Policies } from "../risk/policy-options.ts";
import type { Request } from "./context.ts";

/** The view that a request asks for, and what is to judge the score. */
export type AskedView = {
  readonly view: View;
  /** Whether `Prefer` alone asked for it. */
  readonly isPreferred: boolean;
  /** Null: none is named. */
  readonly policy: Policy | null;
  /** What is wrong with the query. */
  readonly faults: readonly Fault[];
};

/** What is answered where a request cannot ask for a view. */
export const STANDARD: AskedView = { view: "standard", isPreferred: false, policy: null, faults: [] };

type Chosen = Pick<AskedView, "view" | "isPreferred" | "faults">;

/** What a call of a product asks for: the view, and by `?policy=` what judges the score. */
export function askedOf(policies: Policies, product: SealedProduct, request: Request): AskedView {
  const view = askedView(request);
  const { policy, faults } = findPolicy(policies, memberOfQuery(request.query, "policy"), product);
  return { ...view, policy, faults: [...view.faults, ...faults] };
}

/** By `?view=`, which wins, else by `Prefer: return=minimal`; else `standard`. Source: answers 2. */
function askedView({ query, headers }: Pick<Request, "query" | "headers">): Chosen {
  const { choice, faults } = readChoice(query, "view", VIEWS);
  if (choice !== null || faults.length > 0) return { view: choice ?? "standard", isPreferred: false, faults };
  const { prefer } = headers;
  const isPreferred = prefer !== undefined && preferenceOf(prefer, "return") === "minimal";
  return { view: isPreferred ? "compact" : "standard", isPreferred, faults };
}

/** A member of the query that must be one of a few words; null where it is not given, or with the fault of any other. */
export function readChoice<T extends string>(
  query: unknown,
  name: string,
  choices: readonly T[],
): { readonly choice: T | null; readonly faults: readonly Fault[] } {
  const given = memberOfQuery(query, name);
  const choice = choices.find((one) => one === given) ?? null;
  if (choice !== null || given === undefined) return { choice, faults: [] };
  const fault = {
    loc: ["query", name],
    msg: `One of these is wanted: ${choices.join(", ")}`,
    type: "value_error",
    input: given,
    ctx: { reason: `unknown_${name}`, expected: choices },
  };
  return { choice, faults: [fault] };
}

/** A member of the query as it was given; undefined where it was not, a list where it was given several times. */
export const memberOfQuery = (query: unknown, name: string): unknown =>
  Object.hasOwn(Object(query), name) ? Reflect.get(Object(query), name) : undefined;

/**
 * The value of a preference, null where there is none: "" without a value. Of several with its name the first counts;
 * names are in any letter case, values may be quoted. Source: RFC 7240 2.
 */
function preferenceOf(header: string | readonly string[], name: string): string | null {
  for (const preference of partsOf([header].flat().join(","), ",")) {
    const [first = ""] = partsOf(preference, ";");
    const equals = first.indexOf("=");
    const found = (equals < 0 ? first : first.slice(0, equals)).trim().toLowerCase();
    if (found === name) return equals < 0 ? "" : unquoted(first.slice(equals + 1).trim());
  }
  return null;
}

const unquoted = (word: string): string =>
  word.length > 1 && word.startsWith('"') && word.endsWith('"')
    ? word.slice(1, -1).replace(/\\(.)/g, "$1")
    : word;

/** A text cut at a separator that stands outside quotes. */
function partsOf(text: string, separator: string): readonly string[] {
  const parts: string[] = [];
  let from = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (isQuoted && character === "\\") at++;
    else if (character === '"') isQuoted = !isQuoted;
    else if (character === separator && !isQuoted) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...parts, text.slice(from)];
}
