import { Nothing } from "./known.tsx";
import { plain, SHOWN } from "./outside-text.ts";

/** Text of others: shown as text in a direction of its own, cut, never markup. Nothing to show is "none" or "unknown". */
export function Outside({ text, most = SHOWN }: { text: string | null | undefined; most?: number }) {
  if (text === null || text === undefined || text.trim() === "") return <Nothing />;
  return <bdi>{plain(text, most)}</bdi>;
}

/** Addresses, keys, records: each sign as wide as the next. */
export function Mono({ text, most = SHOWN }: { text: string | null | undefined; most?: number }) {
  if (text === null || text === undefined || text === "") return <Nothing />;
  return (
    <bdi className="mono" translate="no">
      {plain(text, most)}
    </bdi>
  );
}
