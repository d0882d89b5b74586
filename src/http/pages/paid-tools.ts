import { counted } from "../../base/counted.ts";
import { InvalidValue, Refusal } from "../../base/failure.ts";
import type { JsonText } from "../../base/json-text.ts";
import { callProduct } from "../../metering/single.ts";
import { PRODUCTS } from "../../products/all.ts";
import type { SealedProduct } from "../../products/product.ts";
import { recogniseTarget } from "../../products/recognise.ts";
import { isCsrfToken } from "../../sessions/tokens.ts";
import type { App, HttpParts, Reply, Request } from "../context.ts";
import { callOnce } from "../dashboard/session-calls.ts";
import { callOf, meteredConfig } from "../product-routes.ts";
import { STANDARD } from "../view.ts";
import { sendNotBuilt, sendPage } from "./page-reply.ts";
import type { PublicPage } from "./page-shapes.ts";
import { homePage } from "./page-views.ts";
import type { Site } from "./site.ts";
import { toolPath } from "./tool-path.ts";
import { memberOf, refusalPage, toolView } from "./tool-views.ts";
import { hasRecordTypes } from "./tools.ts";

/** Stands in a page until its call is settled: what it cost is not known when it is rendered. */
const CHARGE_PLACE = "{charge of this report}";

/**
 * The tools for who is signed in: forms by POST, with the session's CSRF token, answered with the full report at its price.
 * Nothing is looked up by an address alone: a link from elsewhere must not spend. Source: security P15.
 */
export function addPaidTools(app: App, parts: HttpParts, site: Site): void {
  const config = { page: true, audience: "member" } as const;
  app.post("/lookup", { config }, async (request, reply) => {
    const asked = readForm(request).get("q") ?? "";
    if (asked.trim() === "") return reply.redirect("/", 303);
    try {
      const { product, value } = recogniseTarget(asked);
      // The browser sends the form once more, to the tool.
      return reply.redirect(toolPath(product.cli.word, value), 307);
    } catch (error) {
      if (!(error instanceof InvalidValue)) throw error;
      return site.send(request, reply.code(422), homePage(parts, asked, error.message));
    }
  });
  for (const product of PRODUCTS) {
    const tool = product.cli.word;
    const paid = { config: { ...meteredConfig(product), ...config } };
    for (const path of [`/tools/${tool}`, `/tools/${tool}/:asked`]) {
      app.post(path, paid, (request, reply) => answer({ parts, site, product }, request, reply));
    }
  }
}

type Paid = {
  readonly parts: HttpParts;
  readonly site: Site;
  readonly product: SealedProduct;
};

async function answer(paid: Paid, request: Request, reply: Reply): Promise<Reply> {
  const form = readForm(request);
  if (!isCsrfToken(form.get("csrf"), request.state.sessionToken)) {
    throw new Refusal("CROSS_SITE", { message: "This page is older than your session: load it again" });
  }
  const asked = memberOf(request.params, "asked") || memberOf(request.query, "q") || form.get("q") || "";
  const recordType = hasRecordTypes(paid.product) ? (form.get("type") ?? "").slice(0, MAX_TYPES) : "";
  const view = toolView({ product: paid.product, asked: asked.trim(), recordType }, paid.parts.site);
  reply.header("X-Robots-Tag", "noindex");
  const render = await paid.site.renderer();
  if (render === null) return sendNotBuilt(reply);
  try {
    return await callOnce(paid.parts, request, () => lookUp(paid, { view, render }, request, reply));
  } catch (error) {
    const page = refusalPage(view, error, request, reply);
    return paid.site.send(request, reply, page);
  }
}

const MAX_TYPES = 100;

type View = {
  readonly view: ReturnType<typeof toolView>;
  readonly render: (request: Request, page: PublicPage) => Buffer;
};

async function lookUp({ parts, product }: Paid, { view, render }: View, request: Request, reply: Reply) {
  const type = view.record_type === "" ? {} : { record_type: view.record_type };
  const pageOf = (data: JsonText): Buffer => {
    const full: unknown = JSON.parse(data.join(""));
    return render(request, { ...view, problem: null, report: null, full, charge: CHARGE_PLACE });
  };
  const { body, charged, creditsRemaining } = await callProduct(
    parts.calls,
    product,
    { [product.field]: view.asked, ...type },
    { ...callOf(parts, request, product.name, STANDARD), render: pageOf },
  );
  request.state.isRecorded = charged > 0;
  request.state.charged = charged;
  reply.headers({ "X-Credits-Charged": charged, "X-Credits-Remaining": creditsRemaining });
  const line = `${counted(charged, "credit")} charged, ${creditsRemaining.toLocaleString("en")} left`;
  const html = Buffer.from(body.toString().replace(CHARGE_PLACE, line));
  return sendPage(request, reply, html, { isPersonal: true });
}

/** The members of a form's body; of anything else none. */
function readForm({ headers, body }: Request): URLSearchParams {
  const [type = ""] = (headers["content-type"] ?? "").split(";", 1);
  if (type.trim().toLowerCase() !== "application/x-www-form-urlencoded") {
    throw new Refusal("UNSUPPORTED_MEDIA_TYPE", { message: "Send the form of the page" });
  }
  return new URLSearchParams(Buffer.isBuffer(body) ? body.toString("utf8") : "");
}
