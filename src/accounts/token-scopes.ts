import { InvalidValue } from "../base/failure.ts";

/** What a token may be used for: one export by its name, the stream of decisions, or the gate. */
export type TokenScope = `exports:${string}` | "decisions" | "gate";

/** How an export's name is written. */
export const EXPORT_NAME = /^[a-z0-9](?:[a-z0-9_-]{0,61}[a-z0-9])?$/;

const EXPORTS = "exports:";
const MAX_SCOPES = 50;

/** The scope of an export. */
export const exportScope = (name: string): TokenScope => `${EXPORTS}${name}`;

/** One scope; null for a text that is none. */
export function readScope(text: string): TokenScope | null {
  if (text === "decisions" || text === "gate") return text;
  if (!text.startsWith(EXPORTS)) return null;
  const name = text.slice(EXPORTS.length);
  return EXPORT_NAME.test(name) ? exportScope(name) : null;
}

/**
 * Scopes in the order given, without repetitions. Throws InvalidValue `scope_unknown` that names the first unknown one,
 * `scopes_empty` for none and `scopes_many` for more than 50.
 */
export function parseScopes(texts: readonly string[]): readonly TokenScope[] {
  if (texts.length === 0)
    throw new InvalidValue("scopes_empty", "Name at least one scope: gate, decisions or exports:NAME");
  if (texts.length > MAX_SCOPES)
    throw new InvalidValue("scopes_many", `At most ${MAX_SCOPES} scopes can be named`);
  return [...new Set(texts.map(parseScope))];
}

function parseScope(text: string): TokenScope {
  const scope = readScope(text);
  if (scope !== null) return scope;
  throw new InvalidValue(
    "scope_unknown",
    `Unknown scope "${text.slice(0, 80)}": known are gate, decisions and exports:NAME`,
  );
}

/** The scopes of a row's text. What is not known any more allows nothing. */
export const scopesFrom = (text: string): readonly TokenScope[] =>
  text.split(" ").flatMap((one) => readScope(one) ?? []);
