import { InvalidValue } from "../base/failure.ts";
import { parseJson } from "../base/parse-json.ts";
import type { View } from "../products/views.ts";
import { questionOf } from "./check-many.ts";
import type { Checked } from "./check-output.ts";
import type { GivenValue } from "./check-values.ts";
import type { CliContext } from "./command.ts";
import { failureLine } from "./failure-line.ts";

/** Calls under way at once: fewer than any plan's slots. */
const AT_ONCE = 4;

/** Answers of a running service, in the order of the values. Throws where no further call can succeed: 401, 402, no service. */
export async function* checkAtServer(
  values: AsyncIterable<GivenValue>,
  { server, view }: { readonly server: string; readonly view: View },
  { clock, serviceKey }: Pick<CliContext, "clock" | "serviceKey">,
): AsyncGenerator<Checked> {
  if (!URL.canParse(server) || !["http:", "https:"].includes(new URL(server).protocol)) {
    throw new InvalidValue("server", "--server takes the address of a service: https://rep.example");
  }
  if (serviceKey === null) {
    throw new InvalidValue("key", "--server needs an API key of that service in the variable REPUTE_KEY");
  }
  const { createServiceClient } = await import("../net/service-client.ts");
  const client = createServiceClient({ base: new URL(server), key: serviceKey }, clock);
  const ask = async (input: string): Promise<Checked> => {
    const found = recognised(input);
    if ("error" in found) return found;
    const { product, value } = found;
    const body = { [product.field]: value };
    const { status, body: text } = await client.post(`/api/${product.name}?view=${view}`, body);
    return readReply({ input, kind: product.cli.word, status, text });
  };
  const working: Promise<Checked>[] = [];
  for await (const { text } of values) {
    const one = ask(text);
    // It is awaited in its turn.
    one.catch(() => undefined);
    working.push(one);
    const first = working.length >= AT_ONCE ? working.shift() : undefined;
    if (first !== undefined) yield await first;
  }
  for (const one of working) yield await one;
}

function recognised(input: string): ReturnType<typeof questionOf> | Checked {
  try {
    return questionOf(input);
  } catch (error) {
    if (!(error instanceof InvalidValue)) throw error;
    return { input, kind: "unrecognised", json: null, error: failureLine(error) };
  }
}

type Reply = {
  readonly input: string;
  readonly kind: string;
  readonly status: number;
  readonly text: string;
};

/** Refusals of the key and of the account, which every further call would meet too. */
const FINAL: ReadonlyMap<number, string> = new Map([
  [401, "The service does not know the key in REPUTE_KEY, or it was revoked"],
  [402, "The account has no credits left for this; what was answered before stands"],
  [403, "The key in REPUTE_KEY may not make this call"],
]);

function readReply({ input, kind, status, text }: Reply): Checked {
  const final = FINAL.get(status);
  if (final !== undefined) throw new Error(`${final} (HTTP ${status})`);
  const answer = parsed(text);
  const data = memberOf(answer, "data");
  if (status === 200 && data !== undefined) {
    return { input, kind, json: JSON.stringify(data), error: null };
  }
  return { input, kind, json: null, error: `${sentenceOf(answer)} (HTTP ${status})` };
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}

/** The first fault of a refusal, as the service says it. */
function sentenceOf(answer: unknown): string {
  for (const [list, sentence] of [
    ["detail", "msg"],
    ["errors", "message"],
  ] as const) {
    const faults = memberOf(answer, list);
    const found = Array.isArray(faults) ? memberOf(faults[0], sentence) : undefined;
    if (typeof found === "string") return found;
  }
  return "The service gave no answer that can be read";
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? new Map(Object.entries(value)).get(name) : undefined;
