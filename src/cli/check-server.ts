import { InvalidValue } from "../base/failure.ts";
import type { View } from "../products/views.ts";
import type { Checked } from "./check-output.ts";
import { type Question, questionOf } from "./check-question.ts";
import type { GivenValue } from "./check-values.ts";
import type { CliContext } from "./command.ts";
import { failureLine } from "./failure-line.ts";
import { inOrder } from "./in-order.ts";
import { createBatches } from "./server-batches.ts";

/** Enough for whole batches of several kinds side by side; some megabytes of answers. */
const WINDOW = 800;

/**
 * Answers of a running service, in the order of the values; those of one kind are asked for together. Throws where no further
 * call can succeed: 401, 402, no service.
 */
export async function* checkAtServer(
  values: AsyncIterable<GivenValue>,
  { server, ...form }: { readonly server: string; readonly view: View; readonly policy: string | null },
  { clock, serviceKey, warn }: Pick<CliContext, "clock" | "serviceKey" | "warn">,
): AsyncGenerator<Checked> {
  if (!URL.canParse(server) || !["http:", "https:"].includes(new URL(server).protocol)) {
    throw new InvalidValue("server", "--server takes the address of a service: https://rep.example");
  }
  if (serviceKey === null) {
    throw new InvalidValue("key", "--server needs an API key of that service in the variable REPUTE_KEY");
  }
  const { username, password } = new URL(server);
  if (username !== "" || password !== "") {
    throw new InvalidValue("server", "--server takes an address without a user name and a password");
  }
  if (!/^[!-~]+$/.test(serviceKey)) {
    throw new InvalidValue("key", "The variable REPUTE_KEY holds blanks or characters that no key has");
  }
  const { createServiceClient } = await import("../net/service-client.ts");
  const client = createServiceClient({ base: new URL(server), key: serviceKey }, { clock, warn });
  const batches = createBatches({ client, ...form, clock });
  const start = async (given: GivenValue): Promise<Checked> => {
    const found = given.question ?? recognised(given.text);
    return "error" in found ? found : batches.ask(given, found);
  };
  yield* inOrder(values, { start, window: WINDOW, hurry: batches.hurry });
}

function recognised(input: string): Question | Checked {
  try {
    return questionOf(input);
  } catch (error) {
    if (!(error instanceof InvalidValue)) throw error;
    return { input, kind: null, target: null, state: "invalid", json: null, error: failureLine(error) };
  }
}
