import { day } from "./numbers.ts";

/** A span or an instant on the line of time. */
export type TimelineItem = {
  readonly name: string;
  readonly from: string;
  /** Null: an instant. */
  readonly to: string | null;
};

type Placed = TimelineItem & { readonly x: number; readonly width: number };

/** Spans of time under one another, with today across them. The list below says the same in words. */
export function Timeline({ items, now }: { items: readonly TimelineItem[]; now: string }) {
  const { placed, today } = place(items, now);
  if (placed.length === 0) return null;
  return (
    <div className="timeline">
      <ul>
        {placed.map(({ name, from, to, x, width }) => (
          <li key={name}>
            <span className="timeline-name">{name}</span>
            <svg className="timeline-track" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
              <rect className="timeline-ground" y="2.5" width="100" height="1" />
              <rect className="timeline-span" x={x} y="1" width={Math.max(width, 0.8)} height="4" rx="0.4" />
              <rect className="timeline-today" x={today} y="0" width="0.3" height="6" />
            </svg>
            <span className="timeline-dates">
              <time dateTime={from}>{day(from)}</time>
              {to === null ? null : (
                <>
                  {" to "}
                  <time dateTime={to}>{day(to)}</time>
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
      <p className="muted timeline-key">
        <span className="timeline-today-mark" aria-hidden="true" /> today, {day(now)}
      </p>
    </div>
  );
}

/** Where each stands between the first and the last instant, in percent. */
function place(items: readonly TimelineItem[], now: string): { placed: readonly Placed[]; today: number } {
  const known = items.filter(({ from, to }) => isDate(from) && (to === null || isDate(to)));
  const instants = [now, ...known.flatMap(({ from, to }) => [from, to ?? from])].map(Date.parse);
  const first = Math.min(...instants);
  const length = Math.max(...instants) - first || 1;
  const at = (iso: string): number => Math.round((1000 * (Date.parse(iso) - first)) / length) / 10;
  return {
    placed: known.map((item) => ({
      ...item,
      x: Math.min(at(item.from), 99),
      width: item.to === null ? 0 : at(item.to) - at(item.from),
    })),
    today: Math.min(at(now), 99.7),
  };
}

const isDate = (iso: string): boolean => !Number.isNaN(Date.parse(iso));
