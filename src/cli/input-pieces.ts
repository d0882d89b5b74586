import { createReadStream } from "node:fs";
import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";

/** The octets of a file, or of standard input for `-`, unpacked where gzip packed them. Failures name the file. */
export async function* inputPieces(file: string, stdin: Readable): AsyncGenerator<Buffer> {
  try {
    yield* unpacked(file === "-" ? stdin : readFrom(file));
  } catch (error) {
    const isOfGzip = error instanceof Error && "code" in error && String(error.code).startsWith("Z_");
    if (!isOfGzip) throw error;
    const place = file === "-" ? "The input" : `"${file}"`;
    throw new Error(`${place} is packed by gzip, and cut off or damaged: ${error.message}`);
  }
}

function readFrom(file: string): Readable {
  const stream = createReadStream(file);
  // Of a folder the system says that it is one, and not which.
  stream.once("error", (error) => Object.assign(error, { path: file }));
  return stream;
}

/** How a file that gzip packed begins. Source: RFC 1952 2.3.1. */
const GZIP = [0x1f, 0x8b] as const;

async function* unpacked(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const pieces = source[Symbol.asyncIterator]();
  const first = await pieces.next();
  if (first.done === true) return;
  const whole = async function* (): AsyncGenerator<Buffer> {
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => pieces };
  };
  const isPacked = GZIP.every((octet, i) => first.value[i] === octet);
  // What goes wrong on the way is thrown to who reads its end.
  yield* isPacked ? pipeline(Readable.from(whole()), createGunzip(), () => undefined) : whole();
}
