import { Nothing } from "./known.tsx";
import { LONGEST_TARGET, plain, SHOWN } from "./outside-text.ts";
import { WithSpans } from "./with-spans.tsx";

/** Text of others: shown as text in a direction of its own, cut, never markup. Nothing to show is "none" or "unknown". */
export function Outside({ text, most = SHOWN }: { text: string | null | undefined; most?: number }) {
  if (text === null || text === undefined || text.trim() === "") return <Nothing />;
  return (
    <bdi>
      <WithSpans text={plain(text, most)} />
    </bdi>
  );
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

/** What was looked up, at the head of its report. */
export const Target = ({ text }: { text: string }) => <Mono text={text} most={LONGEST_TARGET} />;
