import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "./button.tsx";
import { writeToClipboard } from "./clipboard.ts";

const SHOWN_MS = 2_000;

type CopyButtonProps = {
  readonly text: string;
  /** What is copied, for those who do not see it beside the button. */
  readonly what: string;
  readonly label?: string;
  readonly tone?: "primary" | "plain" | "quiet";
};

/** Copies a text and says whether that worked. */
export function CopyButton({ text, what, label = "Copy", tone = "plain" }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<"copied" | "refused" | null>(null);
  useEffect(() => {
    if (outcome === null) return;
    const timer = setTimeout(() => setOutcome(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = () =>
    writeToClipboard(text).then(
      () => setOutcome("copied"),
      () => setOutcome("refused"),
    );
  return (
    <>
      <Button tone={tone} onClick={copy} aria-label={label === "Copy" ? `Copy ${what}` : label}>
        {outcome === "copied" ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
        {outcome === "copied" ? "Copied" : outcome === "refused" ? "Select it and copy" : label}
      </Button>
      <span className="visually-hidden" role="status">
        {outcome === "copied" && `Copied ${what}`}
        {outcome === "refused" && `The browser does not let the page copy: select ${what} and copy it`}
      </span>
    </>
  );
}
