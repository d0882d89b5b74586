import { duration } from "../api/spans.gen.ts";
import { Nothing } from "./known.tsx";
import { day, secondsBetween } from "./numbers.ts";
import { Tip } from "./tip.tsx";

/** A span in words with the time that it stands for. */
const Moment = ({ at, exact: text, children }: { at: string; exact: string; children: string }) => (
  <Tip text={text}>
    <time dateTime={at}>{children}</time>
  </Tip>
);

/** `3 h ago`, the exact time on focus or hover. `now` is when the report was made. */
export function Ago({ at, now }: { at: string | null; now: string }) {
  const seconds = secondsBetween(at, now);
  if (at === null || seconds === null) return <Nothing />;
  const text = seconds >= 0 ? `${duration(seconds)} ago` : `in ${duration(-seconds, "nearest")}`;
  return (
    <Moment at={at} exact={exact(at)}>
      {text}
    </Moment>
  );
}

/** `for 3 h`: how long something has lasted at `now`; its beginning on focus or hover. */
export function LastingSince({ at, now }: { at: string; now: string }) {
  const seconds = secondsBetween(at, now);
  if (seconds === null) return <Nothing />;
  return (
    <Moment at={at} exact={`since ${exact(at)}`}>
      {`for ${duration(Math.max(0, seconds))}`}
    </Moment>
  );
}

/** `30 Dec 2026`, the exact time on focus or hover. */
export function Day({ at }: { at: string | null }) {
  if (at === null || at === "") return <Nothing />;
  return (
    <time dateTime={at} title={exact(at)}>
      {day(at)}
    </time>
  );
}

const exact = (at: string): string => at.replace("T", " ").replace(/(\.\d+)?Z$/, " UTC");
