import { type AST, RegExpParser } from "@eslint-community/regexpp";

/** What a repetition is fed with, and what stands before and behind it in a text that nearly matches. */
type Pump = { readonly before: string; readonly pieces: readonly string[]; readonly after: string };

/** Characters that stand for a class: of each kind that expressions tell apart, and those that they name. */
const ALPHABET = [
  ..."aA0 \t\n\r.,:;-_/\\@=&?#%+*!|<>()[]{}\"'`^~$zxf9\u0001\u0080\u00a0\u00e9\u0301\u200b\u200d\u202e\u2028\u4e2d\uff0f\ufeff\u{1f600}",
  "\ud800",
];
const MOST_PIECES = 4;
const MOST_CHARACTERS = 10;
const TAILS = ["", "\n", "\u0000", "!", "a"];

/**
 * Texts that are hard for a backtracking matcher, each as a function of the wanted length: repeats of each character and
 * class of the expression, of each repetition's body behind what has to stand before it, of the whole match and of
 * nearly all of it, each with tails that fail.
 */
export function awkwardTexts(expression: RegExp): readonly ((length: number) => string)[] {
  const { source, flags } = expression;
  const ast = new RegExpParser().parseLiteral(`/${source}/${flags}`);
  const sampler = createSampler(flags);
  const whole = sampler.alternatives(ast.pattern.alternatives);
  const pumps: Pump[] = [];
  const characters = new Set<string>();
  collect(ast.pattern.alternatives, "", "", { sampler, pumps, characters });
  const singles = [...characters].slice(0, MOST_CHARACTERS);
  const pairs = singles.flatMap((one) => singles.filter((two) => two !== one).map((two) => one + two));
  const bodies = [...singles, whole, whole.slice(0, -1), whole.slice(1)].filter((body) => body !== "");
  const plain = [
    ...[...new Set(bodies)].flatMap((body) => TAILS.map((tail) => filled("", body, tail))),
    ...pairs.map((pair) => filled("", pair, "\u0000")),
  ];
  const pumped = pumps.flatMap(({ before, pieces, after }) =>
    pieces.flatMap((piece) => [
      ...[...TAILS, after, `${after.slice(0, -1)}\u0000`].map((tail) => filled(before, piece, tail)),
      filled("", before + piece, "\u0000"),
      filled("", before + piece + after.slice(0, -1), "\u0000"),
    ]),
  );
  return [...plain, ...pumped];
}

const filled =
  (before: string, piece: string, tail: string) =>
  (length: number): string => {
    const room = Math.max(0, length - before.length - tail.length);
    return (before + piece.repeat(Math.ceil(room / piece.length)).slice(0, room) + tail).slice(0, length);
  };

type Sampler = ReturnType<typeof createSampler>;
type Collecting = { readonly sampler: Sampler; readonly pumps: Pump[]; readonly characters: Set<string> };

/** Shortest texts that match parts of an expression; assertions are taken for granted. */
function createSampler(flags: string) {
  const unicode = flags.replaceAll(/[gyd]/g, "");
  const kept = new Map<string, readonly string[]>();
  const members = (raw: string): readonly string[] => {
    const known = kept.get(raw);
    if (known !== undefined) return known;
    const one = new RegExp(`^(?:${raw})$`, unicode);
    const found = ALPHABET.filter((character) => one.test(character)).slice(0, MOST_PIECES);
    kept.set(raw, found);
    return found;
  };
  const element = (node: AST.Element): string => {
    switch (node.type) {
      case "Character":
        return String.fromCodePoint(node.value);
      case "CharacterSet":
      case "CharacterClass":
      case "ExpressionCharacterClass":
        return members(node.raw)[0] ?? "";
      case "Group":
      case "CapturingGroup":
        return alternatives(node.alternatives);
      case "Quantifier":
        return element(node.element).repeat(Math.min(node.max, Math.max(1, node.min)));
      case "Assertion":
      case "Backreference":
        return "";
    }
  };
  const sequence = (nodes: readonly AST.Element[]): string => nodes.map(element).join("");
  const alternatives = (nodes: readonly AST.Alternative[]): string => sequence(nodes[0]?.elements ?? []);
  return { members, element, sequence, alternatives };
}

function collect(
  alternatives: readonly AST.Alternative[],
  before: string,
  after: string,
  into: Collecting,
): void {
  for (const { elements } of alternatives) {
    for (const [i, node] of elements.entries()) {
      const left = before + into.sampler.sequence(elements.slice(0, i));
      const right = into.sampler.sequence(elements.slice(i + 1)) + after;
      collectOf(node, left, right, into);
    }
  }
}

function collectOf(node: AST.Element, before: string, after: string, into: Collecting): void {
  switch (node.type) {
    case "Character":
      into.characters.add(String.fromCodePoint(node.value));
      break;
    case "CharacterSet":
    case "CharacterClass":
    case "ExpressionCharacterClass":
      for (const member of into.sampler.members(node.raw).slice(0, 2)) into.characters.add(member);
      break;
    case "Quantifier":
      into.pumps.push({ before, pieces: piecesOf(node.element, into.sampler), after });
      collectOf(node.element, before, after, into);
      break;
    case "Group":
    case "CapturingGroup":
      collect(node.alternatives, before, after, into);
      break;
    case "Assertion":
      if (node.kind === "lookahead" || node.kind === "lookbehind")
        collect(node.alternatives, before, after, into);
      break;
    case "Backreference":
      break;
  }
}

function piecesOf(node: AST.QuantifiableElement, sampler: Sampler): readonly string[] {
  const pieces =
    node.type === "Group" || node.type === "CapturingGroup"
      ? node.alternatives.map(({ elements }) => sampler.sequence(elements))
      : node.type === "CharacterSet" || node.type === "CharacterClass"
        ? sampler.members(node.raw)
        : [sampler.element(node)];
  return pieces.filter((piece) => piece !== "").slice(0, MOST_PIECES);
}
