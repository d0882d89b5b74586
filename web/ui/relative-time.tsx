import { useId, useSyncExternalStore } from "react";
import { formatExact, formatRelative } from "./format.ts";
import "./relative-time.css";

const TICK_MS = 30_000;
let nowMs = Date.now();

function subscribe(onTick: () => void): () => void {
  const timer = setInterval(() => {
    nowMs = Date.now();
    onTick();
  }, TICK_MS);
  return () => clearInterval(timer);
}

/** The present, moving on twice a minute. */
export const useNow = (): number =>
  useSyncExternalStore(
    subscribe,
    () => nowMs,
    () => nowMs,
  );

type RelativeTimeProps = { readonly time: string | null; readonly none?: string };

/** How long ago or how soon; the exact time on focus, on hover and to screen readers. */
export function RelativeTime({ time, none = "Never" }: RelativeTimeProps) {
  const tip = useId();
  // What happened after the last tick lies not in the future.
  const now = Math.max(useNow(), Date.now() - TICK_MS);
  if (time === null) return <span className="no-time">{none}</span>;
  return (
    <span className="time">
      <button type="button" className="time-button" aria-describedby={tip}>
        <time dateTime={time}>{formatRelative(time, Math.max(now, Date.now()))}</time>
      </button>
      <span className="time-exact" role="tooltip" id={tip}>
        {formatExact(time)}
      </span>
    </span>
  );
}
