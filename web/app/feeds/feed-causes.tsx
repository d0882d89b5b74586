import { countOf } from "../../ui/format.ts";
import type { Feed } from "./health.ts";

const SHOWN = 5;
/** Fewer lists than this are seen as well in their rows. */
const LEAST = 3;

/** One error of many lists, told once. */
export function FeedCauses({ feeds }: { readonly feeds: readonly Feed[] }) {
  const failing = feeds.filter(({ last_error: error, status }) => error !== null && status !== "disabled");
  const causes = [...Map.groupBy(failing, ({ last_error: error }) => error ?? "")]
    .filter(([, group]) => group.length >= LEAST)
    .toSorted(([, a], [, b]) => b.length - a.length);
  if (causes.length === 0) return null;
  return (
    <ul className="feed-causes">
      {causes.map(([reason, group]) => (
        <li key={reason}>
          <strong>{reason}</strong>: {countOf(group.length, "list")} (
          {group
            .slice(0, SHOWN)
            .map(({ name }) => name)
            .join("; ")}
          {group.length > SHOWN && " and others"})
        </li>
      ))}
    </ul>
  );
}
