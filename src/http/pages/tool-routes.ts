import { InvalidValue } from "../../base/failure.ts";
import { PRODUCTS } from "../../products/all.ts";
import type { SealedProduct } from "../../products/product.ts";
import { recogniseTarget } from "../../products/recognise.ts";
import type { App, HttpParts, Reply, Request } from "../context.ts";
import type { PublicPage } from "./page-shapes.ts";
import { homePage } from "./page-views.ts";
import { addPaidTools } from "./paid-tools.ts";
import { isClosedTo, readPerson, SIGN_IN } from "./person.ts";
import type { Site } from "./site.ts";
import { toolPath } from "./tool-path.ts";
import { memberOf, refusalPage, toolView } from "./tool-views.ts";
import { hasRecordTypes, lookUp, type ToolQuestion } from "./tools.ts";

const CONFIG = { page: true } as const;

/** The field that takes anything, and the tool of each product: forms by GET, reports with an address of their own. */
export function addToolRoutes(app: App, parts: HttpParts, site: Site): void {
  app.get("/lookup", { config: CONFIG }, async (request, reply) => {
    await readPerson(parts, request);
    if (isClosedTo(parts, request)) return reply.redirect(SIGN_IN, 303);
    const asked = memberOf(request.query, "q");
    if (asked.trim() === "") return reply.redirect("/", 303);
    try {
      const { product, value } = recogniseTarget(asked);
      return reply.redirect(toolPath(product.cli.word, value), 303);
    } catch (error) {
      if (!(error instanceof InvalidValue)) throw error;
      return site.send(request, reply.code(422), homePage(parts, asked, error.message));
    }
  });
  for (const product of PRODUCTS) addTool(app, parts, site, product);
  addPaidTools(app, parts, site);
}

function addTool(app: App, parts: HttpParts, site: Site, product: SealedProduct): void {
  const tool = product.cli.word;
  app.get(`/tools/${tool}`, { config: CONFIG }, async (request, reply) => {
    const asked = memberOf(request.query, "q").trim();
    const question = { product, asked, recordType: recordTypeOf(product, request) };
    const path = toolPath(tool, asked, question.recordType);
    // A value that fits into a path has its report there, so that each report has one address.
    if (asked !== "" && !path.startsWith(`/tools/${tool}?q=`)) return reply.redirect(path, 303);
    return answer(parts, site, question, request, reply);
  });
  app.get(`/tools/${tool}/:asked`, { config: CONFIG }, async (request, reply) => {
    const question = {
      product,
      asked: memberOf(request.params, "asked"),
      recordType: recordTypeOf(product, request),
    };
    return answer(parts, site, question, request, reply);
  });
}

async function answer(
  parts: HttpParts,
  site: Site,
  question: ToolQuestion,
  request: Request,
  reply: Reply,
): Promise<Reply> {
  const view = toolView(question, parts.site);
  await readPerson(parts, request);
  if (isClosedTo(parts, request)) return reply.redirect(SIGN_IN, 303);
  const send = (page: PublicPage): Promise<Reply> => site.send(request, reply, page);
  const isUnasked = question.asked === "" || parts.site.reports === "off";
  if (question.asked !== "") reply.header("X-Robots-Tag", "noindex");
  if (isUnasked) return send({ ...view, problem: null, report: null });
  try {
    return await send({ ...view, problem: null, ...(await lookUp(parts, question, request, reply)) });
  } catch (error) {
    return send(refusalPage(view, error, request, reply));
  }
}

const recordTypeOf = (product: SealedProduct, request: Request): string =>
  hasRecordTypes(product) ? memberOf(request.query, "type").slice(0, MAX_TYPES) : "";

const MAX_TYPES = 100;
