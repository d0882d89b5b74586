/** Most answers of 60 engines fit, and few do not. */
const BUFFER_BYTES = 65_536;
const MAX_KEPT = 256;

const kept: Buffer[] = [];

/**
 * Memory for the body of an answer, the latest given back first: the system gives fresh memory page by page, which
 * takes longer than to write the whole answer, and what was used just now is still in the processor's cache.
 */
export const takeAnswerBuffer = (): Buffer => kept.pop() ?? Buffer.allocUnsafeSlow(BUFFER_BYTES);

/** Takes back what nobody reads any more: an answer that has been handed to the system whole. */
export function giveAnswerBuffer({ buffer }: Buffer): void {
  if (buffer.byteLength === BUFFER_BYTES && kept.length < MAX_KEPT) kept.push(Buffer.from(buffer));
}
