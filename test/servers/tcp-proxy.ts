import { connect, createServer, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** Stands between a client and a server, and fails as told. Closed after the test. */
export type TcpProxy = {
  readonly port: number;
  /** Ends all connections and refuses new ones. */
  readonly down: () => Promise<void>;
  /** Accepts again, on the same port. */
  readonly up: () => Promise<void>;
  /** Accepts, and lets nothing through. */
  readonly freeze: () => void;
  /** Lets everything through, also what came meanwhile. */
  readonly thaw: () => void;
};

/** Forwards to a port of this machine. */
export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let isFrozen = false;
  let server: Server | null = null;
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
    if (isFrozen) socket.pause();
  };
  const accept = (client: Socket): void => {
    const upstream = connect({ port: targetPort, host: "127.0.0.1" });
    client.pipe(upstream).pipe(client);
    client.on("close", () => upstream.destroy());
    upstream.on("close", () => client.destroy());
    keep(client);
    keep(upstream);
  };
  const listen = async (port: number): Promise<number> => {
    const next = createServer(accept);
    server = next;
    await new Promise<void>((resolve, reject) => {
      next.once("error", reject);
      next.listen(port, "127.0.0.1", resolve);
    });
    const address = next.address();
    if (address === null || typeof address === "string") throw new Error("The proxy has no port");
    return address.port;
  };
  const down = async (): Promise<void> => {
    const last = server;
    server = null;
    for (const socket of sockets) socket.destroy();
    if (last !== null) await new Promise((resolve) => last.close(resolve));
  };
  onTestFinished(down);
  const port = await listen(0);
  return {
    port,
    down,
    up: async () => void (await listen(port)),
    freeze: () => {
      isFrozen = true;
      for (const socket of sockets) socket.pause();
    },
    thaw: () => {
      isFrozen = false;
      for (const socket of sockets) socket.resume();
    },
  };
}
