// Imports nothing: `npm run web:types` copies this file to `web/`, so that the pages add to their words what the terminal adds.

/** The detail of what happened, where it says more than the words that stand before it; else null. */
export function saidBeside(words: string, detail: string | null | undefined): string | null {
  if (detail === null || detail === undefined) return null;
  const text = detail.trim();
  const said = text.endsWith(".") ? text.slice(0, -1) : text;
  return said === "" || words.toLowerCase().includes(said.toLowerCase()) ? null : said;
}
