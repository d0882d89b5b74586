import { Refusal } from "../../base/failure.ts";
import { callFree, callFreeUrl, callWhole, type PublicAnswer } from "../../metering/free.ts";
import { PRODUCTS } from "../../products/all.ts";
import type { SealedProduct } from "../../products/product.ts";
import { parseUrl } from "../../targets/url.ts";
import { admitClient } from "../admission.ts";
import type { HttpParts, Reply, Request } from "../context.ts";
import type { ToolName } from "./page-shapes.ts";

/** What a person asks of a tool. */
export type ToolQuestion = { readonly tool: ToolName; readonly asked: string; readonly recordType: string };

/** A URL has no free endpoint: its page counts as a free domain check. */
const PRODUCT_OF: Readonly<Record<ToolName, string>> = {
  ip: "check-ip",
  domain: "domain-reputation",
  url: "domain-reputation",
  email: "email-reputation",
  dns: "dns-lookup",
  whois: "whois-lookup",
};

export const TOOL_NAMES: readonly ToolName[] = ["ip", "domain", "url", "email", "dns", "whois"];

/** The tool whose page shows a product's reports. */
export function toolOfProduct(product: string): ToolName {
  const tool = TOOL_NAMES.find((name) => paidProductOf(name).name === product);
  if (tool === undefined) throw new Error(`No tool shows ${product}`);
  return tool;
}

/**
 * What strangers see, by the free endpoint's own code and within the same limit. Throws the Refusal that the endpoint
 * would answer. While data is prepared nothing is counted: a page asks again by itself.
 */
export async function lookUp(
  parts: HttpParts,
  question: ToolQuestion,
  request: Request,
  reply: Reply,
): Promise<PublicAnswer> {
  const missing = parts.calls.missingParts();
  if (missing.length > 0) throw preparing(missing);
  const { path, run } = await readQuestion(parts, question, request, reply);
  await admitClient(parts, request, reply, path);
  return run(request.state.hangUp.signal);
}

/** What cannot be read is refused, and counted as the free endpoint would. */
async function readQuestion(
  parts: HttpParts,
  question: ToolQuestion,
  request: Request,
  reply: Reply,
): Promise<FreeCall> {
  try {
    return callOf(parts, question);
  } catch (error) {
    await admitClient(parts, request, reply, freePathOf(productOf(PRODUCT_OF[question.tool])));
    throw error;
  }
}

const preparing = (missing: readonly string[]): Refusal =>
  new Refusal("SERVICE_UNAVAILABLE", {
    message: `The data is being prepared (${missing.join(", ")}). This page asks again by itself.`,
    retryAfterS: 5,
  });

type FreeCall = {
  /** Of the free endpoint in whose window it counts. */
  readonly path: string;
  readonly run: (signal: AbortSignal) => Promise<PublicAnswer>;
};

/** A whole report of a URL would open its page, one of an address for mail would ask its host. */
const WHOLE: ReadonlySet<ToolName> = new Set(["ip", "domain", "dns", "whois"]);

function callOf({ calls, site }: HttpParts, { tool, asked, recordType }: ToolQuestion): FreeCall {
  const product = productOf(PRODUCT_OF[tool]);
  const path = freePathOf(product);
  if (tool === "url") {
    const url = parseUrl(asked);
    return { path, run: (signal) => reducedOf(callFreeUrl(calls, { url, input: asked }, signal)) };
  }
  const type = tool === "dns" && recordType !== "" ? { record_type: recordType } : {};
  const body = { [product.field]: asked, ...type };
  if (site.reports === "full" && WHOLE.has(tool))
    return { path, run: (signal) => callWhole(calls, product, body, signal) };
  return { path, run: (signal) => reducedOf(callFree(calls, product, body, signal)) };
}

const reducedOf = async (report: Promise<object>): Promise<PublicAnswer> => ({
  report: await report,
  full: null,
});

function freePathOf({ name, free }: SealedProduct): string {
  if (free === null) throw new Error(`${name} has no free variant`);
  return free.path;
}

/** What a tool asks for who is signed in: a URL's page is fetched then. */
export const paidProductOf = (tool: ToolName): SealedProduct =>
  productOf(tool === "url" ? "url-reputation" : PRODUCT_OF[tool]);

function productOf(name: string): SealedProduct {
  const product = PRODUCTS.find((one) => one.name === name);
  if (product === undefined) throw new Error(`There is no product ${name}`);
  return product;
}
