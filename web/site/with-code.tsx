/** A text of ours whose names of fields stand between backticks. */
export function WithCode({ text }: { text: string }) {
  const parts = text.split("`").map((part, at) => ({ part, at }));
  return parts.map(({ part, at }) => (at % 2 === 1 ? <code key={at}>{part}</code> : part));
}

type Props = {
  readonly text: string;
  /** What is in it, for who cannot see where it stands. */
  readonly label: string;
};

/** Lines of code, which scroll to the side by the keyboard too. A script adds the button that copies them. */
export function CodeBlock({ text, label }: Props) {
  return (
    <div className="code-block">
      {/* biome-ignore-start lint/a11y: what scrolls must be reached by the keyboard, and named */}
      <pre tabIndex={0} role="region" aria-label={label}>
        <code translate="no">{text}</code>
      </pre>
      {/* biome-ignore-end lint/a11y: as above */}
    </div>
  );
}
