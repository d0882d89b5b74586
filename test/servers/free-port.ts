import { createSocket } from "node:dgram";
import { createServer } from "node:net";
import { systemRandom } from "../../src/base/clock.ts";

/** Below those that systems hand out by themselves: a daemon may be slow to take its own. */
const FIRST = 12_000;
const COUNT = 20_000;

/** A port of 127.0.0.1 that nothing listens on, neither by UDP nor by TCP, for a daemon that cannot choose one itself. */
export async function freePort(): Promise<number> {
  for (;;) {
    const [high = 0, low = 0] = systemRandom.bytes(2);
    const port = FIRST + ((high * 256 + low) % COUNT);
    if ((await isFreeForTcp(port)) && (await isFreeForUdp(port))) return port;
  }
}

function isFreeForTcp(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}

function isFreeForUdp(port: number): Promise<boolean> {
  const socket = createSocket("udp4");
  return new Promise((resolve) => {
    socket.once("error", () => resolve(false));
    socket.bind(port, "127.0.0.1", () => socket.close(() => resolve(true)));
  });
}
