import { z } from "zod";
import { withMember } from "../base/json-text.ts";
import { onBehalfOf, partyOfAccount } from "../net/party.ts";
import { turn } from "../net/turns.ts";
import type {
  BulkVariant,
  LookupContext,
  ProductLookup,
  ProductResult,
  SealedProduct,
} from "../products/product.ts";
import { assertAffordable, settleCall } from "./charge.ts";
import { type AnswerForm, resultText } from "./disposition.ts";
import { assertReady, type Call, type CallAnswer, type CallParts, type CallSubject } from "./metered-call.ts";
import { besides, sentenceOf, validateBody } from "./read-input.ts";

/** Interface 8.4. */
const MAX_ITEMS = 100;

const BulkItem = z
  .object({
    input: z.string().describe("The item as it was sent"),
    status: z.enum(["success", "error"]).describe("Whether the item has a result"),
    result: z.unknown().nullable().describe("What the single endpoint's data would be; null on error"),
    error: z.string().nullable().describe("A code, a colon and a sentence; null on success"),
  })
  .meta({ id: "BulkResultItem" });

export const BulkReport = z
  .object({
    product: z.string().describe("Name of the product"),
    total_items: z.int().describe("Items of the batch"),
    successful: z.int().describe("Items that have a result"),
    failed: z.int().describe("Items that have an error"),
    credits_charged: z.int().describe("Credits that the batch cost"),
    results: z.array(BulkItem).describe("In the order of the items"),
    elapsed_ms: z.int().describe("Time that the work took, milliseconds"),
  })
  .meta({ id: "BulkReport", description: "The answers to all items" });

/** The shape of a batch's answer whose results are of one shape, a product's in one view. */
export function bulkReportOf(output: z.ZodType): z.ZodType {
  const id = output.meta()?.id ?? "Report";
  const { description = "" } = BulkItem.shape.result;
  const item = BulkItem.extend({ result: output.nullable().describe(description) });
  return BulkReport.extend({
    results: z
      .array(item.meta({ id: `BulkItemOf${id}` }))
      .describe(BulkReport.shape.results.description ?? ""),
  }).meta({ id: `BulkOf${id}`, description: "The answers to all items" });
}

type ItemReport = {
  readonly input: string;
  readonly status: "success" | "error";
  /** JSON text; null on error. */
  readonly result: string | null;
  readonly error: string | null;
};

/** Shape of a bulk body: the single input with its item member turned into a list of 1 to 100. */
export function bulkInputOf(product: SealedProduct, bulk: BulkVariant): z.ZodType<object> {
  const list = z.array(z.string()).min(1).max(MAX_ITEMS).describe(`1 to ${MAX_ITEMS} items`);
  const shared = product.input instanceof z.ZodObject ? { ...product.input.shape } : {};
  Reflect.deleteProperty(shared, bulk.item);
  return z
    .object({ [bulk.field]: list, ...shared })
    .meta({ id: `Bulk${product.input.meta()?.id ?? product.name}` });
}

/** One metered batch (design 11): one charge, one start, a failed item is an item. */
export async function callBulk(
  parts: CallParts,
  bulk: BulkProduct,
  body: unknown,
  call: Call,
): Promise<CallAnswer> {
  const { product } = bulk;
  const shaped = besides(call.faults, () => validateBody(bulk.input, body));
  const inputs = z.array(z.string()).parse(Reflect.get(shaped, bulk.variant.field));
  const subject: CallSubject = { targetKind: product.targetKind, target: null, items: inputs.length };
  call.describe(subject);
  const cost = inputs.length * product.price;
  assertAffordable(call.caller, cost);
  assertReady(parts.missingParts());
  const startedMs = parts.clock.monotonicMs();
  const batch = { shaped, inputs, form: { view: call.view, policy: call.policy } };
  const steps = () => lookUpAll(parts, bulk, batch, call.signal);
  const results = await onBehalfOf(partyOfAccount(call.caller.accountId), steps, call.work);
  call.signal.throwIfAborted();
  const successful = results.filter(({ status }) => status === "success").length;
  const head = JSON.stringify({
    product: product.name,
    total_items: results.length,
    successful,
    failed: results.length - successful,
    credits_charged: cost,
    elapsed_ms: Math.round(parts.clock.monotonicMs() - startedMs),
  });
  const rendered = await call.render(withMember([head], "results", [`[${results.map(itemText).join(",")}]`]));
  return await settleCall(parts, call, { subject, cost, body: rendered });
}

