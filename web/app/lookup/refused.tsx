import { useEffect, useState } from "react";
import { Link } from "wouter";
import { CallFailure } from "../../api/failure.ts";
import { Button } from "../../ui/button.tsx";
import { countOf } from "../../ui/format.ts";
import { Failure } from "../../ui/states.tsx";
import { OrLargerPlan } from "../larger-plan.tsx";

type RefusedProps = { readonly error: unknown; readonly onRetry: () => void };

/** A lookup that was refused, with the way on for each reason. */
export function Refused({ error, onRetry }: RefusedProps) {
  if (!(error instanceof CallFailure)) return <Failure error={error} onRetry={onRetry} />;
  switch (error.status) {
    case 402:
      return (
        <Failure error={error}>
          <p>
            Nothing was charged. <Link href="/">See when the balance refills</Link>
            <OrLargerPlan />.
          </p>
        </Failure>
      );
    case 429:
      return (
        <Failure error={error}>
          <RetryIn key={error.message} seconds={error.retryAfterS ?? 1} onRetry={onRetry} />
        </Failure>
      );
    default:
      // Without an answer (status 0) it is not known.
      return (
        <Failure error={error} onRetry={onRetry}>
          {error.status >= 500 && <p>Nothing was charged.</p>}
        </Failure>
      );
  }
}

function RetryIn({ seconds, onRetry }: { readonly seconds: number; readonly onRetry: () => void }) {
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    const timer = setInterval(() => setLeft((before) => Math.max(0, before - 1)), 1_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <Button disabled={left > 0} onClick={onRetry}>
      {left > 0 ? `Try again in ${countOf(left, "second")}` : "Try again"}
    </Button>
  );
}
