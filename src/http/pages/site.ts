import type { Clock } from "../../base/clock.ts";
import type { Refusal } from "../../base/failure.ts";
import type { HttpParts, Reply, Request } from "../context.ts";
import { clientNameOf, takePlace } from "../window.ts";
import { type BuiltPages, loadBuiltPages } from "./built-pages.ts";
import { sendNotBuilt, sendPage, themeOf } from "./page-reply.ts";
import type { PublicPage } from "./page-shapes.ts";
import { problemOf } from "./page-views.ts";
import { personOf, type Visitor } from "./person.ts";
import { prefersHtml } from "./preferred.ts";

/** The pages, rendered when they are asked for. */
export type Site = {
  /** Null while the pages are not built. */
  readonly built: () => Promise<BuiltPages | null>;
  /** A page for one caller. Throws the 429 of a client that asks for too many: rendering is what costs. */
  readonly send: (request: Request, reply: Reply, page: PublicPage) => Promise<Reply>;
  /** Renders a page for one caller at once; null while the pages are not built. */
  readonly renderer: () => Promise<((request: Request, page: PublicPage) => Buffer) | null>;
  /** Where the service is reached, as links and examples name it; without a slash at the end. */
  readonly origin: (request: Request) => string;
  /** A page that is the same for all who ask within a second. */
  readonly sendShared: (
    request: Request,
    reply: Reply,
    page: () => PublicPage | Promise<PublicPage>,
  ) => Promise<Reply>;
  /** Answers a refusal with a page where a person with a browser waits; false: nothing was sent. */
  readonly sendProblem: (request: Request, reply: Reply, refusal: Refusal) => Promise<boolean>;
};

/** The pages of `dist/web`, read once, when the first is asked for. */
export function openSite(parts: HttpParts): Site {
  const built = createLoader(parts);
  const render = createRender(parts);
  const shared = createSharedPages(parts.calls.clock);
  return {
    built,
    origin: (request) => originOf(parts, request),
    renderer: () => built().then((pages) => pages && rendererOf(render, pages)),
    sendShared: async (request, reply, page) => {
      const pages = await built();
      if (pages === null) return sendNotBuilt(reply);
      const key = `${themeOf(request)} ${pathOf(request)} ${originOf(parts, request)}`;
      const html = await shared.take(key, async () => render(pages, request, await page()));
      return sendPage(request, reply, html);
    },
    send: async (request, reply, page) => {
      const pages = await built();
      if (pages === null) return sendNotBuilt(reply);
      const bucket = `pages ${clientNameOf(request.state)}`;
      const release = await takePlace(parts, { bucket, perSecond: PAGES_PER_SECOND });
      release();
      const person = personOf(request);
      const html = render(pages, request, page, { person });
      return sendPage(request, reply, html, { isPersonal: person !== null });
    },
    sendProblem: async (request, reply, refusal) => {
      if (!isForPerson(request)) return false;
      const pages = await built();
      if (pages === null) return false;
      const problem = problemOf(refusal, ID_PLACE);
      const key = `${themeOf(request)} ${originOf(parts, request)} ${JSON.stringify(problem)}`;
      try {
        // Without a path: a caller could write another one each time.
        const html = await shared.take(key, async () =>
          render(pages, request, { page: "problem", problem }, { path: "" }),
        );
        await sendPage(request, reply.code(problem.status), withId(html, request.id));
        return true;
      } catch (error) {
        parts.calls.deps.log.error({ err: error, request_id: request.id }, "Cannot render a refusal");
        return false;
      }
    },
  };
}

function createLoader(parts: HttpParts): Site["built"] {
  let loaded: ReturnType<Site["built"]> | null = null;
  return () => {
    loaded ??= loadBuiltPages().catch((error: unknown) => {
      parts.calls.deps.log.warn({ err: error }, "The pages are not built; run `npm run web`");
      return null;
    });
    return loaded;
  };
}

const withId = (html: Buffer, id: string): Buffer => Buffer.from(html.toString().replace(ID_PLACE, id));

const rendererOf = (render: Render, pages: BuiltPages) => (request: Request, page: PublicPage) =>
  render(pages, request, page, { person: personOf(request) });

type Render = (
  pages: BuiltPages,
  request: Request,
  page: PublicPage,
  frame?: { readonly path?: string; readonly person?: Visitor | null },
) => Buffer;

const createRender =
  (parts: HttpParts): Render =>
  (pages, request, page, { path = pathOf(request), person = null } = {}) =>
    Buffer.from(
      pages.renderPage({
        page,
        files: pages.siteFiles,
        theme: themeOf(request),
        path,
        origin: originOf(parts, request),
        version: parts.version,
        now: parts.calls.clock.now().toISOString(),
        person,
      }),
    );

/** Pages made for one caller, a second and client. */
const PAGES_PER_SECOND = 50;
/** Where the request's id goes in a refusal that is kept: a text that stands in no page, and no id of a caller's. */
const ID_PLACE = "{request id}";

const SHARED_MS = 1000;
const MAX_SHARED = 200;

/** Pages as UTF-8, for a second each: what anybody may ask for over and over costs its rendering once. */
function createSharedPages(clock: Clock) {
  const kept = new Map<string, { readonly html: Promise<Buffer>; readonly untilMs: number }>();
  return {
    take: (key: string, make: () => Promise<Buffer>): Promise<Buffer> => {
      const nowMs = clock.monotonicMs();
      const known = kept.get(key);
      if (known !== undefined && nowMs < known.untilMs) return known.html;
      if (kept.size >= MAX_SHARED) kept.clear();
      const html = make();
      kept.set(key, { html, untilMs: nowMs + SHARED_MS });
      html.catch(() => kept.delete(key));
      return html;
    },
  };
}

const pathOf = (request: Request): string => request.url.split("?", 1)[0] ?? "/";

const originOf = (parts: HttpParts, request: Request): string =>
  parts.publicUrl?.replace(/\/$/, "") ?? ownOrigin(request);

/** Where the connection ended: `Host` is whatever the caller wrote, and links are passed on (security P17). */
function ownOrigin({ raw: { socket } }: Request): string {
  const address = (socket.localAddress ?? "127.0.0.1").replace(/^::ffff:/, "");
  return `http://${address.includes(":") ? `[${address}]` : address}:${socket.localPort ?? 80}`;
}

/** Whether a refusal is read in a browser: never below `/api`, whose errors have one form. */
function isForPerson({ method, url, headers, routeOptions }: Request): boolean {
  if (url.startsWith("/assets/") || url.startsWith("/api/")) return false;
  if (routeOptions.config?.page === true) return true;
  return (method === "GET" || method === "HEAD") && prefersHtml(headers.accept);
}
