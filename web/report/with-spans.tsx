const SPAN = /(\d (?:ms|s|min|h|d)(?![\p{L}-]))/u;

/** A text in which no span, such as "300 ms", is parted at the end of a line. */
export const WithSpans = ({ text }: { readonly text: string }): React.ReactNode =>
  text.split(SPAN).map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place
      <span key={at} className="whole">
        {part}
      </span>
    ),
  );
