const SPAN = /(\d (?:ms|s|min|h|d)(?![\p{L}-]))/u;

/** A text in which no span, such as "300 ms", is parted at the end of a line. */
export const WithSpans = ({ text }: { readonly text: string }): React.ReactNode =>
  text
    .split(SPAN)
    .map((part, at) => ({ part, at }))
    .map(({ part, at }) =>
      at % 2 === 0 ? (
        part
      ) : (
        <span key={at} className="whole">
          {part}
        </span>
      ),
    );
