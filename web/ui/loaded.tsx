import type { UseQueryResult } from "@tanstack/react-query";
import { CallFailure } from "../api/failure.ts";
import { Failure, Notice, Skeleton } from "./states.tsx";

type LoadedProps<T> = {
  readonly query: UseQueryResult<T>;
  readonly what: string;
  readonly rows?: number;
  readonly children: (data: T) => React.ReactNode;
};

/** What a query brought: its shape while it is on its way, the failure with a way on, or the thing itself. */
export function Loaded<T>({ query, what, rows = 4, children }: LoadedProps<T>) {
  const { data, error, refetch } = query;
  const retry = () => void refetch();
  if (data === undefined) {
    if (error === null) return <Skeleton what={what} rows={rows} />;
    // The sign-in page is on its way.
    if (error instanceof CallFailure && error.code === "NOT_SIGNED_IN") return null;
    return <Failure error={error} onRetry={retry} />;
  }
  return (
    <>
      {error !== null && (
        <Notice kind="warn">
          <p>
            This is what came last: {error.message}.{" "}
            <button type="button" className="link" onClick={retry}>
              Try again
            </button>
          </p>
        </Notice>
      )}
      {children(data)}
    </>
  );
}
