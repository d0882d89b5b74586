import { connect, createServer, type Socket } from "node:net";
import type { Ground } from "./ground.ts";

export type Address = {
  readonly port: number;
  /** Ends all connections; the next ones go to this port. */
  readonly leadTo: (port: number) => void;
};

/** An address that stays, whatever server it leads to, as a virtual one or a name does. */
export async function openAddress(ground: Ground): Promise<Address> {
  let target = 0;
  const sockets = new Set<Socket>();
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((client) => {
    const upstream = connect({ port: target, host: "127.0.0.1" });
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => socket.destroy());
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ground.later(() => {
    server.close();
    cut();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The address has no port");
  return {
    port: address.port,
    leadTo: (port) => {
      target = port;
      cut();
    },
  };
}
