import { useSyncExternalStore } from "react";

// The key that lookups of this tab are paid with. It lives in the tab's own storage: closing the tab forgets it.
const STORED = "repute_key";
const listeners = new Set<() => void>();
let kept: string | null = null;

function read(): string | null {
  try {
    return sessionStorage.getItem(STORED) ?? kept;
  } catch {
    return kept;
  }
}

function tell(): void {
  for (const listener of listeners) listener();
}

/** Uses a key for the lookups of this tab. */
export function keepKey(key: string): void {
  kept = key;
  try {
    sessionStorage.setItem(STORED, key);
  } catch {
    // Without storage the key lasts until the page is left.
  }
  tell();
}

export function forgetKey(): void {
  kept = null;
  try {
    sessionStorage.removeItem(STORED);
  } catch {
    // Nothing was kept.
  }
  tell();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The key of this tab, or null. */
export const useKey = (): string | null => useSyncExternalStore(subscribe, read, () => null);

const PREFIX_LENGTH = 12;

/** What may be shown of a key. */
export const prefixOf = (key: string): string => key.slice(0, PREFIX_LENGTH);
