import { Refusal } from "../../base/failure.ts";
import { callFree, callPageOnly, callWhole, type PublicAnswer } from "../../metering/free.ts";
import type { SealedProduct } from "../../products/product.ts";
import { admitClient } from "../admission.ts";
import type { HttpParts, Reply, Request } from "../context.ts";

/** What a person asks of the page of a product, its tool. */
export type ToolQuestion = {
  readonly product: SealedProduct;
  readonly asked: string;
  readonly recordType: string;
};

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
    await admitClient(parts, request, reply, freePathOf(question.product));
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

function callOf({ calls, site }: HttpParts, { product, asked, recordType }: ToolQuestion): FreeCall {
  const path = freePathOf(product);
  const { isWholePublic, pageOnly } = product.page;
  if (pageOnly !== undefined) {
    const check = pageOnly.prepare(asked);
    return { path, run: (signal) => reducedOf(callPageOnly(calls, check, signal)) };
  }
  const type = recordType === "" ? {} : { record_type: recordType };
  const body = { [product.field]: asked, ...type };
  if (site.reports === "full" && isWholePublic)
    return { path, run: (signal) => callWhole(calls, product, body, signal) };
  return { path, run: (signal) => reducedOf(callFree(calls, product, body, signal)) };
}

const reducedOf = async (report: Promise<object>): Promise<PublicAnswer> => ({
  report: await report,
  full: null,
});

function freePathOf({ name, free, page }: SealedProduct): string {
  const path = page.pageOnly?.countsAs ?? free?.path;
  if (path === undefined) throw new Error(`${name} has no free report`);
  return path;
}

/** Whether a page of a product lets the record types be chosen. */
export const hasRecordTypes = ({ cli }: SealedProduct): boolean => cli.type?.member === RECORD_TYPE;

const RECORD_TYPE = "record_type";
