import type { StatusPage } from "../api/types.gen.ts";
import { counted } from "../report/numbers.ts";
import { stateWord } from "./engine-states.tsx";

type Day = StatusPage["engines"][number]["history"][number];

const DAYS = 90;
const DAY_MS = 86_400_000;

/** A source over the last ninety days: neighbours that fared alike are one piece. */
export function HistoryBar({ days, now }: { days: readonly Day[]; now: string }) {
  if (days.length === 0) return null;
  return (
    <svg
      className="history-bar"
      viewBox={`0 0 ${DAYS} 6`}
      preserveAspectRatio="none"
      role="img"
      aria-label={textOf(days)}
    >
      <title>{textOf(days)}</title>
      {piecesOf(days, now).map(({ kind, from, length }) => (
        <rect key={from} className={`history-${kind}`} x={from} width={length} height="6" />
      ))}
    </svg>
  );
}

type Kind = "unwatched" | "healthy" | "partly" | "down";
type Piece = { readonly kind: Kind; readonly from: number; readonly length: number };

function piecesOf(days: readonly Day[], now: string): readonly Piece[] {
  const byDay = new Map(days.map((day) => [day.day, kindOf(day)]));
  const today = Math.floor(Date.parse(now) / DAY_MS);
  const pieces: Piece[] = [];
  for (let at = 0; at < DAYS; at++) {
    const date = new Date((today - DAYS + 1 + at) * DAY_MS).toISOString().slice(0, 10);
    const kind = byDay.get(date) ?? "unwatched";
    const last = pieces.at(-1);
    if (last?.kind === kind) pieces[pieces.length - 1] = { ...last, length: last.length + 1 };
    else pieces.push({ kind, from: at, length: 1 });
  }
  return pieces;
}

const kindOf = ({ checks, healthy }: Day): Kind =>
  healthy === checks ? "healthy" : healthy === 0 ? "down" : "partly";

/** `Healthy in 97 % of the checks on 12 days; trouble on 2 days, last on 2026-11-03: timeout`. */
function textOf(days: readonly Day[]): string {
  const checks = days.reduce((sum, day) => sum + day.checks, 0);
  const healthy = days.reduce((sum, day) => sum + day.healthy, 0);
  // Never 100 with a failure, never 0 with a success.
  const share =
    healthy === checks
      ? 100
      : healthy === 0
        ? 0
        : Math.min(99, Math.max(1, Math.round((100 * healthy) / checks)));
  const troubled = days.filter((day) => day.healthy < day.checks);
  const last = troubled.at(-1);
  const trouble =
    last === undefined
      ? ""
      : `; trouble on ${counted(troubled.length, "day")}, last on ${last.day}: ${stateWord(last.trouble ?? "error")}`;
  return `Healthy in ${share} % of the checks on ${counted(days.length, "day")}${trouble}`;
}
