import { CircleAlert, Hourglass, PlugZap } from "lucide-react";
import { CallFailure } from "../api/failure.ts";
import { Button } from "./button.tsx";
import { CopyButton } from "./copy-button.tsx";
import { countOf } from "./format.ts";
import "./states.css";

type EmptyProps = {
  readonly title: string;
  readonly children?: React.ReactNode;
  readonly icon?: React.ReactNode;
};

/** Nothing here yet: what will be here, and how to get it there. */
export function Empty({ title, icon, children }: EmptyProps) {
  return (
    <div className="empty">
      {icon}
      <p className="empty-title">{title}</p>
      {children}
    </div>
  );
}

/** The shape of what is on its way; it shows itself only to those who wait longer than 200 ms. */
export function Skeleton({ what, rows = 4 }: { readonly what: string; readonly rows?: number }) {
  return (
    <div className="skeleton" role="status">
      <span className="visually-hidden">Loading {what}</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <span key={row} className="skeleton-line" aria-hidden="true" />
      ))}
    </div>
  );
}

type Words = { readonly title: string; readonly advice: string; readonly icon: "alert" | "wait" | "plug" };

/** What went wrong, whose fault it is and what to do. */
function wordsOf(error: unknown): Words {
  if (!(error instanceof CallFailure)) {
    return {
      title: "This page failed",
      advice: "A fault of the page, not of yours. Load it again.",
      icon: "alert",
    };
  }
  const { status, message } = error;
  const title = message;
  if (status === 0) return { title, advice: "Check the connection, then try again.", icon: "plug" };
  if (status === 429) {
    return { title, advice: `${waitOf(error)}Nothing was charged.`, icon: "wait" };
  }
  if (status === 503) {
    return { title, advice: `The service is up but not ready. ${waitOf(error)}`.trimEnd(), icon: "wait" };
  }
  if (status >= 500) {
    return {
      title,
      advice: "The service failed. Look for this request ID in the server log.",
      icon: "alert",
    };
  }
  return { title, advice: "", icon: "alert" };
}

/** When to try again, unless the sentence of the service has it. */
function waitOf({ message, retryAfterS }: CallFailure): string {
  if (message.toLowerCase().includes("try again in")) return "";
  return `Try again in ${retryAfterS === null ? "a moment" : countOf(retryAfterS, "second")}. `;
}

const ICONS = { alert: CircleAlert, wait: Hourglass, plug: PlugZap };

type FailureProps = {
  readonly error: unknown;
  readonly onRetry?: (() => void) | undefined;
  readonly isInline?: boolean;
  readonly children?: React.ReactNode;
};

/** A failure in words, with the request id to copy. */
export function Failure({ error, onRetry, isInline, children }: FailureProps) {
  const { title, advice, icon } = wordsOf(error);
  const Icon = ICONS[icon];
  const requestId = error instanceof CallFailure ? error.requestId : null;
  const isFault = error instanceof CallFailure && error.status >= 500;
  return (
    <div
      className="states"
      data-kind={icon === "wait" ? "wait" : "failure"}
      data-inline={isInline}
      role="alert"
    >
      <Icon size={18} aria-hidden="true" />
      <div className="states-words">
        <p className="states-title">{title}</p>
        {advice !== "" && <p>{advice}</p>}
        {children}
        {(onRetry !== undefined || (isFault && requestId !== null)) && (
          <div className="button-row">
            {onRetry !== undefined && <Button onClick={onRetry}>Try again</Button>}
            {isFault && requestId !== null && (
              <CopyButton
                text={requestId}
                what={`the request id ${requestId}`}
                label="Copy request id"
                tone="quiet"
              />
            )}
          </div>
        )}
      </div>
    </div>
  );
}

type NoticeProps = { readonly kind: "good" | "warn" | "note"; readonly children: React.ReactNode };

/** Something to know before going on. */
export function Notice({ kind, children }: NoticeProps) {
  return (
    <div className="notice" data-kind={kind}>
      {children}
    </div>
  );
}
