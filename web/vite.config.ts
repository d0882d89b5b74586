import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/**
 * Begins every style sheet with the order of the layers, which is set by whichever of them arrives first. The order
 * itself is the first statement of `styles/tokens.css`.
 */
function layersFirst(): Plugin {
  const order = "@layer tokens,base,components,pages;";
  return {
    name: "layers-first",
    enforce: "post",
    generateBundle: (_options, bundle) => {
      for (const file of Object.values(bundle)) {
        if (file.type === "asset" && file.fileName.endsWith(".css")) file.source = `${order}${file.source}`;
      }
    },
  };
}

/** The icon that browsers ask for by this name alone; pages name `brand-mark.svg`. */
function favicon(): Plugin {
  return {
    name: "favicon",
    generateBundle(options) {
      if (options.dir?.endsWith("server") === true) return;
      const source = readFileSync(here("ui/favicon.ico"));
      this.emitFile({ type: "asset", fileName: "favicon.ico", source });
    },
  };
}

/** The flags of countries as files of this service, named as `report/place.tsx` asks for them. */
function flags(): Plugin {
  const from = (path: string): URL => new URL(`../node_modules/flag-icons/${path}`, import.meta.url);
  return {
    name: "flags",
    generateBundle(options) {
      if (options.dir?.endsWith("server") === true) return;
      const { version } = JSON.parse(readFileSync(from("package.json"), "utf8"));
      for (const file of readdirSync(from("flags/4x3/"))) {
        if (!/^[a-z]{2}\.svg$/.test(file)) continue;
        const source = readFileSync(from(`flags/4x3/${file}`), "utf8");
        this.emitFile({ type: "asset", fileName: `flag-${version}-${file}`, source });
      }
    },
  };
}

// Two builds of one set of components: `vite build` makes the browser's files, `vite build --ssr` the renderer that
// src/http/pages asks for whole pages. React comes along in both: the running service needs none of these packages.
export default defineConfig(({ isSsrBuild }) => ({
  root: here("."),
  base: "/assets/",
  publicDir: false,
  plugins: [react(), layersFirst(), favicon(), flags()],
  ssr: { noExternal: true },
  // The service need not say that it is in production for React to be the quick one.
  define: { "process.env.NODE_ENV": JSON.stringify("production") },
  build: isSsrBuild
    ? {
        outDir: here("../dist/web/server"),
        emptyOutDir: true,
        rollupOptions: { input: { render: here("site/render.tsx") } },
      }
    : {
        outDir: here("../dist/web/assets"),
        assetsDir: ".",
        emptyOutDir: true,
        manifest: "manifest.json",
        // Of what is bundled: React and the like go along with the package, and so do their licences.
        license: { fileName: "licences.md" },
        // The policy of the pages allows no data: fonts or styles, and a request for each icon is not worth it.
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        rollupOptions: { input: { app: here("app/main.tsx"), site: here("site/enhance.ts") } },
      },
}));
