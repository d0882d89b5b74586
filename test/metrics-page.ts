const COMMENT = /^# (HELP|TYPE) [a-zA-Z_:][\w:]* .+$/;
const SAMPLE =
  /^([a-zA-Z_:][\w:]*(?:\{(?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*",?)*\})?) (nan|[+-]inf|[+-]?[\d.]+(?:e[+-]?\d+)?)$/i;

/**
 * The samples of a Prometheus page by name and labels, as they are written. Throws at a line that is not of the format, a
 * sample that stands twice, and a page that does not end with a line end.
 * Source: https://prometheus.io/docs/instrumenting/exposition_formats/
 */
export function readMetrics(page: string): (sample: string) => number | undefined {
  const samples = new Map<string, number>();
  const lines = page.split("\n");
  if (lines.pop() !== "") throw new Error("The last line of the page has no end");
  for (const line of lines) {
    if (line === "" || COMMENT.test(line)) continue;
    const [, name, value] = SAMPLE.exec(line) ?? [];
    if (name === undefined || samples.has(name)) throw new Error(`Not a line of the format: ${line}`);
    samples.set(name, Number(value));
  }
  return (sample) => samples.get(sample);
}
