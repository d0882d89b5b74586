import { connect, createServer } from "node:net";
import { freePort } from "../linux.ts";

const REFUSED = "HTTP/1.1 403 ";

/** Stands between bouncers and the service, and breaks connections when it is told. */
export type CuttingProxy = {
  readonly port: number;
  /** From now on every connection ends after so many octets of answers; null: none does. */
  readonly cutAfter: (octets: number | null) => void;
  readonly cuts: () => number;
  /** Answers of 403 that passed. */
  readonly refusals: () => number;
  readonly close: () => void;
};

/** To a port of this machine, which may have nothing behind it for a while. */
export async function startCuttingProxy(to: number): Promise<CuttingProxy> {
  let room: number | null = null;
  let cuts = 0;
  let refusals = 0;
  const server = createServer((client) => {
    const upstream = connect(to, "127.0.0.1");
    const end = (): void => {
      client.destroy();
      upstream.destroy();
    };
    let passed = 0;
    for (const socket of [client, upstream]) socket.once("error", end).once("close", end);
    client.on("data", (piece) => upstream.write(piece));
    upstream.on("data", (piece: Buffer) => {
      if (piece.toString("latin1", 0, REFUSED.length) === REFUSED) refusals++;
      passed += piece.byteLength;
      if (room === null || passed <= room) return void client.write(piece);
      cuts++;
      // What still fits arrives, and then nothing more.
      client.end(piece.subarray(0, Math.max(0, piece.byteLength - (passed - room))), end);
    });
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    port,
    cutAfter: (octets) => {
      room = octets;
    },
    cuts: () => cuts,
    refusals: () => refusals,
    close: () => void server.close(),
  };
}
