/**
 * A JSON text in pieces that follow on one another. One character beyond Latin-1, such as a flag, makes the whole of a text twice
 * as wide, which each step on its way pays for: what is long and plain is a piece of its own.
 */
export type JsonText = readonly string[];

/** The text of an object with one more member at its end. */
export function withMember(object: JsonText, name: string, value: JsonText): JsonText {
  const last = object.at(-1) ?? "";
  const isEmpty = object.length === 1 && last === "{}";
  const begun = `${last.slice(0, -1)}${isEmpty ? "" : ","}${JSON.stringify(name)}:`;
  return [...object.slice(0, -1), begun, ...value, "}"];
}

/** The octets of a text. */
export function utf8Of(text: JsonText): Buffer {
  let length = 0;
  for (const piece of text) length += Buffer.byteLength(piece);
  const octets = Buffer.allocUnsafeSlow(length);
  let at = 0;
  for (const piece of text) at += octets.write(piece, at);
  return octets;
}
