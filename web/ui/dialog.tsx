import { X } from "lucide-react";
import { useId, useLayoutEffect, useRef } from "react";
import "./dialog.css";

type DialogProps = {
  readonly title: string;
  readonly onClose: () => void;
  /** False: only its own buttons close it, because what it shows is gone afterwards. */
  readonly isDismissable?: boolean;
  readonly children: React.ReactNode;
};

/** What is to be filled in, else what can be copied, else the button that changes nothing. */
const firstStop = (dialog: HTMLElement): HTMLElement | null =>
  dialog.querySelector<HTMLElement>("input:not([type=checkbox]), select, textarea") ??
  dialog.querySelector<HTMLElement>(".secret button") ??
  dialog.querySelector<HTMLElement>(".dialog-end button");

/** A modal dialog on the native element: the focus stays inside and goes back afterwards. */
export function Dialog({ title, onClose, isDismissable = true, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // Closed before it is gone, so that the focus goes back to where it came from; to the heading when that is gone too.
  useLayoutEffect(() => {
    const element = dialog.current;
    if (element !== null && !element.open) {
      element.showModal();
      firstStop(element)?.focus();
    }
    return () => {
      element?.close();
      // What opened it may go in the same breath: known once the page stands as it will be.
      queueMicrotask(() => {
        const at = document.activeElement;
        if (at === null || at === document.body || !at.isConnected) document.querySelector("h1")?.focus();
      });
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        if (isDismissable) onClose();
      }}
      onKeyDown={(event) => {
        // Chromium closes on the second Escape whatever `cancel` was told.
        if (event.key === "Escape" && !isDismissable) event.preventDefault();
      }}
    >
      <header className="dialog-head">
        <h2 id={titleId}>{title}</h2>
        {isDismissable && (
          <button type="button" className="dialog-close" aria-label="Close" onClick={onClose}>
            <X size={18} aria-hidden="true" />
          </button>
        )}
      </header>
      {children}
    </dialog>
  );
}
