import { hash } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire, getCompileCacheDir } from "node:module";
import { join } from "node:path";
import type { z } from "zod";
import { faultsOf, pathText } from "./fault-text.ts";
import { offsetOf } from "./offset.ts";
import { describeSchema } from "./schema-words.ts";

const require = createRequire(import.meta.url);

/**
 * The value of a YAML file that comes with the program. To read all of them takes a sixth of a start, so they are kept as
 * JSON beside the compiled code, by their content; without such a folder they are read each time. Throws when the
 * file cannot be read or is no YAML: the package is then damaged.
 */
export function readPackagedYaml(path: string): unknown {
  const text = readFileSync(path, "utf8");
  const folder = getCompileCacheDir();
  if (folder === undefined) return parseYaml(text);
  const kept = join(folder, `${hash("sha256", text)}.json`);
  const known = readKept(kept);
  if (known !== undefined) return known;
  const value = parseYaml(text);
  keep(kept, JSON.stringify(value));
  return value;
}

/**
 * The value of such a file by its schema. Throws what is wrong in words: the entry, the key's path, what was expected and found,
 * file and line.
 */
export function readPackaged<T>(path: string, schema: z.ZodType<T>): T {
  const value = readPackagedYaml(path);
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const reading = { root: describeSchema(schema), isSecret: () => false, mask: (text: string) => text };
  const [fault] = faultsOf(result.error, value, reading);
  const entry = entryAt(value, fault.path[0]);
  const place = entry === null ? pathText(fault.path) : `${entry}${pathText(fault.path.slice(1))}`;
  throw new Error(
    `Invalid file of the program: ${place}: ${fault.words} (${path}${lineOf(path, fault.path)})`,
  );
}

/** `entry "zen": `; null when the file is no list of entries that have a key or a file. */
function entryAt(value: unknown, step: PropertyKey | undefined): string | null {
  const entry: unknown = Array.isArray(value) && typeof step === "number" ? value[step] : null;
  if (typeof entry !== "object" || entry === null) return null;
  const members = new Map<string, unknown>(Object.entries(entry));
  const name = members.get("key") ?? members.get("file") ?? members.get("name");
  return typeof name === "string" ? `entry "${name}": ` : null;
}

function lineOf(path: string, at: readonly PropertyKey[]): string {
  const { LineCounter, parseDocument }: typeof import("yaml") = require("yaml");
  const lineCounter = new LineCounter();
  const offset = offsetOf(parseDocument(readFileSync(path, "utf8"), { lineCounter }), at);
  return offset === null ? "" : `, line ${lineCounter.linePos(offset).line}`;
}

/** Loaded only where something is not kept yet. */
function parseYaml(text: string): unknown {
  const { parse }: typeof import("yaml") = require("yaml");
  return parse(text);
}

/** Undefined: it is not there, or not whole. */
function readKept(path: string): unknown {
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}

/** What cannot be kept is read anew the next time: nothing depends on it. */
function keep(path: string, json: string): void {
  const draft = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(draft, json, { mode: 0o600 });
    renameSync(draft, path);
  } catch {
    // A full or read-only disk is told of by those who need it.
  }
}
