import { isoSeconds } from "../../base/clock.ts";
import { Refusal } from "../../base/failure.ts";
import { productNamed } from "../../products/all.ts";
import type { App, HttpParts } from "../context.ts";
import { SHARED_BASE } from "../dashboard/result-routes.ts";
import { clientNameOf, takePlace } from "../window.ts";
import { sendNotBuilt, sendPage } from "./page-reply.ts";
import type { Site } from "./site.ts";
import { memberOf } from "./tool-views.ts";

/** Pages of links that a client may open in a second: each reads the database. */
const OPENED_PER_SECOND = 10;

/** A kept answer by its link: for anybody who has it, without a word about the account. */
export function addSharedRoute(app: App, parts: HttpParts, site: Site): void {
  app.get(`${SHARED_BASE}/:token`, { config: { page: true } }, async (request, reply) => {
    const bucket = `shared ${clientNameOf(request.state)}`;
    const release = await takePlace(parts, { bucket, perSecond: OPENED_PER_SECOND });
    const shared = await parts.dashboard.results
      .readShared(memberOf(request.params, "token"))
      .finally(release);
    if (shared === null) {
      throw new Refusal("NOT_FOUND", { message: "This link has ended, was revoked, or was never made" });
    }
    const { result, expiresAt } = shared;
    const render = await site.renderer();
    if (render === null) return sendNotBuilt(reply);
    const full: unknown = JSON.parse(result.data);
    const html = render(request, {
      page: "shared",
      tool: productNamed(result.product).cli.word,
      target: result.target,
      at: isoSeconds(result.at),
      expires_at: isoSeconds(expiresAt),
      full,
    });
    reply.header("X-Robots-Tag", "noindex, nofollow");
    // No cache keeps what may be revoked.
    return sendPage(request, reply, html, { isPersonal: true });
  });
}
