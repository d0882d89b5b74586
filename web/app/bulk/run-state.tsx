import { Check, CircleSlash, FilePen, Pause, Play } from "lucide-react";
import type { Shapes } from "../../api/types.gen.ts";

type Run = Shapes["RunView"]["run"];

const STATES = {
  draft: { word: "Not started", kind: undefined, Icon: FilePen },
  running: { word: "Running", kind: "accent", Icon: Play },
  paused: { word: "Paused", kind: "warn", Icon: Pause },
  done: { word: "Done", kind: "good", Icon: Check },
  cancelled: { word: "Cancelled", kind: undefined, Icon: CircleSlash },
} as const;

/** How a run stands, in a word. */
export function RunState({ run: { state } }: { readonly run: Pick<Run, "state"> }) {
  const { word, kind, Icon } = STATES[state];
  return (
    <span className="tag" data-kind={kind}>
      <Icon aria-hidden="true" />
      {word}
    </span>
  );
}