const itemText = ({ result, ...item }: ItemReport): string =>
  `${JSON.stringify(item).slice(0, -1)},"result":${result ?? "null"}}`;

/** A product with its bulk variant and the shape derived from both. */
export type BulkProduct = {
  readonly product: SealedProduct;
  readonly variant: BulkVariant;
  readonly input: z.ZodType<object>;
};

type Batch = { readonly shaped: object; readonly inputs: readonly string[]; readonly form: AnswerForm };

async function lookUpAll(
  parts: CallParts,
  bulk: BulkProduct,
  batch: Batch,
  signal: AbortSignal,
): Promise<ItemReport[]> {
  const prepared: PreparedItem[] = [];
  for (const input of batch.inputs) {
    await turn();
    prepared.push(prepareItem(bulk, batch.shaped, input));
  }
  const unique = new Map<string, ProductLookup>();
  for (const item of prepared) if (item.lookup !== null) unique.set(item.lookup.text, item.lookup);
  const deadlineMs = parts.clock.monotonicMs() + bulk.variant.deadlineMs;
  const outcomes = await runBounded(parts, bulk, unique, { signal, deadlineMs });
  const reports: ItemReport[] = [];
  for (const { input, lookup, error } of prepared) {
    if (lookup === null) {
      reports.push({ input, status: "error", result: null, error });
      continue;
    }
    await turn();
    reports.push(itemOf(input, outcomes.get(lookup.text) ?? TIMED_OUT, batch.form));
  }
  return reports;
}

const TIMED_OUT = "timeout: the batch ran out of time";

type PreparedItem = {
  readonly input: string;
  readonly lookup: ProductLookup | null;
  readonly error: string | null;
};

function prepareItem({ product, variant }: BulkProduct, shaped: object, input: string): PreparedItem {
  try {
    const body = validateBody(product.input, { ...shaped, [variant.item]: input });
    return { input, lookup: product.prepare(body), error: null };
  } catch (error) {
    const message = sentenceOf(error);
    if (message === null) throw error;
    return { input, lookup: null, error: `invalid_input: ${message}` };
  }
}

type Outcome = ProductResult | string;

async function runBounded(
  parts: CallParts,
  { product, variant }: BulkProduct,
  lookups: ReadonlyMap<string, ProductLookup>,
  context: LookupContext,
): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>();
  const queue = lookups.values();
  const work = async () => {
    for (const lookup of queue) {
      if (context.signal.aborted || parts.clock.monotonicMs() >= context.deadlineMs) return;
      await turn();
      await parts.deps.pace(context.signal);
      const deadlineMs = Math.min(context.deadlineMs, parts.clock.monotonicMs() + product.deadlineMs);
      outcomes.set(lookup.text, await runItem(parts, lookup, { ...context, deadlineMs }));
    }
  };
  await Promise.all(Array.from({ length: variant.concurrency }, work));
  return outcomes;
}

async function runItem(parts: CallParts, lookup: ProductLookup, context: LookupContext): Promise<Outcome> {
  try {
    return await lookup.run(parts.deps, context);
  } catch (error) {
    if (context.signal.aborted) return "cancelled: the caller hung up";
    parts.deps.log.error({ err: error }, "Bulk item failed");
    return "internal_error: the lookup failed";
  }
}

function itemOf(input: string, outcome: Outcome, form: AnswerForm): ItemReport {
  if (typeof outcome === "string") return { input, status: "error", result: null, error: outcome };
  if (!outcome.isCharged) return { input, status: "error", result: null, error: outcome.failure };
  return { input, status: "success", result: resultText(outcome, form, input).join(""), error: null };
}
