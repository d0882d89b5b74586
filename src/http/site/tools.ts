import { callFree } from "../../calls/free.ts";
import { Refusal } from "../../failure.ts";
import { PRODUCTS } from "../../products/all.ts";
import type { SealedProduct } from "../../products/product.ts";
import { parseUrl } from "../../targets/url.ts";
import { admitClient } from "../admission.ts";
import type { HttpParts, Reply, Request } from "../context.ts";
import type { ToolName } from "./page-shapes.ts";

/** What a person asks of a tool. */
export type Question = { readonly tool: ToolName; readonly asked: string; readonly recordType: string };

const PRODUCT_OF: Readonly<Record<Exclude<ToolName, "url">, string>> = {
  ip: "check-ip",
  domain: "domain-reputation",
  email: "email-reputation",
  dns: "dns-lookup",
  whois: "whois-lookup",
};

export const TOOL_NAMES: readonly ToolName[] = ["ip", "domain", "url", "email", "dns", "whois"];

/**
 * The free report, by the free endpoint's own code and within the same limit. Throws the Refusal that the endpoint
 * would answer. While data is prepared nothing is counted: a page asks again by itself.
 */
export async function lookUp(
  parts: HttpParts,
  question: Question,
  request: Request,
  reply: Reply,
): Promise<object> {
  const missing = parts.calls.missingParts();
  if (missing.length > 0) throw preparing(missing);
  const { product, body } = await readQuestion(parts, question, request, reply);
  if (product.free === null) throw new Refusal("NOT_FOUND");
  await admitClient(parts, request, reply, product.free.path);
  return callFree(parts.calls, product, body, request.state.hangUp.signal);
}

/** What cannot be read is refused, and counted as the free endpoint would. */
async function readQuestion(
  parts: HttpParts,
  question: Question,
  request: Request,
  reply: Reply,
): Promise<FreeCall> {
  try {
    return callOf(question);
  } catch (error) {
    const { free } = productOf(PRODUCT_OF[question.tool === "url" ? "domain" : question.tool]);
    if (free !== null) await admitClient(parts, request, reply, free.path);
    throw error;
  }
}

const preparing = (missing: readonly string[]): Refusal =>
  new Refusal("SERVICE_UNAVAILABLE", {
    message: `The data is being prepared (${missing.join(", ")}). This page asks again by itself.`,
    retryAfterS: 5,
  });

type FreeCall = { readonly product: SealedProduct; readonly body: object };

function callOf({ tool, asked, recordType }: Question): FreeCall {
  if (tool === "url") return callOfUrl(asked);
  const product = productOf(PRODUCT_OF[tool]);
  const type = tool === "dns" && recordType !== "" ? { record_type: recordType } : {};
  return { product, body: { [product.field]: asked, ...type } };
}

/** Without an account a URL is judged by its host alone. */
function callOfUrl(asked: string): FreeCall {
  const { host } = parseUrl(asked);
  return host.kind === "ip"
    ? { product: productOf(PRODUCT_OF.ip), body: { ip: host.ip.text } }
    : { product: productOf(PRODUCT_OF.domain), body: { domain: host.domain.name } };
}

function productOf(name: string): SealedProduct {
  const product = PRODUCTS.find((one) => one.name === name);
  if (product === undefined) throw new Error(`There is no product ${name}`);
  return product;
}
