import { Ban, Check, CircleAlert } from "lucide-react";
import { outcomeOf, statusName } from "./words.ts";

const LOOKS = {
  answered: { kind: "good", Icon: Check },
  refused: { kind: "warn", Icon: Ban },
  failed: { kind: "bad", Icon: CircleAlert },
} as const;

/** The status of a call, by icon and word. */
export function StatusTag({ status }: { readonly status: number }) {
  const { kind, Icon } = LOOKS[outcomeOf(status)];
  return (
    <span className="tag" data-kind={kind}>
      <Icon aria-hidden="true" />
      {statusName(status)}
    </span>
  );
}
