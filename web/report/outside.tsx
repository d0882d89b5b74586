import { plain, SHOWN } from "./outside-text.ts";

/** Text of others: shown as text in a direction of its own, cut, never markup. Nothing to show is "unknown". */
export function Outside({ text, most = SHOWN }: { text: string | null | undefined; most?: number }) {
  if (text === null || text === undefined || text.trim() === "") return <Unknown />;
  return <bdi>{plain(text, most)}</bdi>;
}

/** What is not known, said so. */
export function Unknown({ children = "unknown" }: { children?: string }) {
  return <span className="unknown">{children}</span>;
}

/** Addresses, keys, records: each sign as wide as the next. */
export function Mono({ text, most = SHOWN }: { text: string | null | undefined; most?: number }) {
  if (text === null || text === undefined || text === "") return <Unknown />;
  return (
    <bdi className="mono" translate="no">
      {plain(text, most)}
    </bdi>
  );
}
