import { Check, CircleDashed, Clock, Database } from "lucide-react";
import type { StatusPage } from "../api/types.gen.ts";
import { words } from "../report/numbers.ts";

/** On the page of sources without its history. */
export type EngineView = Omit<StatusPage["engines"][number], "history"> &
  Partial<Pick<StatusPage["engines"][number], "history">>;

/** Whether an engine answers with data of its age. */
export const isWell = ({ status }: Pick<EngineView, "status">): boolean => status === "ok";

/** A state in words. */
export const stateWord = (status: string): string =>
  status === "ok"
    ? "healthy"
    : status === "never"
      ? "no data yet"
      : status === "stale"
        ? "old data"
        : words(status);

/** Sign and word of an engine's state. */
export function EngineState({ engine }: { engine: Pick<EngineView, "status" | "seed" | "last_error"> }) {
  const { status, last_error: error } = engine;
  const [Icon, word, kind] =
    status === "ok"
      ? error === null
        ? ([Check, engine.seed ? "healthy, bundled data" : "healthy", "well"] as const)
        : ([Clock, "answering, last download failed", "stale"] as const)
      : status === "stale"
        ? ([Clock, engine.seed ? "bundled data, old" : "old data", "stale"] as const)
        : status === "never"
          ? ([Database, "no data yet", "never"] as const)
          : ([CircleDashed, words(status), "silent"] as const);
  return (
    <span className={`engine-state engine-state-${kind}`}>
      <Icon aria-hidden="true" className="inline-icon" /> {word}
    </span>
  );
}
