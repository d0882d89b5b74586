import { useSyncExternalStore } from "react";

const NARROW = "(width < 700px)";

function subscribe(onChange: () => void): () => void {
  const query = matchMedia(NARROW);
  query.addEventListener("change", onChange);
  return () => query.removeEventListener("change", onChange);
}

/** Whether the window is narrow, a phone's for example. */
export const useIsNarrow = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => matchMedia(NARROW).matches,
    () => false,
  );
