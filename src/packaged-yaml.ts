import { hash } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire, getCompileCacheDir } from "node:module";
import { join } from "node:path";

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
