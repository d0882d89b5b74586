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
  const unique = new Map<string, Unique>();
  for (const { input, lookup } of prepared) {
    if (lookup === null) continue;
    const known = unique.get(lookup.text);
    if (known === undefined) unique.set(lookup.text, { lookup, inputs: new Set([input]) });
    else known.inputs.add(input);
  }
  const deadlineMs = parts.clock.monotonicMs() + bulk.variant.deadlineMs;
  const context = { signal, deadlineMs, form: batch.form };
  const reports = await runBounded(parts, bulk, unique.values(), context);
  return prepared.map(({ input, error }) => reports.get(input) ?? failedItem(input, error ?? TIMED_OUT));
}

const TIMED_OUT = "timeout: the batch ran out of time";

/** Equal items, in every spelling that they have in the batch. */
type Unique = { readonly lookup: ProductLookup; readonly inputs: Set<string> };

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

/**
 * The reports of all that was looked up in time, by input. Each is a text as soon as it is there: what a report is made of are
 * thousands of objects, and those of a slow batch would have to be kept, and copied by the collector, until its end.
 */
async function runBounded(
  parts: CallParts,
  { product, variant }: BulkProduct,
  queue: Iterator<Unique, undefined> & Iterable<Unique>,
  { form, ...context }: LookupContext & { readonly form: AnswerForm },
): Promise<Map<string, ItemReport>> {
  const reports = new Map<string, ItemReport>();
  const work = async () => {
    for (const { lookup, inputs } of queue) {
      if (context.signal.aborted || parts.clock.monotonicMs() >= context.deadlineMs) return;
      await turn();
      await parts.deps.pace(context.signal);
      const deadlineMs = Math.min(context.deadlineMs, parts.clock.monotonicMs() + product.deadlineMs);
      const outcome = await runItem(parts, lookup, { ...context, deadlineMs });
      for (const input of inputs) {
        await turn();
        reports.set(input, itemOf(input, outcome, form));
      }
    }
  };
  await Promise.all(Array.from({ length: variant.concurrency }, work));
  return reports;
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
  if (typeof outcome === "string") return failedItem(input, outcome);
  if (!outcome.isCharged) return failedItem(input, outcome.failure);
  return { input, status: "success", result: resultText(outcome, form, input).join(""), error: null };
}

const failedItem = (input: string, error: string | null): ItemReport => ({
  input,
  status: "error",
  result: null,
  error,
});
