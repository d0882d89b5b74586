import { gzipSync } from "node:zlib";
import { Refusal } from "../../failure.ts";
import type { App, HttpParts, Reply, Request } from "../context.ts";
import { sendNotBuilt, sendPage, themeOf } from "./page-reply.ts";
import type { PublicPage } from "./page-shapes.ts";
import { guidePage, pricingPage, sourcesPage, statusPage } from "./page-views.ts";
import type { Site } from "./site.ts";
import { addToolRoutes } from "./tool-routes.ts";

const FOR_EVER = "public, max-age=31536000, immutable";

/** Everything behind a path of the tools costs a lookup: crawlers stay outside. */
const ROBOTS =
  "User-agent: *\nDisallow: /tools/*/\nDisallow: /tools/*?\nDisallow: /lookup\nDisallow: /app\nDisallow: /api/\n";

const CONFIG = { page: true } as const;

/** The pages and the files that they load. */
export function addSiteRoutes(app: App, parts: HttpParts, site: Site): void {
  addAssets(app, site);
  const sendApp = async (request: Request, reply: Reply): Promise<Reply> => {
    const built = await site.built();
    if (built === null) return sendNotBuilt(reply);
    return sendPage(reply, built.renderApp({ files: built.appFiles, theme: themeOf(request) }));
  };
  app.get("/app", { config: CONFIG }, sendApp);
  app.get("/app/*", { config: CONFIG }, sendApp);
  app.get("/robots.txt", async (_request, reply) =>
    reply
      .headers({ "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "public, max-age=86400" })
      .send(ROBOTS),
  );
  const pages: Readonly<Record<string, () => PublicPage | Promise<PublicPage>>> = {
    "/pricing": () => pricingPage(parts),
    "/guide": guidePage,
    "/status": () => statusPage(parts),
    "/sources": () => sourcesPage(parts),
  };
  for (const [path, page] of Object.entries(pages)) {
    app.get(path, { config: CONFIG }, (request, reply) => site.sendShared(request, reply, page));
  }
  addToolRoutes(app, parts, site);
}

/** Names hold a hash of the content: what was fetched once is never asked for again. */
function addAssets(app: App, site: Site): void {
  const packed = new Map<string, Buffer>();
  app.get<{ Params: { file: string } }>("/assets/:file", { config: CONFIG }, async (request, reply) => {
    const { file } = request.params;
    const asset = (await site.built())?.assets.get(file);
    if (asset === undefined) throw new Refusal("NOT_FOUND");
    reply.headers({ "Content-Type": asset.type, "Cache-Control": FOR_EVER, Vary: "Accept-Encoding" });
    if (!/\bgzip\b/i.test(request.headers["accept-encoding"] ?? "")) return reply.send(asset.content);
    const content = packed.get(file) ?? gzipSync(asset.content, { level: 9 });
    packed.set(file, content);
    return reply.header("Content-Encoding", "gzip").send(content);
  });
}
