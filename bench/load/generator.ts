import { connect, type Socket } from "node:net";
import type { LoadOrder, LoadResult } from "./words.ts";

/*
 * The load: its own process, raw keep-alive sockets, one call at a time on each. An HTTP client would cost more than
 * the servers it measures.
 */

const HEAD_END = "\r\n\r\n";

/** One connection: makes a call, and resolves with its status when the answer is whole. */
type Connection = { readonly call: (request: Buffer) => Promise<string>; readonly close: () => void };

type Tally = {
  readonly nextRequest: () => Buffer;
  readonly mayBegin: () => boolean;
  readonly note: (status: string, latencyMs: number) => void;
};

async function run(order: LoadOrder): Promise<LoadResult> {
  const { until } = order;
  const connections = await Promise.all(Array.from({ length: order.connections }, () => open(order.port)));
  const latenciesMs: number[] = [];
  const statuses: Record<string, number> = {};
  const requests = requestsOf(order);
  const beganMs = performance.now();
  let begun = 0;
  const tally: Tally = {
    nextRequest: () => requests[begun++ % requests.length] ?? Buffer.alloc(0),
    mayBegin: () => ("calls" in until ? begun < until.calls : performance.now() - beganMs < until.ms),
    note: (status, latencyMs) => {
      statuses[status] = (statuses[status] ?? 0) + 1;
      latenciesMs.push(latencyMs);
    },
  };
  await (order.perSecond === undefined
    ? Promise.all(connections.map((connection) => converse(connection, tally)))
    : callAtRate(connections, { perSecond: order.perSecond, isPatient: order.isPatient ?? false }, tally));
  const seconds = (performance.now() - beganMs) / 1000;
  for (const connection of connections) connection.close();
  return { calls: latenciesMs.length, statuses, seconds, latenciesMs: Float64Array.from(latenciesMs) };
}

function requestsOf({ path, keys, bodies, query = false, headers = {} }: LoadOrder): Buffer[] {
  const more = Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
  if (query) {
    return bodies.map((body, i) =>
      Buffer.from(
        `GET ${path}${body} HTTP/1.1\r\nHost: 127.0.0.1\r\n${more}X-Api-Key: ${keys[i % keys.length] ?? ""}${HEAD_END}`,
      ),
    );
  }
  return bodies.map((body, i) =>
    Buffer.from(
      `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n${more}` +
        `X-API-Key: ${keys[i % keys.length] ?? ""}\r\nContent-Length: ${Buffer.byteLength(body)}${HEAD_END}${body}`,
    ),
  );
}

/** Calls again and again on one connection. */
async function converse({ call }: Connection, tally: Tally): Promise<void> {
  while (tally.mayBegin()) {
    const sentMs = performance.now();
    tally.note(await call(tally.nextRequest()), performance.now() - sentMs);
  }
}

/**
 * Begins so many calls a second whatever becomes of those before. A call that had to wait for a connection counts
 * from the instant at which it was due, so that a server which stops for a while does not hide it.
 */
async function callAtRate(
  idle: readonly Connection[],
  { perSecond, isPatient }: { readonly perSecond: number; readonly isPatient: boolean },
  tally: Tally,
): Promise<void> {
  const pool = [...idle];
  const running = new Set<Promise<void>>();
  let dueMs = performance.now();
  while (tally.mayBegin()) {
    while (dueMs <= performance.now()) {
      const connection = pool.pop();
      if (connection === undefined && isPatient) break;
      if (connection === undefined) throw new Error("All connections are waiting: the rate is too high");
      const fromMs = dueMs;
      dueMs += 1000 / perSecond;
      const one = connection.call(tally.nextRequest()).then((status) => {
        tally.note(status, performance.now() - fromMs);
        pool.push(connection);
        running.delete(one);
      });
      running.add(one);
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(running);
}

async function open(port: number): Promise<Connection> {
  const socket = await connected(port);
  let waiting = Promise.withResolvers<string>();
  const read = answerReader();
  socket.on("data", (piece: Buffer) => {
    try {
      const status = read(piece);
      if (status !== null) waiting.resolve(status);
    } catch (error) {
      waiting.reject(error);
    }
  });
  socket.once("error", (error) => waiting.reject(error));
  socket.once("close", () => waiting.reject(new Error("The server closed a connection")));
  return {
    call: (request) => {
      waiting = Promise.withResolvers();
      socket.write(request);
      return waiting.promise;
    },
    close: () => {
      socket.removeAllListeners("close");
      socket.destroy();
    },
  };
}

const connected = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true }, () => resolve(socket));
    socket.once("error", reject);
  });

/** Reads answers one after the other: the status of the one that a piece completes, else null. */
function answerReader(): (piece: Buffer) => string | null {
  let missing = 0;
  let status = "";
  let held: Buffer = Buffer.alloc(0);
  return (piece) => {
    if (missing > 0) {
      missing -= piece.length;
      return missing === 0 ? status : null;
    }
    const bytes = held.length === 0 ? piece : Buffer.concat([held, piece]);
    const end = bytes.indexOf(HEAD_END);
    held = end < 0 ? bytes : Buffer.alloc(0);
    if (end < 0) return null;
    const head = bytes.toString("latin1", 0, end);
    status = head.slice(9, 12);
    const length = status === "304" ? 0 : Number(/content-length: (\d+)/i.exec(head)?.[1]);
    missing = end + HEAD_END.length + length - bytes.length;
    if (!(missing >= 0)) throw new Error(`Cannot read the answer: ${head}`);
    return missing === 0 ? status : null;
  };
}

process.on("message", (message) => {
  if (!isOrder(message)) return;
  run(message).then(
    (result) => process.send?.(result),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.once("disconnect", () => process.exit());

const isOrder = (message: unknown): message is LoadOrder =>
  typeof message === "object" && message !== null && "port" in message && "bodies" in message;
