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
