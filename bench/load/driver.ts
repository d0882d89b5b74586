import { type Started, startNode } from "../processes.ts";
import { quantile } from "../statistics.ts";
import type { LoadOrder, LoadResult } from "./words.ts";

/** The load generator's process. */
export type Load = {
  readonly run: (order: LoadOrder) => Promise<LoadResult>;
  readonly stop: () => Promise<void>;
};

/** One round: what came of it, and the processor time that the server took per call, µs. */
export type Round = LoadResult & {
  readonly cpuUs: number;
  readonly callsPerS: number;
  readonly p99Ms: number;
};

/** Starts the generator on a processor of its own. */
export function startLoad(cpu: number | null): Load {
  const path = new URL("./generator.ts", import.meta.url).pathname;
  const generator = startNode({ args: [path], cpu });
  return {
    run: (order) =>
      new Promise((resolve, reject) => {
        const failed = () => reject(new Error("The load generator ended"));
        generator.process.once("exit", failed);
        generator.process.once("message", (result) => {
          generator.process.off("exit", failed);
          if (isResult(result)) resolve(result);
          else reject(new Error("The load generator said something else"));
        });
        generator.process.send(order);
      }),
    stop: generator.stop,
  };
}

const isResult = (message: unknown): message is LoadResult =>
  typeof message === "object" && message !== null && "calls" in message && "latenciesMs" in message;

/** Runs an order of which every call has to be answered by 200; throws otherwise. */
export async function runAnswered(load: Load, server: Started, order: LoadOrder): Promise<Round> {
  const round = await runRound(load, server, order);
  const ok = round.statuses["200"] ?? 0;
  if (ok !== round.calls) throw new Error(`Not all answers are 200: ${JSON.stringify(round.statuses)}`);
  return round;
}

/** Runs an order against a server and reads the server's clock of processor time before and after. */
export async function runRound(load: Load, server: Started, order: LoadOrder): Promise<Round> {
  const beforeS = await server.cpuS();
  const result = await load.run(order);
  const cpuS = (await server.cpuS()) - beforeS;
  return {
    ...result,
    cpuUs: (cpuS * 1e6) / result.calls,
    callsPerS: result.calls / result.seconds,
    p99Ms: quantile(result.latenciesMs, 0.99),
  };
}
