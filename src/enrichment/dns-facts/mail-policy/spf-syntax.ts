/** A part of an SPF record, judged: null when it is as the grammar wants it, else what is wrong, as a clause. */
export type SpfFault = string | null;

const MACRO_LETTERS = new Set("slodiphvcrt");
/** Only the text of an explanation may have these (RFC 7208, 7.2). */
const EXPLANATION_LETTERS = new Set("crt");
const DELIMITERS = new Set(".-+,/_=");
const MAX_LABEL_LENGTH = 63;

/** What macros and literals a text is made of. */
type Macros = {
  readonly fault: SpfFault;
  /** Letters of the macros, lower case. */
  readonly letters: ReadonlySet<string>;
  /** Where the literal text behind the last macro begins; 0 when there is no macro. */
  readonly tail: number;
};

/**
 * Reads a macro string in one pass: `%{letter, number, "r", delimiters}`, `%%`, `%_`, `%-` and visible ASCII.
 * Source: RFC 7208, 7.1.
 */
function readMacros(text: string): Macros {
  const letters = new Set<string>();
  let tail = 0;
  for (let i = 0; i < text.length; ) {
    const character = text.charAt(i);
    if (character < "!" || character > "~") {
      return { fault: "it holds a character that is not visible ASCII", letters, tail };
    }
    if (character !== "%") {
      i++;
      continue;
    }
    const end = endOfMacro(text, i);
    if (end === null) return { fault: `"%" at character ${i + 1} of it begins no macro`, letters, tail };
    if (text.charAt(i + 1) === "{") letters.add(text.charAt(i + 2).toLowerCase());
    tail = end;
    i = end;
  }
  return { fault: null, letters, tail };
}

/** Where the macro that begins here ends; null when none does. */
function endOfMacro(text: string, start: number): number | null {
  const kind = text.charAt(start + 1);
  if (kind === "%" || kind === "_" || kind === "-") return start + 2;
  if (kind !== "{" || !MACRO_LETTERS.has(text.charAt(start + 2).toLowerCase())) return null;
  let at = start + 3;
  let isZero = true;
  const digits = at;
  for (; isDigit(text.charAt(at)); at++) isZero &&= text.charAt(at) === "0";
  // The number of labels to keep is at least one (RFC 7208, 7.3).
  if (at > digits && isZero) return null;
  if (text.charAt(at).toLowerCase() === "r") at++;
  while (DELIMITERS.has(text.charAt(at))) at++;
  return text.charAt(at) === "}" ? at + 1 : null;
}

const isDigit = (character: string): boolean => character >= "0" && character <= "9";

/** Of the value of a modifier that RFC 7208 does not define (`macro-string`). */
export const macroStringFault = (text: string): SpfFault => readMacros(text).fault;

/**
 * Of a `domain-spec`: it ends in a macro, or in a dot and a top label that is not all digits. Names without a
 * macro have no empty and no overlong label either: no question can be asked for these. Source: RFC 7208, 7.1.
 */
export function domainFault(text: string): SpfFault {
  if (text === "") return "a domain is missing";
  const { fault, letters, tail } = readMacros(text);
  if (fault !== null) return fault;
  if ([...letters].some((letter) => EXPLANATION_LETTERS.has(letter))) {
    return 'the macros "c", "r" and "t" are for texts of explanations only';
  }
  if (tail === text.length) return null;
  return topLabelFault(text.slice(tail)) ?? (tail === 0 ? labelsFault(text) : null);
}

function topLabelFault(literal: string): SpfFault {
  const name = withoutFinalDot(literal);
  const dot = name.lastIndexOf(".");
  if (dot < 0) return "a domain has two labels or more";
  const label = name.slice(dot + 1);
  if (label === "") return "a domain has no empty label";
  if (/^\d+$/.test(label)) return "the last label of a domain is not a number";
  const isHostLabel = /^[a-z0-9-]+$/i.test(label) && !label.startsWith("-") && !label.endsWith("-");
  return isHostLabel ? null : "the last label of a domain is made of letters, digits and inner hyphens";
}

function labelsFault(name: string): SpfFault {
  const labels = withoutFinalDot(name).split(".");
  if (labels.includes("")) return "a domain has no empty label";
  return labels.some((label) => label.length > MAX_LABEL_LENGTH)
    ? `a label has at most ${MAX_LABEL_LENGTH} characters`
    : null;
}

const withoutFinalDot = (name: string): string => (name.endsWith(".") ? name.slice(0, -1) : name);

const MAX_NAME_LENGTH = 253;

/**
 * The name that a valid `domain-spec` stands for, lower case, without a final dot; null where macros make it depend
 * on the message. Of a longer one the last labels that fit. Source: RFC 7208, 7.3.
 */
export function plainName(text: string): string | null {
  if (text.includes("%")) return null;
  const name = withoutFinalDot(text).toLowerCase();
  if (name.length <= MAX_NAME_LENGTH) return name;
  return name.slice(name.indexOf(".", name.length - MAX_NAME_LENGTH - 1) + 1);
}

/** What follows the name of `a` and `mx`, taken apart; texts without `/` and null where nothing is given. */
export type HostArgument = {
  /** With its colon. */
  readonly domain: string;
  readonly prefix4: string | null;
  readonly prefix6: string | null;
};

/**
 * Cuts `/24`, `//64` or `/24//64` off the end. Slashes are also letters of a domain, so that nothing else
 * tells where it ends. Source: RFC 7208, 5.6 (`dual-cidr-length`).
 */
export function readHostArgument(text: string): HostArgument {
  const last = cutPrefix(text);
  if (last === null) return { domain: text, prefix4: null, prefix6: null };
  if (!last.rest.endsWith("/")) return { domain: last.rest, prefix4: last.digits, prefix6: null };
  const rest = last.rest.slice(0, -1);
  const first = cutPrefix(rest);
  // `//32//64` has no IPv4 length: what stays in the domain is refused there.
  if (first === null || first.rest.endsWith("/")) {
    return { domain: rest, prefix4: null, prefix6: last.digits };
  }
  return { domain: first.rest, prefix4: first.digits, prefix6: last.digits };
}

function cutPrefix(text: string): { readonly rest: string; readonly digits: string } | null {
  let at = text.length;
  while (at > 0 && isDigit(text.charAt(at - 1))) at--;
  if (at === text.length || text.charAt(at - 1) !== "/") return null;
  return { rest: text.slice(0, at - 1), digits: text.slice(at) };
}

/** Of a prefix length, given as digits. Source: RFC 7208, 5.6. */
export const prefixFault = (digits: string, most: number): SpfFault =>
  /^(?:0|[1-9]\d{0,2})$/.test(digits) && Number(digits) <= most
    ? null
    : `a prefix length is a number from 0 to ${most}, without leading zeros`;
