const MARK = "<!-- lines: ";
const FENCE = "```";

/** The blocks of lines that a page of the documentation marks to be pasted, and run by tests, by their marks. */
export const markedLines = (page: string): ReadonlyMap<string, string> =>
  new Map(
    page
      .split(MARK)
      .slice(1)
      .map((part) => {
        const start = part.indexOf("\n", part.indexOf(FENCE)) + 1;
        return [part.slice(0, part.indexOf(" -->")), part.slice(start, part.indexOf(FENCE, start))];
      }),
  );
