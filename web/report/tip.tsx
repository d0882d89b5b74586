import type { ReactNode } from "react";

/** Words with what stands behind them: on hover, and on focus and a tap, which show no title. */
export function Tip({ text, children }: { readonly text: string; readonly children: ReactNode }) {
  return (
    <button type="button" className="tip" title={text} data-text={text}>
      {children}
    </button>
  );
}
