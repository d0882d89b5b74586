import type { z } from "zod";
import { nodeAt, type SchemaNode, wordsOf } from "./schema-words.ts";

type Path = readonly PropertyKey[];
type Issue = z.core.$ZodIssue;

/** One fault of a file: where it is, and what is wrong with it. */
export type FileFault = { readonly path: Path; readonly words: string };

/** What is known of a file: its schema as data, and what of its values may be told. */
export type FileContext = {
  readonly root: SchemaNode;
  readonly isSecret: (path: Path) => boolean;
  readonly mask: (text: string) => string;
  /** Where the fact of an unknown key is told instead; null: nowhere. Default: nowhere. */
  readonly elsewhere?: (path: Path) => string | null;
};

/** The faults in words: what was expected, what was found; one at least. Values of secrets are not told. */
export function faultsOf(
  error: z.ZodError,
  input: unknown,
  reading: FileContext,
): readonly [FileFault, ...(readonly FileFault[])] {
  const [first, ...others] = error.issues.flatMap((issue) => faultsOfIssue(issue, input, reading));
  if (first === undefined) throw new Error("A fault of a file without an issue", { cause: error });
  return [first, ...others];
}

function faultsOfIssue(issue: Issue, input: unknown, reading: FileContext): readonly FileFault[] {
  const { path } = issue;
  const node = nodeAt(reading.root, path);
  if (issue.code !== "unrecognized_keys")
    return [{ path, words: judge(issue, node, valueAt(input, path), reading) }];
  return issue.keys.map((key) => {
    const place = reading.elsewhere?.([...path, key]) ?? null;
    return { path: [...path, key], words: `unknown key, ${place ?? knownKeys(node)}` };
  });
}

/** `engines.feeds[0].key`. */
export function pathText(path: Path): string {
  if (path.length === 0) return "the file";
  return path
    .map((step, i) =>
      typeof step === "number" ? `[${step}]` : `${i > 0 ? "." : ""}${keyText(String(step))}`,
    )
    .join("");
}

const keyText = (key: string): string => (/^[\w-]+$/.test(key) ? key : JSON.stringify(key.slice(0, 80)));

function knownKeys(node: SchemaNode | null): string {
  const names = [...(node?.properties.keys() ?? []), ...(node?.names ?? [])];
  return names.length === 0 ? "expected none" : `expected one of ${names.join(", ")}`;
}

function judge(issue: Issue, node: SchemaNode | null, value: unknown, reading: FileContext): string {
  const own = ownMessage(issue);
  if (own !== null && !/^Expected /.test(own)) return own.charAt(0).toLowerCase() + own.slice(1);
  const expected = own === null ? expectation(issue, node) : own.replace(/^Expected /, "");
  const subject = issue.code === "invalid_key" ? String(issue.path.at(-1)) : value;
  return `expected ${expected}, found ${foundText(subject, issue.path, reading)}`;
}

/** A sentence that the schema itself gives; null for one of the library's. */
function ownMessage(issue: Issue): string | null {
  if (issue.code === "invalid_key") {
    const [inner] = issue.issues;
    return inner === undefined ? null : ownMessage(inner);
  }
  return /^(Invalid |Too (small|big)|Unrecognized )/.test(issue.message) ? null : issue.message;
}

function expectation(issue: Issue, node: SchemaNode | null): string {
  const words = node === null ? issue.message : wordsOf(node);
  if (issue.code === "invalid_format" && node?.description) return `${words}: ${node.description}`;
  if (issue.code === "too_small" && issue.origin !== "number" && issue.origin !== "int") {
    return `${words}, at least ${issue.minimum} long`;
  }
  if (issue.code === "too_big" && issue.origin !== "number" && issue.origin !== "int") {
    return `${words}, at most ${issue.maximum} long`;
  }
  return words;
}

function foundText(value: unknown, path: Path, { isSecret, mask }: FileContext): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "a mapping";
  if (isSecret(path)) return "a value that is not shown";
  if (typeof value !== "string") return String(value);
  const shown = mask(value);
  return JSON.stringify(shown.length > 80 ? `${shown.slice(0, 80)}…` : shown);
}

function valueAt(input: unknown, path: Path): unknown {
  let value: unknown = input;
  for (const step of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
    value = Reflect.get(value, step);
  }
  return value;
}
