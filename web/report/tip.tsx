import type { ReactNode } from "react";
import { plain } from "./outside-text.ts";

type Props = {
  readonly text: string;
  /** Whether the text says where the words come from. */
  readonly isSource?: boolean;
  readonly children: ReactNode;
};

/** Words with what stands behind them: on hover, and on focus and a tap, which show no title. */
export function Tip({ text, isSource = false, children }: Props) {
  // Names of servers and lists are texts of others.
  const shown = plain(text);
  return (
    <button type="button" className={isSource ? "tip source" : "tip"} title={shown} data-text={shown}>
      {children}
    </button>
  );
}
