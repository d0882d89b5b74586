import { normaliseEmail } from "../accounts/account-rows.ts";

/** Below it, digits alone are dates, telephone numbers and rows of keys. */
const FEWEST_DIGITS = 12;
/** Shorter names stand in too many good passwords to say anything. */
const SHORTEST_NAME = 3;
const SERVICE = "repute";
/** Signs and digits that are put around a common password to please rules for passwords. */
const MOST_AROUND = 4;

/**
 * Whether a password is among the first that are tried for an account: one of the commonest (of eight characters and
 * more some 18,000), a row or a repetition, each also with up to four signs and digits around it or with digits in place of
 * letters, digits alone, or the service's or the account's own name with signs and digits around it. Case and width of
 * characters do not count. The list is loaded when the first password is set. Source: security P15, OWASP ASVS 6.2.4 and
 * 6.2.11.
 */
export async function isCommonPassword(password: string, email: string): Promise<boolean> {
  const folded = fold(password);
  if (isDigits(folded) || isName(folded, email)) return true;
  const list = await commonest();
  return variantsOf(folded).some((text) => isRow(text) || isRepetition(text) || list.has(text));
}

/** The text, and what it was made of where it was dressed up: "p@ssw0rd1!" is "password". */
function variantsOf(folded: string): readonly string[] {
  const signs = Array.from(folded);
  const isLetter = (sign: string) => lettersOf(sign) !== "";
  const core = signs.slice(signs.findIndex(isLetter), signs.findLastIndex(isLetter) + 1);
  const bare = core.length > 0 && signs.length - core.length <= MOST_AROUND ? core.join("") : folded;
  return [folded, bare].flatMap((text) => [text, asLetters(text, "i"), asLetters(text, "l")]);
}

/** Digits and signs that are written for letters; "1" is two of them. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ 0: "o", 3: "e", 4: "a", 5: "s", 7: "t", "@": "a", $: "s", "!": "i" },
};

const asLetters = (text: string, one: string): string =>
  Array.from(text, (sign) => (sign === "1" ? one : (LETTERS[sign] ?? sign))).join("");

const fold = (text: string): string => text.normalize("NFKC").toLowerCase();

let loading: Promise<ReadonlySet<string>> | null = null;

function commonest(): Promise<ReadonlySet<string>> {
  loading ??= load();
  return loading;
}

async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  return new Set(dictionary["passwords-common"].map(fold));
}

/** "aaaaaaaa", "abcdefgh", "87654321": each character is as far from the one before. */
function isRow(text: string): boolean {
  const points = [...text].map((character) => character.codePointAt(0) ?? 0);
  const [first = 0, second = 0] = points;
  const step = second - first;
  return (
    Math.abs(step) <= 1 && points.every((point, at) => at === 0 || point - (points[at - 1] ?? 0) === step)
  );
}

/** "asdfasdf", "12121212": a piece that is no password by itself, again and again. */
function isRepetition(text: string): boolean {
  const period = `${text}${text}`.indexOf(text, 1);
  return period < Math.min(text.length, 8);
}

const isDigits = (text: string): boolean => text.length < FEWEST_DIGITS && /^\d+$/.test(text);

function isName(folded: string, email: string): boolean {
  const address = normaliseEmail(email);
  const [local = "", domain = ""] = address.split("@");
  const names = [SERVICE, address, local, domain, ...local.split(/[^\p{L}]/u), ...domain.split(".")];
  const letters = lettersOf(folded);
  return names.some((name) => {
    const own = lettersOf(fold(name));
    return own.length >= SHORTEST_NAME && own === letters;
  });
}

const lettersOf = (text: string): string => text.replace(/[^\p{L}]/gu, "");
