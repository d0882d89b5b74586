import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { CallFailure } from "../../api/failure.ts";
import { lookUpMany, type Product } from "../../api/products.ts";
import { createPresses } from "../lookup/presses.ts";
import type { Entry } from "./csv-in.ts";
import { type Summary, summarise } from "./summary.ts";

const CHUNK = 100;

export type Progress = {
  readonly state: "running" | "waiting" | "done" | "cancelled" | "failed";
  readonly done: number;
  readonly total: number;
  readonly charged: number;
  readonly remaining: number | null;
  readonly results: readonly Summary[];
  readonly error: unknown;
};

type Task = {
  readonly product: Product;
  readonly values: readonly Entry[];
  readonly types: string;
};

/** Sends chunk after chunk, shows what has come, waits where the service says so, and stops when told to. */
export function useBulk() {
  const [progress, setProgress] = useState<Progress | null>(null);
  const stop = useRef<AbortController | null>(null);
  const queries = useQueryClient();
  const presses = useRef(createPresses());
  const start = (task: Task): void => {
    if (presses.current.isRepeated("bulk")) return;
    const control = new AbortController();
    stop.current = control;
    void runBulk(task, control.signal, setProgress).then(() => {
      // What it cost is shown there, and the key that paid.
      for (const queryKey of [["overview"], ["keys"]]) void queries.invalidateQueries({ queryKey });
    });
  };
  // The second press of the one that began it may land here.
  const cancel = (): void => {
    if (!presses.current.isFresh()) stop.current?.abort();
  };
  return { progress, start, cancel, clear: () => setProgress(null) };
}

async function runBulk(
  task: Task,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<void> {
  const total = task.values.length;
  let now: Progress = {
    state: "running",
    done: 0,
    total,
    charged: 0,
    remaining: null,
    results: [],
    error: null,
  };
  const show = (change: Partial<Progress>): void => {
    now = { ...now, ...change };
    onProgress(now);
  };
  show({});
  try {
    for (let from = 0; from < total; from += CHUNK) {
      const { report, charge } = await sendChunk(task, from, signal, (state) => show({ state }));
      show({
        state: "running",
        done: Math.min(total, from + CHUNK),
        charged: now.charged + (charge.charged ?? report.credits_charged),
        remaining: charge.remaining,
        results: [...now.results, ...report.results.map(summarise)],
      });
    }
    show({ state: "done" });
  } catch (error) {
    show(signal.aborted ? { state: "cancelled" } : { state: "failed", error });
  }
}

async function sendChunk(
  { product, values, types }: Task,
  from: number,
  signal: AbortSignal,
  onState: (state: "running" | "waiting") => void,
) {
  const { path, field } = product.bulk ?? { path: "", field: "" };
  const items = values.slice(from, from + CHUNK).map(({ value }) => value);
  const body = product.word === "dns" ? { [field]: items, record_type: types } : { [field]: items };
  while (true) {
    try {
      onState("running");
      return await lookUpMany({ path }, { body, signal });
    } catch (error) {
      if (!(error instanceof CallFailure) || error.status !== 429) throw error;
      onState("waiting");
      await pause(error.retryAfterS ?? 1, signal);
    }
  }
}

function pause(seconds: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, seconds * 1_000);
  signal.addEventListener("abort", () => {
    clearTimeout(timer);
    reject(signal.reason);
  });
  return promise;
}
