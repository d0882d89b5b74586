import { parseJson } from "../base/parse-json.ts";
import { scoreOf } from "../metering/answer-facts.ts";
import type { ServiceReply } from "../net/service-client.ts";
import { PRODUCTS } from "../products/all.ts";
import { failureIn } from "../products/no-answer.ts";
import { type Checked, checkedOf } from "./check-output.ts";

type Reply = Pick<ServiceReply, "status" | "body">;
type Asked = Pick<Checked, "input" | "kind" | "target">;

/** Refusals of the key and of the account, which every further call would meet too. */
const FINAL: ReadonlyMap<number, string> = new Map([
  [401, "The service does not know the key in REPUTE_KEY, or it was revoked"],
  [402, "The account has too few credits left"],
  [403, "The key in REPUTE_KEY may not make this call"],
]);

/** The answer to one value. A 200 that costs nothing holds no answer. Throws where no further call can succeed. */
export function readReply(asked: Asked, reply: ServiceReply): Checked {
  const answer = answerOf(reply);
  const data = reply.status === 200 ? memberOf(answer, "data") : undefined;
  if (!isAnswer(asked, data)) return refusedOf(asked, answer, reply);
  return checkedOf({ ...asked, json: JSON.stringify(data) }, reply.charged === 0 ? failureIn(data) : null);
}

/** The answers to the values of a batch, in their order. Throws where no further call can succeed. */
export function readBatch(asked: readonly Asked[], reply: Reply): readonly Checked[] {
  const answer = answerOf(reply);
  const results = reply.status === 200 ? memberOf(memberOf(answer, "data"), "results") : undefined;
  const items: readonly unknown[] = Array.isArray(results) ? results : [];
  if (items.length === asked.length) return asked.map((one, at) => readItem(one, items[at]));
  return asked.map((one) => refusedOf(one, answer, reply));
}

function readItem(asked: Asked, item: unknown): Checked {
  const [result, error] = [memberOf(item, "result"), memberOf(item, "error")];
  if (typeof error !== "string") {
    if (isAnswer(asked, result)) return checkedOf({ ...asked, json: JSON.stringify(result) }, null);
    return { ...asked, state: "failed", json: null, error: UNREADABLE };
  }
  return error.startsWith(INVALID)
    ? { ...asked, state: "invalid", json: null, error: error.slice(INVALID.length) }
    : checkedOf({ ...asked, json: null }, error);
}

/** Words of the products whose answers have a score. */
const SCORED: ReadonlySet<string> = new Set(
  PRODUCTS.flatMap(({ isScored, cli }) => (isScored ? [cli.word] : [])),
);

/** Whether this can be the answer: else what has no verdict would pass for what has a good one. */
function isAnswer({ kind }: Asked, data: unknown): boolean {
  const members = typeof data === "object" && data !== null ? Object.keys(data).length : 0;
  if (!SCORED.has(kind ?? "")) return members > 1;
  return scoreOf(data) !== null;
}

const UNREADABLE = "The service gave no answer that can be read";

/** How a batch begins the error of an item that is no such value. */
const INVALID = "invalid_input: ";

const refusedOf = (asked: Asked, answer: unknown, reply: Reply): Checked => ({
  ...asked,
  state: reply.status === 422 ? "invalid" : "failed",
  json: null,
  error: refusalOf(answer, reply),
});

function answerOf({ status, body }: Reply): unknown {
  const answer = parsed(body);
  const final = FINAL.get(status);
  if (final === undefined) return answer;
  const sentence = sentenceOf(answer);
  throw new Error(`${final} (HTTP ${status}${sentence === null ? "" : `: ${sentence}`})`);
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}

const refusalOf = (answer: unknown, { status }: Reply): string =>
  `${sentenceOf(answer) ?? UNREADABLE} (HTTP ${status})`;

/** The first fault of a refusal, as the service says it. */
function sentenceOf(answer: unknown): string | null {
  for (const [list, sentence] of [
    ["detail", "msg"],
    ["errors", "message"],
  ] as const) {
    const faults = memberOf(answer, list);
    const found = Array.isArray(faults) ? memberOf(faults[0], sentence) : undefined;
    if (typeof found === "string") return found;
  }
  return null;
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? new Map(Object.entries(value)).get(name) : undefined;
