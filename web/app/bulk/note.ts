/** Codes that stand before the sentence of a line without an answer: they are for the programs that read the run's files. */
const CODES = ["timeout: ", "upstream_error: ", "internal_error: "];

/** A line's note as people read it. */
export function readableNote(note: string): string {
  const code = CODES.find((one) => note.startsWith(one));
  if (code === undefined) return note;
  const sentence = note.slice(code.length);
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
