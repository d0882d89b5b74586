import { Check, CircleDashed, Clock, Database } from "lucide-react";
import type { StatusPage } from "../api/types.gen.ts";
import { words } from "../report/numbers.ts";

export type EngineView = StatusPage["engines"][number];

/** Whether an engine answers with data of its age. */
export const isWell = ({ status }: Pick<EngineView, "status">): boolean => status === "ok";

/** Sign and word of an engine's state. */
export function EngineState({ engine }: { engine: Pick<EngineView, "status" | "seed"> }) {
  const { status } = engine;
  const [Icon, word, kind] =
    status === "ok"
      ? ([Check, engine.seed ? "well, shipped data" : "well", "well"] as const)
      : status === "stale"
        ? ([Clock, engine.seed ? "shipped data, old" : "stale", "stale"] as const)
        : status === "never"
          ? ([Database, "no data yet", "never"] as const)
          : ([CircleDashed, words(status), "silent"] as const);
  return (
    <span className={`engine-state engine-state-${kind}`}>
      <Icon aria-hidden="true" className="inline-icon" /> {word}
    </span>
  );
}
