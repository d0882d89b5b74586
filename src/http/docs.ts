import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { Refusal } from "../failure.ts";
import { sendCompressed } from "./compression.ts";
import type { App, HttpParts } from "./context.ts";
import type { Theme } from "./site/built-pages.ts";
import { themeOf } from "./site/page-reply.ts";

/** What the page may load: nothing but this service. Swagger UI sets styles on elements, hence its style source. */
const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const pageIn = (theme: Theme): string => `<!doctype html>
<html lang="en"${theme === "system" ? "" : ` data-theme="${theme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Repute API</title>
<link rel="icon" href="/docs/sign.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<script src="/docs/theme.js"></script>
<style>
:root { color-scheme: light dark; color: light-dark(#1b1c1d, #e4e6e6); }
:root[data-theme="light"] { color-scheme: light; }
:root[data-theme="dark"] { color-scheme: dark; }
body { margin: 0; background: light-dark(#fff, #1c2022); }
.way-back { max-width: 1460px; margin: 0 auto; padding: 16px 20px 0; font: 650 16px/1.5 system-ui, sans-serif; }
.way-back a { display: inline-flex; align-items: center; gap: 8px; color: inherit; text-decoration: none; }
.way-back a:hover { text-decoration: underline; }
</style>
</head>
<body>
<header class="way-back"><a href="/"><img src="/docs/sign.svg" alt="" width="24" height="24">Repute</a></header>
<noscript>The interactive documentation needs JavaScript; the document itself is at <a href="/openapi.json">/openapi.json</a>.</noscript>
<main id="docs"></main>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

const START = `SwaggerUIBundle({ url: "/openapi.json", dom_id: "#docs", deepLinking: true, validatorUrl: null });\n`;

/** Swagger UI is dark below a class; before the first paint, by the choice on the page, else by the system. */
const THEME = `const root = document.documentElement;
const system = matchMedia("(prefers-color-scheme: dark)");
const show = () => root.classList.toggle("dark-mode", (root.dataset.theme ?? (system.matches ? "dark" : "light")) === "dark");
system.addEventListener("change", show);
show();
`;

/** The sign of the pages, `web/ui/brand-mark.svg`: theirs has another name with each build. */
const SIGN = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><title>Repute</title><path d="M16 2 4 6.6v8.6c0 7 4.900 12.600 12 14.800 7.100-2.200 12-7.800 12-14.800V6.600Z" fill="#2d5bd7"/><path d="M9.500 19.500v-3M14 19.500v-6M18.500 19.500v-4.500M23 19.500v-9" stroke="#fff" stroke-width="2.600" stroke-linecap="round" fill="none"/></svg>`;

type Asset = { readonly type: string; readonly file: string };

const ASSETS: Readonly<Record<string, Asset>> = {
  "swagger-ui-bundle.js": { type: "text/javascript", file: "swagger-ui-bundle.js" },
  "swagger-ui.css": { type: "text/css", file: "swagger-ui.css" },
};

/** The interactive documentation, served from here alone: it works without a network. */
export function addDocsRoutes(app: App, parts: HttpParts): void {
  const pages = new Map<Theme, Buffer>();
  app.get("/docs", async (request, reply) => {
    const theme = themeOf(request);
    const page = pages.get(theme) ?? Buffer.from(pageIn(theme));
    pages.set(theme, page);
    reply.headers({ "Content-Security-Policy": CSP, "Cache-Control": "private, no-cache" });
    return sendCompressed(request, reply.type("text/html; charset=utf-8"), page);
  });
  for (const [name, script] of Object.entries({ "start.js": START, "theme.js": THEME })) {
    app.get(`/docs/${name}`, async (_request, reply) =>
      reply.type("text/javascript; charset=utf-8").send(script),
    );
  }
  app.get("/docs/sign.svg", async (_request, reply) =>
    reply.header("Cache-Control", "public, max-age=86400").type("image/svg+xml").send(SIGN),
  );
  // Read once, and one memory for all answers: a caller who does not read must not make the service hold copies.
  const contents = new Map<string, Promise<Buffer>>();
  const contentOf = (name: string, asset: Asset): Promise<Buffer> => {
    const known = contents.get(name);
    if (known !== undefined) return known;
    const reading = readAsset(asset, parts);
    contents.set(name, reading);
    reading.catch(() => contents.delete(name));
    return reading;
  };
  for (const [name, asset] of Object.entries(ASSETS)) {
    app.get(`/docs/${name}`, async (request, reply) => {
      const content = await contentOf(name, asset);
      reply.header("Cache-Control", "public, max-age=86400").type(`${asset.type}; charset=utf-8`);
      return sendCompressed(request, reply, content);
    });
  }
}

// The package ships the two files beside its build; a checkout has them where npm put them.
async function readAsset({ file }: Asset, parts: HttpParts): Promise<Buffer> {
  const built = new URL(`../docs/${file}`, import.meta.url);
  try {
    return await readFile(built);
  } catch {
    return readInstalledAsset(file, parts);
  }
}

async function readInstalledAsset(file: string, parts: HttpParts): Promise<Buffer> {
  try {
    return await readFile(createRequire(import.meta.url).resolve(`swagger-ui-dist/${file}`));
  } catch (cause) {
    parts.calls.deps.log.warn({ file }, "The documentation's page is not installed; /openapi.json is there");
    throw new Refusal("NOT_FOUND", { cause });
  }
}
