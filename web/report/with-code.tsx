import { WithSpans } from "./with-spans.tsx";

/** A text of ours whose names of fields stand between backticks. */
export function WithCode({ text }: { text: string }) {
  const parts = text.split("`").map((part, at) => ({ part, at }));
  return parts.map(({ part, at }) =>
    at % 2 === 1 ? <code key={at}>{part}</code> : <WithSpans key={at} text={part} />,
  );
}
