import { ChevronLeft, ChevronRight } from "lucide-react";
import { Button } from "../../ui/button.tsx";
import { formatCount } from "../../ui/format.ts";

type PagerProps = {
  readonly offset: number;
  readonly limit: number;
  readonly total: number;
  readonly onOffset: (offset: number) => void;
};

/** Steps through a long list. */
export function Pager({ offset, limit, total, onOffset }: PagerProps) {
  if (total <= limit) return null;
  const last = Math.min(total, offset + limit);
  return (
    <div className="button-row">
      <span className="muted small">
        {formatCount(offset + 1)}–{formatCount(last)} of {formatCount(total)}
      </span>
      <Button disabled={offset === 0} onClick={() => onOffset(Math.max(0, offset - limit))}>
        <ChevronLeft aria-hidden="true" />
        Previous
      </Button>
      <Button disabled={last >= total} onClick={() => onOffset(offset + limit)}>
        Next
        <ChevronRight aria-hidden="true" />
      </Button>
    </div>
  );
}
