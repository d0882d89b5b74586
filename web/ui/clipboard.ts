/**
 * Puts a text on the clipboard, also where the page came without https: there browsers have no `navigator.clipboard`, and
 * copying goes through a selection. Rejects when the browser allows neither.
 */
export async function writeToClipboard(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) {
    const isDone = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
    if (isDone) return;
  }
  if (!copySelected(text)) throw new Error("The browser does not let the page copy");
}

/** Selects the text in a field that stands for a moment inside the dialog or page in front. */
function copySelected(text: string): boolean {
  const focused = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.readOnly = true;
  field.className = "visually-hidden";
  // A modal dialog keeps everything outside of it from being selected.
  (focused?.closest("dialog") ?? document.body).append(field);
  field.select();
  // The only way without a secure context, in every browser: `execCommand` is old, but not gone.
  const isCopied = document.execCommand("copy");
  field.remove();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  return isCopied;
}
