import { useEffect } from "react";

const TYPED_IN = "input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]";

const isTyping = ({ target }: KeyboardEvent): boolean =>
  target instanceof Element && target.closest(TYPED_IN) !== null;

/** Calls `open` for Ctrl-K or ⌘K, and for `/` where nothing is being typed; while a dialog is open, for neither. */
export function useSearchShortcut(open: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey, isComposing } = event;
      const isK = key.toLowerCase() === "k" && (ctrlKey || metaKey) && !altKey;
      const isSlash = key === "/" && !ctrlKey && !metaKey && !altKey && !isTyping(event);
      if (isComposing || !(isK || isSlash)) return;
      // Some browsers have a search of their own on these keys.
      event.preventDefault();
      if (document.querySelector("dialog[open]") === null) open();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [open]);
}
