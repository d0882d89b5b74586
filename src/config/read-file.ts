import { readFileSync } from "node:fs";
import { type Document, isCollection, isScalar, LineCounter, parseDocument, visit } from "yaml";
import { type FileFault, faultsOf, pathText } from "../yaml/fault-text.ts";
import { offsetOf } from "../yaml/offset.ts";
import { ConfigError } from "./config-error.ts";
import { variableFor } from "./environment.ts";
import { type ConfigFile, configFileSchema, describeConfigFile } from "./file-schema.ts";
import { isSecret, maskUrl } from "./secrets.ts";

/** Text of the file; null when it may be absent and is. Throws ConfigError. */
export function readConfigText(file: string, { isOptional }: { isOptional: boolean }): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file));
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : null;
    if (code === "ENOENT" && isOptional) return null;
    throw new ConfigError(`Cannot read the configuration file "${file}": ${reasonOf(code)}`, { cause });
  }
}

function reasonOf(code: unknown): string {
  if (code === "ENOENT") return "there is no such file";
  if (code === "EISDIR") return "it is a folder";
  if (code === "EACCES" || code === "EPERM") return "permission denied";
  return code === "ERR_ENCODING_INVALID_ENCODED_DATA" ? "it is not UTF-8" : String(code);
}

/**
 * The file's sections, checked, all defaults filled. `file` names it in messages. Throws ConfigError that tells the
 * key's path, what was expected and found, file and line.
 */
export function parseConfigText(text: string, file: string): ConfigFile {
  const lines = new LineCounter();
  const failAt: Fail = (offset, message, more = []) => {
    const faults = [{ offset, message }, ...more].map((fault) => ({
      line: fault.offset === null ? null : lines.linePos(fault.offset).line,
      message: fault.message,
    }));
    const [first] = faults;
    const place = first?.line == null ? file : `${file}, line ${first.line}`;
    const others = more.length > 0 ? `; ${more.length} more to fix` : "";
    return new ConfigError(`Invalid configuration: ${message}${others} (${place})`, { file, faults });
  };
  const { document, value } = parseYaml(text, lines, failAt);
  const result = configFileSchema.safeParse(withoutEmptySections(value));
  if (result.success) {
    const dropped = prototypeKey(document);
    if (dropped === null) return result.data;
    throw failAt(dropped, `no key may be called ${PROTOTYPE}`);
  }
  const reading = { root: describeConfigFile(), isSecret, mask: maskUrl, elsewhere };
  const [first, ...more] = faultsOf(result.error, value, reading);
  const placed = ({ path, words }: FileFault): Placed => ({
    offset: offsetOf(document, path),
    message: `${pathText(path)}: ${words}`,
  });
  const { offset, message } = placed(first);
  throw failAt(offset, message, more.map(placed));
}

/** Keys that people look for in the file, and are told the variable. */
function elsewhere(path: readonly PropertyKey[]): string | null {
  const variable = variableFor(path);
  return variable === null ? null : `it is set by the environment variable ${variable}`;
}

/** Mappings of free names are read without a member of this name, in silence. */
const PROTOTYPE = "__proto__";

function prototypeKey(document: Document): number | null {
  let offset: number | null = null;
  visit(document, {
    Pair: (_key, { key }) => {
      if (!isScalar(key) || key.value !== PROTOTYPE) return undefined;
      offset = key.range?.[0] ?? 0;
      return visit.BREAK;
    },
  });
  return offset;
}

type Placed = { readonly offset: number | null; readonly message: string };

/** `more`: further faults, which the message only counts. */
type Fail = (offset: number | null, message: string, more?: readonly Placed[]) => ConfigError;

function parseYaml(
  text: string,
  lineCounter: LineCounter,
  failAt: Fail,
): { document: Document; value: unknown } {
  try {
    // Pretty errors repeat the line, which may hold a secret.
    const document = parseDocument(text, { lineCounter, prettyErrors: false });
    const fault = document.errors[0] ?? document.warnings[0];
    if (fault !== undefined) throw failAt(fault.pos[0], yamlFault(fault, text));
    const strange = firstCollectionKey(document);
    if (strange !== null) throw failAt(strange, "a key is a list or a mapping, expected text");
    return { document, value: document.toJS({ maxAliasCount: 100 }) };
  } catch (error) {
    if (error instanceof RangeError) throw failAt(null, "it is nested too deeply");
    if (error instanceof ReferenceError) throw failAt(firstAlias(text), aliasFault(error));
    throw error;
  }
}

const aliasFault = ({ message }: ReferenceError): string =>
  message.startsWith("Unresolved alias") ? "an alias without an anchor" : "too many aliases";

function yamlFault(fault: { code: string; message: string; pos: [number, number] }, text: string): string {
  if (fault.message.includes("call stack")) return "it is nested too deeply";
  if (fault.code === "MULTIPLE_DOCS")
    return 'expected one document, and a line "---" or "..." begins another';
  if (fault.code !== "DUPLICATE_KEY") return `not valid YAML: ${fault.message.replace(/: ".*$/s, "")}`;
  const key = /^["']?([\w.-]{1,64})/.exec(text.slice(fault.pos[0]))?.[1];
  return key === undefined ? "a key is given twice" : `the key "${key}" is given twice`;
}

/** Where a key stands that is no text; the parser makes a text of it, and warns on standard error. */
function firstCollectionKey(document: Document): number | null {
  let offset: number | null = null;
  visit(document, {
    Pair: (_key, { key }) => {
      if (!isCollection(key)) return undefined;
      offset = key.range?.[0] ?? 0;
      return visit.BREAK;
    },
  });
  return offset;
}

function firstAlias(text: string): number | null {
  let offset: number | null = null;
  visit(parseDocument(text), {
    Alias: (_key, { range }) => {
      offset = range?.[0] ?? null;
      return visit.BREAK;
    },
  });
  return offset;
}

/** A section with nothing below it but comments is null in YAML: it counts as absent, and so does an empty file. */
function withoutEmptySections(value: unknown): unknown {
  if (value === null || value === undefined) return {};
  if (typeof value !== "object" || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, section]) => section !== null));
}

/** The line of a file that parses where a path begins, or as much of it as there is; null: none of it is there. */
export function lineOf(text: string, path: readonly PropertyKey[]): number | null {
  const lineCounter = new LineCounter();
  const offset = offsetOf(parseDocument(text, { lineCounter }), path);
  return offset === null ? null : lineCounter.linePos(offset).line;
}
