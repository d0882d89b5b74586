import type { FileHandle } from "node:fs/promises";
import type { ServerResponse } from "node:http";

const PIECE_BYTES = 65_536;

/**
 * Sends so many octets of a file as the body of a response whose head was written, and closes the file; never rejects. One
 * piece of memory is filled again once what it held has left: a hundred files on their way are a hundred pieces, where streams
 * would leave each piece to the collector. A file that is shorter breaks off: its reader must not wait for the rest.
 */
export async function sendFile(response: ServerResponse, file: FileHandle, bytes: number): Promise<void> {
  const buffer = Buffer.allocUnsafeSlow(Math.min(PIECE_BYTES, bytes));
  let leave = (_reason: Error): void => undefined;
  response.once("close", () => leave(new Error("The connection is closed")));
  const write = (piece: Buffer): Promise<void> =>
    new Promise((resolve, reject) => {
      leave = reject;
      if (response.destroyed) reject(new Error("The connection is closed"));
      else response.write(piece, (error) => (error ? reject(error) : resolve()));
    });
  try {
    for (let at = 0; at < bytes; ) {
      const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, bytes - at), at);
      if (bytesRead === 0) throw new Error("The file is shorter than was said");
      await write(buffer.subarray(0, bytesRead));
      at += bytesRead;
    }
    response.end();
  } catch {
    response.destroy();
  } finally {
    await file.close();
  }
}
