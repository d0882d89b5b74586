import { parseSync } from "vite";
import { readSourceFiles } from "../source-files.ts";

export type FoundExpression = {
  /** From the root, e.g. `src/net/dns/dns.ts`. */
  readonly file: string;
  readonly line: number;
  /** `/pattern/flags` as written, or the call of `RegExp` that makes it. */
  readonly expression: string;
};

/** Every regular expression of the program and its pages: literals, and calls of `RegExp`. */
export function findExpressions(): readonly FoundExpression[] {
  return (
    ["src", "web"]
      .flatMap(readSourceFiles)
      // What is generated is a copy of a file of src/.
      .filter(({ path }) => !/\.(test|gen)\.tsx?$/.test(path))
      .flatMap(({ path, text }) => expressionsIn(path, text))
  );
}

/** The expressions of one file, in their order. */
export function expressionsIn(file: string, text: string): readonly FoundExpression[] {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} cannot be read: ${errors[0]?.message}`);
  const found: FoundExpression[] = [];
  visit(program, (node) => {
    const expression = expressionOf(node, text);
    if (expression === null) return;
    found.push({ file, expression, line: text.slice(0, Number(node["start"])).split("\n").length });
  });
  return found;
}

type Node = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null;

function visit(value: unknown, onNode: (node: Node) => void): void {
  if (Array.isArray(value)) for (const each of value) visit(each, onNode);
  else if (isNode(value)) {
    if (typeof value["type"] === "string") onNode(value);
    for (const member of Object.values(value)) visit(member, onNode);
  }
}

function expressionOf(node: Node, text: string): string | null {
  const { type, regex, callee, start, end } = node;
  if (type === "Literal" && isNode(regex)) return `/${regex["pattern"]}/${regex["flags"]}`;
  if (type !== "NewExpression" && type !== "CallExpression") return null;
  const isRegExp = isNode(callee) && callee["type"] === "Identifier" && callee["name"] === "RegExp";
  return isRegExp ? text.slice(Number(start), Number(end)).replaceAll(/\s+/g, " ") : null;
}
