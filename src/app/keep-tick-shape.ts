import { executionAsyncResource } from "node:async_hooks";

const kept: object[] = [];

/**
 * Keeps one object of `process.nextTick` for as long as the program runs. V8 forgets the shape of objects of which none is
 * left when it collects all garbage; Node's own code that makes them, four for each call, is then slow for ever. The row
 * `gate` of the bench shows what that takes. Without effect on what anything does.
 */
export function keepTickShape(): void {
  process.nextTick(() => {
    kept.push(executionAsyncResource());
  });
}
