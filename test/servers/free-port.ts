import { createSocket } from "node:dgram";
import { createServer } from "node:net";

/** A port of 127.0.0.1 that nothing listens on, neither by UDP nor by TCP, for a daemon that cannot choose one itself. */
export async function freePort(): Promise<number> {
  for (;;) {
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(0, "127.0.0.1", resolve);
    });
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const isFree = await isFreeForUdp(port);
    await new Promise((resolve) => server.close(resolve));
    if (isFree) return port;
  }
}

function isFreeForUdp(port: number): Promise<boolean> {
  const socket = createSocket("udp4");
  return new Promise((resolve) => {
    socket.once("error", () => resolve(false));
    socket.bind(port, "127.0.0.1", () => socket.close(() => resolve(true)));
  });
}
