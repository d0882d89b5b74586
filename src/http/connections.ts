import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";

/** What each connection still is to be answered, in the order in which it was asked. */
export type Connections = {
  /**
   * Counts a request; how many its connection has unanswered now, this one among them. `onLost` is called when the connection
   * ends before the answer is out: an answer that waits for those before it is not told of that elsewhere. It is also called
   * when the answer is wanted now.
   */
  readonly began: (request: IncomingMessage, onLost: OnLost) => number;
  /** Its answer is out, or will never be. */
  readonly ended: (request: IncomingMessage) => void;
  /** Whether no other request came behind this one yet. */
  readonly isNewest: (request: IncomingMessage) => boolean;
  /** Resolves when every request that came whole has its answer; one that came half has none. */
  readonly answered: (socket: Socket) => Promise<void>;
  /** Wants every answer that is still owed, on any connection, now. */
  readonly giveUp: () => void;
};

type OnLost = (why: "left" | "given up") => void;

type Owed = {
  readonly requests: IncomingMessage[];
  /** `onLost` of each of them, in the same order. */
  readonly losses: OnLost[];
  tell: (() => void) | null;
};

/** Keeps count of requests that callers send before they have the answers to earlier ones (RFC 9112 9.3.2). */
export function createConnections(): Connections {
  const bySocket = new Map<Socket, Owed>();
  const begin = (socket: Socket): Owed => {
    const owed: Owed = { requests: [], losses: [], tell: null };
    bySocket.set(socket, owed);
    socket.once("close", () => {
      bySocket.delete(socket);
      for (const onLost of owed.losses.splice(0)) onLost("left");
      owed.requests.length = 0;
      owed.tell?.();
    });
    return owed;
  };
  return {
    began: (request, onLost) => {
      const { socket } = request;
      const owed = bySocket.get(socket) ?? begin(socket);
      owed.losses.push(onLost);
      return owed.requests.push(request);
    },
    ended: (request) => {
      const owed = bySocket.get(request.socket);
      if (owed === undefined) return;
      const place = owed.requests.indexOf(request);
      if (place >= 0) {
        owed.requests.splice(place, 1);
        owed.losses.splice(place, 1);
      }
      owed.tell?.();
    },
    isNewest: (request) => {
      const newest = bySocket.get(request.socket)?.requests.at(-1);
      return newest === undefined || newest === request;
    },
    answered: (socket) =>
      new Promise((resolve) => {
        const owed = bySocket.get(socket);
        const isDone = () => owed === undefined || owed.requests.every(({ complete }) => !complete);
        if (owed === undefined || isDone()) {
          resolve();
          return;
        }
        owed.tell = () => {
          if (isDone()) resolve();
        };
      }),
    giveUp: () => {
      for (const { losses } of bySocket.values()) for (const onLost of losses) onLost("given up");
    },
  };
}
