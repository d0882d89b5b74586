import { useSyncExternalStore } from "react";

/** What a browser remembers of the first steps of an account. */
type Mark = "dismissed" | "looked-up";

const listeners = new Set<() => void>();
const marks = new Set<string>();

const nameOf = (accountId: string, mark: Mark): string => `repute_steps_${mark}_${accountId}`;

function has(name: string): boolean {
  try {
    return localStorage.getItem(name) !== null || marks.has(name);
  } catch {
    return marks.has(name);
  }
}

/** Remembers that the steps were put away, or that something was looked up in the browser. */
export function markSteps(accountId: string, mark: Mark): void {
  const name = nameOf(accountId, mark);
  marks.add(name);
  try {
    localStorage.setItem(name, "1");
  } catch {
    // Without storage it lasts until the page is left.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether this browser remembers a mark of the account. */
export const useStepsMark = (accountId: string, mark: Mark): boolean =>
  useSyncExternalStore(
    subscribe,
    () => has(nameOf(accountId, mark)),
    () => false,
  );
