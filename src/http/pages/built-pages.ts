import { readdir, readFile } from "node:fs/promises";
import { z } from "zod";
import type { PublicPage } from "./page-shapes.ts";
import type { Visitor } from "./person.ts";

/** What a page loads, as addresses below `/assets/`. */
type PageFiles = {
  readonly scripts: readonly string[];
  readonly preloads: readonly string[];
  readonly styles: readonly string[];
};

export type Theme = "system" | "light" | "dark";

/** What the page of the signed-in part is made of; the browser does the rest. */
type AppShell = { readonly files: PageFiles; readonly theme: Theme };

/** What a public page is made of. */
type PageFrame = {
  readonly page: PublicPage;
  readonly files: PageFiles;
  readonly theme: Theme;
  /** Of the request, without its query. */
  readonly path: string;
  /** Where the service is reached, without a slash at the end. */
  readonly origin: string;
  readonly version: string;
  readonly now: string;
  /** Null for a stranger, and where the page is the same for all. */
  readonly person: Visitor | null;
};

type Asset = { readonly type: string; readonly content: Buffer };

/** The pages that `npm run web` made of `web/`. */
export type BuiltPages = {
  /** By file name. */
  readonly assets: ReadonlyMap<string, Asset>;
  readonly siteFiles: PageFiles;
  readonly appFiles: PageFiles;
  readonly renderApp: (shell: AppShell) => string;
  readonly renderPage: (frame: PageFrame) => string;
};

const BUILT = new URL("../../../dist/web/", import.meta.url);

const TYPES: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  png: "image/png",
  ico: "image/x-icon",
};

const isFunction = (value: unknown): boolean => typeof value === "function";
const rendererSchema = z.object({
  renderApp: z.custom<BuiltPages["renderApp"]>(isFunction),
  renderPage: z.custom<BuiltPages["renderPage"]>(isFunction),
});

const manifestSchema = z.record(
  z.string(),
  z.object({
    file: z.string(),
    css: z.array(z.string()).default([]),
    imports: z.array(z.string()).default([]),
  }),
);

type Manifest = z.infer<typeof manifestSchema>;

/** Reads the built pages whole. Throws when they are not there. */
export async function loadBuiltPages(): Promise<BuiltPages> {
  const manifest = manifestSchema.parse(
    JSON.parse(await readFile(new URL("assets/manifest.json", BUILT), "utf8")),
  );
  const renderer: unknown = await import(new URL("server/render.js", BUILT).href);
  return {
    assets: await readAssets(new URL("assets/", BUILT)),
    siteFiles: filesOf(manifest, "site/enhance.ts"),
    appFiles: filesOf(manifest, "app/main.tsx"),
    ...rendererSchema.parse({ ...Object(renderer) }),
  };
}

async function readAssets(folder: URL): Promise<ReadonlyMap<string, Asset>> {
  const assets = new Map<string, Asset>();
  for (const name of await readdir(folder)) {
    const type = TYPES[name.split(".").at(-1) ?? ""];
    if (type !== undefined) assets.set(name, { type, content: await readFile(new URL(name, folder)) });
  }
  return assets;
}

/** An entry, what it imports at once, and the styles of them all. */
function filesOf(manifest: Manifest, entry: string): PageFiles {
  const chunks = new Set<string>();
  const visit = (key: string): void => {
    if (chunks.has(key)) return;
    chunks.add(key);
    for (const imported of manifest[key]?.imports ?? []) visit(imported);
  };
  visit(entry);
  const [first, ...rest] = [...chunks].flatMap((key) => manifest[key] ?? []);
  if (first === undefined) throw new Error(`The built pages have no ${entry}`);
  const styles = [...rest.toReversed(), first].flatMap(({ css }) => css);
  return {
    scripts: [assetPath(first.file)],
    preloads: rest.map(({ file }) => assetPath(file)),
    styles: [...new Set(styles)].map(assetPath),
  };
}

const assetPath = (file: string): string => `/assets/${file}`;
