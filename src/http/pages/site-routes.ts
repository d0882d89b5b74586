import { Refusal } from "../../base/failure.ts";
import { sendCompressed } from "../compression.ts";
import type { App, HttpParts, Reply, Request } from "../context.ts";
import { documentOf } from "../openapi.ts";
import type { Theme } from "./built-pages.ts";
import { sendNotBuilt, sendPage, themeOf } from "./page-reply.ts";
import { type PublicPage, USES } from "./page-shapes.ts";
import { guidePage, pricingPage, sourcesPage, statusPage } from "./page-views.ts";
import { createReference, REFERENCE_NAMES, type Reference } from "./reference.ts";
import { SECURITY_PATH, securityText } from "./security-text.ts";
import { addSharedRoute } from "./shared-route.ts";
import type { Site } from "./site.ts";
import { addToolRoutes } from "./tool-routes.ts";

const FOR_EVER = "public, max-age=31536000, immutable";

/** Everything behind a path of the tools costs a lookup: crawlers stay outside. */
const ROBOTS =
  "User-agent: *\nDisallow: /tools/*/\nDisallow: /tools/*?\nDisallow: /lookup\nDisallow: /app\nDisallow: /shared/\nDisallow: /api/\n";

const CONFIG = { page: true } as const;

/** The pages and the files that they load. */
export function addSiteRoutes(app: App, parts: HttpParts, site: Site): void {
  addAssets(app, site);
  const shells = new Map<Theme, Buffer>();
  const sendApp = async (request: Request, reply: Reply): Promise<Reply> => {
    const built = await site.built();
    if (built === null) return sendNotBuilt(reply);
    const theme = themeOf(request);
    const html = shells.get(theme) ?? Buffer.from(built.renderApp({ files: built.appFiles, theme }));
    shells.set(theme, html);
    return sendPage(request, reply, html);
  };
  app.get("/app", { config: CONFIG }, sendApp);
  app.get("/app/*", { config: CONFIG }, sendApp);
  app.get("/robots.txt", async (_request, reply) =>
    reply
      .headers({ "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "public, max-age=86400" })
      .send(ROBOTS),
  );
  app.get(SECURITY_PATH, async (_request, reply) => {
    const { security_contact: contact } = parts.site;
    if (contact === null) throw new Refusal("NOT_FOUND");
    const now = parts.calls.clock.now();
    return reply
      .headers({ "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "public, max-age=86400" })
      .send(securityText({ contact, publicUrl: parts.publicUrl, now }));
  });
  const pages: Readonly<Record<string, () => PublicPage | Promise<PublicPage>>> = {
    "/pricing": () => pricingPage(parts),
    "/guide": guidePage,
    "/status": () => statusPage(parts),
    "/sources": () => sourcesPage(parts),
  };
  for (const [path, page] of Object.entries(pages)) {
    app.get(path, { config: CONFIG }, (request, reply) => site.sendShared(request, reply, page));
  }
  for (const use of USES) {
    app.get(`/guide/${use}`, { config: CONFIG }, (request, reply) =>
      site.sendShared(request, reply, () => ({ page: "use", use })),
    );
  }
  addReference(app, parts, site);
  addToolRoutes(app, parts, site);
  addSharedRoute(app, parts, site);
}

/** The API reference: one page for each product, read from the document when the first is asked for. */
function addReference(app: App, parts: HttpParts, site: Site): void {
  let reference: Reference | null = null;
  const known = (): Reference => {
    reference ??= createReference(documentOf(parts));
    return reference;
  };
  for (const name of ["", ...REFERENCE_NAMES]) {
    app.get(name === "" ? "/docs" : `/docs/${name}`, { config: CONFIG }, (request, reply) =>
      site.sendShared(request, reply, () => known().page(name, site.origin(request))),
    );
  }
}

/** Names hold a hash of the content: what was fetched once is never asked for again. Browsers ask for one more by its own name. */
function addAssets(app: App, site: Site): void {
  app.get("/favicon.ico", { config: CONFIG }, async (_request, reply) => {
    const icon = (await site.built())?.assets.get("favicon.ico");
    if (icon === undefined) throw new Refusal("NOT_FOUND");
    return reply
      .headers({ "Content-Type": icon.type, "Cache-Control": "public, max-age=86400" })
      .send(icon.content);
  });
  app.get<{ Params: { file: string } }>("/assets/:file", { config: CONFIG }, async (request, reply) => {
    const { file } = request.params;
    const asset = (await site.built())?.assets.get(file);
    if (asset === undefined) throw new Refusal("NOT_FOUND");
    reply.headers({ "Content-Type": asset.type, "Cache-Control": FOR_EVER });
    return sendCompressed(request, reply, asset.content);
  });
}
