import { createServer, type Server, type Socket } from "node:net";

/** One thing to do about a question. */
export type TestWhoisBehaviour =
  /** Sends it and closes. */
  | string
  | Uint8Array
  /** Closes without a word. */
  | "hang_up"
  /** Says nothing and keeps the connection. */
  | "silence"
  /** Resets the connection without a word. */
  | "reset"
  /** Sends this, then resets the connection: closed mid-answer. */
  | { readonly beforeReset: string }
  /** Sends this, then nothing, and keeps the connection. */
  | { readonly beforeSilence: string }
  /** Sends this again and again, as fast as the other side reads. */
  | { readonly endless: string }
  /** One byte, then the next whenever `drip` of the server is called. */
  | { readonly drip: string };

export type TestWhoisScript = (question: string) => TestWhoisBehaviour;

export type TestWhoisServer = {
  /** `127.0.0.1:port`, for `whois.servers`. */
  readonly address: string;
  readonly host: string;
  readonly port: number;
  /** What was asked so far, each as it came, line end included. */
  readonly questions: readonly string[];
  /** Connections that are open now. */
  readonly connections: () => number;
  /** Changes what the server does from now on. */
  readonly use: (script: TestWhoisScript) => void;
  /** Sends the next byte of every answer that drips, and at the last closes; false when there is none left. */
  readonly drip: () => boolean;
  readonly close: () => Promise<void>;
};

/** A WHOIS server on a free loopback port that does what the script says. */
export async function startWhoisServer(
  script: TestWhoisScript,
  { host = "127.0.0.1" }: { host?: string } = {},
): Promise<TestWhoisServer> {
  let current = script;
  const questions: string[] = [];
  const sockets = new Set<Socket>();
  const drips = new Map<Socket, string>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    // A client that gives up resets the connection; what a test wants to know of it, it asks elsewhere.
    socket.on("error", () => drips.delete(socket));
    let question = "";
    socket.on("data", (chunk) => {
      question += chunk.toString("latin1");
      if (!question.endsWith("\n")) return;
      questions.push(question);
      behave(socket, current(question.trim()), drips);
      question = "";
    });
  });
  const port = await listen(server, host);
  return {
    address: `${host}:${port}`,
    host,
    port,
    questions,
    connections: () => sockets.size,
    use: (next) => {
      current = next;
    },
    drip: () => {
      for (const [socket, rest] of drips) {
        socket.write(rest.slice(0, 1), "latin1");
        if (rest.length > 1) drips.set(socket, rest.slice(1));
        else {
          drips.delete(socket);
          socket.end();
        }
      }
      return drips.size > 0;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

const listen = (server: Server, host: string): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, host, () => {
      const address = server.address();
      if (typeof address === "object" && address !== null) resolve(address.port);
      else reject(new Error("The server has no port"));
    });
  });

function behave(socket: Socket, behaviour: TestWhoisBehaviour, drips: Map<Socket, string>): void {
  if (behaviour === "silence") return;
  if (behaviour === "hang_up") socket.end();
  else if (behaviour === "reset") socket.resetAndDestroy();
  else if (typeof behaviour === "string" || behaviour instanceof Uint8Array) socket.end(behaviour);
  else if ("beforeReset" in behaviour) socket.write(behaviour.beforeReset, () => socket.resetAndDestroy());
  else if ("beforeSilence" in behaviour) socket.write(behaviour.beforeSilence);
  else if ("endless" in behaviour) sendEndlessly(socket, Buffer.from(behaviour.endless));
  else {
    socket.write(behaviour.drip.slice(0, 1), "latin1");
    drips.set(socket, behaviour.drip.slice(1));
  }
}

function sendEndlessly(socket: Socket, chunk: Buffer): void {
  const send = () => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on("drain", send);
  send();
}
