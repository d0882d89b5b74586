import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

type Import = {
  /** As written, e.g. `../net/dns.ts` or `node:net`. */
  readonly specifier: string;
  /** Path from the root for a relative import, e.g. `src/net/dns/dns.ts`; else null. */
  readonly target: string | null;
  /** `import type`: gone before the program runs. */
  readonly isType: boolean;
};

export type SourceFile = {
  /** From the root, with `/`, e.g. `src/net/dns/dns.ts`. */
  readonly path: string;
  readonly text: string;
  /** Without comments and without the contents of quoted strings. */
  readonly code: string;
  readonly imports: readonly Import[];
};

/** The repository's folder. */
export const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Every TypeScript file below a folder of the repository, sorted by path; none when the folder is absent. */
export function readSourceFiles(folder: string): readonly SourceFile[] {
  return listFiles(folder)
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => sourceFile(path, readFileSync(join(ROOT, path), "utf8")));
}

/** Names directly in a folder, folders with a final `/`; none when it is absent. */
export function listEntries(folder: string): readonly string[] {
  try {
    return readdirSync(join(ROOT, folder), { withFileTypes: true }).map((entry) =>
      entry.isDirectory() ? `${entry.name}/` : entry.name,
    );
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

/** A file as the rules see it. Strings and comments are told apart, expressions inside templates are kept. */
export function sourceFile(path: string, text: string): SourceFile {
  const bare = text.replace(TOKENS, (token) =>
    token.startsWith("//") || token.startsWith("/*") ? " " : token,
  );
  const code = bare.replace(TOKENS, (token) => (/^["']/.test(token) ? '""' : token));
  return { path, text, code, imports: importsOf(path, bare) };
}

const TOKENS = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;
const STATIC_IMPORT = /^[ \t]*(?:import|export)\s+(type\s+)?(?:[\w*{}\s,$]+?\s+from\s+)?["']([^"'\n]+)["']/gm;
const DYNAMIC_IMPORT = /\bimport\(\s*["']([^"'\n]+)["']/g;

function importsOf(path: string, bare: string): readonly Import[] {
  const written = [
    ...[...bare.matchAll(STATIC_IMPORT)].map(([, type, specifier]) => ({
      specifier,
      isType: type !== undefined,
    })),
    ...[...bare.matchAll(DYNAMIC_IMPORT)].map(([, specifier]) => ({ specifier, isType: false })),
  ];
  return written.map(({ specifier = "", isType }) => ({
    specifier,
    isType,
    target: specifier.startsWith(".") ? fromRoot(resolve(ROOT, dirname(path), specifier)) : null,
  }));
}

const fromRoot = (path: string): string => relative(ROOT, path).split(sep).join("/");

function listFiles(folder: string): readonly string[] {
  return listEntries(folder)
    .flatMap((entry) =>
      entry.endsWith("/") ? listFiles(`${folder}/${entry.slice(0, -1)}`) : [`${folder}/${entry}`],
    )
    .sort();
}
