import { createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

export type TcpServer = {
  readonly port: number;
  /** Every connection so far. */
  readonly connections: readonly Socket[];
  /** How many of them are still open. */
  readonly open: () => number;
};

/** A TCP server on a loopback address, closed after the test; by default it accepts and says nothing. */
export async function startTcpServer({
  host = "127.0.0.1",
  port = 0,
  onConnection = (socket) => socket.resume(),
}: {
  readonly host?: string;
  readonly port?: number;
  readonly onConnection?: (socket: Socket) => void;
} = {}): Promise<TcpServer> {
  const connections: Socket[] = [];
  const server = createServer((socket) => {
    connections.push(socket);
    socket.on("error", () => socket.destroy());
    onConnection(socket);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  onTestFinished(async () => {
    for (const socket of connections) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  return {
    port: address.port,
    connections,
    open: () => connections.filter((socket) => !socket.destroyed).length,
  };
}
