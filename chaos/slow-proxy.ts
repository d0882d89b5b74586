import { connect, createServer, type Socket } from "node:net";

/** Stands before a server and hands everything on later. */
export type SlowProxy = { readonly port: number; readonly close: () => Promise<void> };

/** Forwards to a port of this machine; each piece waits `delayMs`, in both directions. */
export async function startSlowProxy(targetPort: number, delayMs: number): Promise<SlowProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect({ port: targetPort, host: "127.0.0.1" });
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on("data", (piece) => void setTimeout(() => to.writable && to.write(piece), delayMs));
      from.on("error", () => from.destroy());
      from.on("close", () => {
        sockets.delete(from);
        setTimeout(() => to.destroy(), delayMs);
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The proxy has no port");
  return {
    port: address.port,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
