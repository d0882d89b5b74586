import type { Clock } from "../base/clock.ts";
import type { ServiceClient } from "../net/service-client.ts";
import type { SealedProduct } from "../products/product.ts";
import type { View } from "../products/views.ts";
import type { Checked } from "./check-output.ts";
import { bodyOf, type Question, targetOf } from "./check-question.ts";
import type { GivenValue } from "./check-values.ts";
import { readBatch, readReply } from "./server-replies.ts";

/** Questions that are gathered to calls of a running service. */
export type Batches = {
  /** The answer to one, which goes out with others of its kind. Rejects where no further call can succeed. */
  readonly ask: (given: GivenValue, question: Question) => Promise<Checked>;
  /** Sends what this value waits for company with; null: everything that waits. */
  readonly hurry: (given: GivenValue | null) => void;
};

type BatchParts = {
  readonly client: ServiceClient;
  readonly view: View;
  /** Name of the policy that judges; null: none. */
  readonly policy: string | null;
  readonly clock: Pick<Clock, "sleep">;
};

/** Items of a call. Source: interface 8.4. */
const MAX_ITEMS = 100;
/** Characters of a call, which may be four octets each; the service reads a mebibyte. */
const MAX_CHARACTERS = 200_000;
/** Calls under way at once; a plan with fewer slots makes some wait. */
const MAX_CALLS = 4;
/** So long a question waits for company where values come slowly. */
const LINGER_MS = 500;

type Item = {
  readonly given: GivenValue;
  readonly question: Question;
  readonly resolve: (checked: Checked) => void;
  readonly reject: (error: unknown) => void;
};

/** Gathers questions by product: up to 100 are one call, one alone is a single call. */
export function createBatches(parts: BatchParts): Batches {
  const open = new Map<SealedProduct, Item[]>();
  const enqueue = createQueue(parts);
  const send = (product: SealedProduct) => {
    const items = open.get(product);
    open.delete(product);
    if (items !== undefined) enqueue(items);
  };
  const begin = (product: SealedProduct): Item[] => {
    const items: Item[] = [];
    open.set(product, items);
    void parts.clock.sleep(LINGER_MS).then(() => {
      if (open.get(product) === items) send(product);
    });
    return items;
  };
  return {
    ask: (given, question) => {
      const { promise, resolve, reject } = Promise.withResolvers<Checked>();
      const { product, extra } = question;
      const item = { given, question, resolve, reject };
      if (product.bulk === null || Object.keys(extra).length > 0) enqueue([item]);
      else {
        const items = open.get(product) ?? begin(product);
        items.push(item);
        if (items.length >= MAX_ITEMS || charactersOf(items) >= MAX_CHARACTERS) send(product);
      }
      return promise;
    },
    hurry: (given) => {
      for (const [product, items] of [...open]) {
        if (given === null || items.some((item) => item.given === given)) send(product);
      }
    },
  };
}

const charactersOf = (items: readonly Item[]): number =>
  items.reduce((sum, { question }) => sum + question.value.length, 0);

/** Makes calls of the items put in, a few at once. After a fault none is sent any more: it would meet every call. */
function createQueue({ client, ...form }: BatchParts): (items: readonly Item[]) => void {
  const waiting: (readonly Item[])[] = [];
  let calls = 0;
  let fault: { readonly error: unknown } | null = null;
  /** Never rejects. */
  const settle = async (items: readonly Item[]): Promise<void> => {
    try {
      if (fault !== null) throw fault.error;
      const rest = await answer(items, { client, ...form });
      // A balance that does not pay for all may pay for the first of them.
      for (const half of rest) await settle(half);
    } catch (error) {
      fault ??= { error };
      for (const { reject } of items) reject(error);
    }
  };
  const work = (): void => {
    const items = calls < MAX_CALLS ? waiting.shift() : undefined;
    if (items === undefined) return;
    calls += 1;
    void settle(items).finally(() => {
      calls -= 1;
      work();
    });
  };
  return (items) => {
    waiting.push(items);
    work();
  };
}

/** One call for items of one product. Resolves to what is still to be asked, in parts that cost less. */
async function answer(
  items: readonly Item[],
  { client, view, policy }: Pick<BatchParts, "client" | "view" | "policy">,
): Promise<readonly (readonly Item[])[]> {
  const [first] = items;
  if (first === undefined) return [];
  const { name, bulk } = first.question.product;
  const query = `?view=${view}${policy === null ? "" : `&policy=${encodeURIComponent(policy)}`}`;
  if (bulk === null || items.length === 1) {
    const reply = await client.post(`/api/${name}${query}`, bodyOf(first.question));
    first.resolve(readReply(askedOf(first), reply));
    return [];
  }
  const values = items.map(({ question }) => question.value);
  const reply = await client.post(`/api/bulk/${name}${query}`, { [bulk.field]: values });
  if (reply.status === 402) {
    const middle = Math.ceil(items.length / 2);
    return [items.slice(0, middle), items.slice(middle)];
  }
  for (const [at, checked] of readBatch(items.map(askedOf), reply).entries()) items[at]?.resolve(checked);
  return [];
}

const askedOf = ({ given, question }: Item) => ({
  input: given.text,
  kind: question.product.cli.word,
  target: targetOf(question),
});
