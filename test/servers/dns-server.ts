import { createSocket, type RemoteInfo, type Socket as UdpSocket } from "node:dgram";
import { createServer, type Server, type Socket } from "node:net";
import { type Answer, AUTHENTIC_DATA, decode, encode, type Packet, TRUNCATED_RESPONSE } from "dns-packet";

/** A record to answer with; `type: "UNKNOWN_65"` and a Buffer for what the codec does not know. */
export type TestRecord = {
  readonly type: string;
  readonly data: unknown;
  /** Default: the name asked. */
  readonly name?: string;
  /** Default 60. */
  readonly ttl?: number;
};

/** What the server was asked, as it came. */
export type TestQuestion = {
  /** In the letter case of the query. */
  readonly name: string;
  /** `A`, `UNKNOWN_65` … */
  readonly type: string;
  readonly transport: "udp" | "tcp";
  readonly id: number;
  readonly flags: number;
  readonly clientPort: number;
  readonly packet: Packet;
  readonly message: Buffer;
};

/** A well-formed reply: NOERROR without records when nothing is said. */
export type TestReply = {
  readonly rcode?: number;
  readonly answers?: readonly TestRecord[];
  readonly authorities?: readonly TestRecord[];
  readonly authenticatedData?: boolean;
  /** TC set, records left out. */
  readonly truncated?: boolean;
  readonly delayMs?: number;
  /** Id of the reply minus that of the query. */
  readonly idOffset?: number;
  /** Name of the question in the reply, in place of the one asked. */
  readonly question?: string;
  /** No question in the reply. */
  readonly questionless?: boolean;
};

/** One thing to do about a question; an array does several in turn. */
export type TestBehaviour =
  | TestReply
  | "silence"
  /** TCP: closes; UDP: nothing. */
  | "hang_up"
  /** These octets, as they are. */
  | { readonly raw: Buffer; readonly delayMs?: number };

export type TestScript = (question: TestQuestion) => TestBehaviour | readonly TestBehaviour[];

export type TestDnsServer = {
  /** `127.0.0.1:port`, for `dns.servers`. */
  readonly address: string;
  readonly port: number;
  /** Everything asked so far, oldest first. */
  readonly questions: readonly TestQuestion[];
  /** Changes what the server does from now on. */
  readonly use: (script: TestScript) => void;
  /** Sends a datagram from the server's port, whenever the test wants. */
  readonly send: (message: Buffer, clientPort: number) => void;
  readonly close: () => Promise<void>;
};

export type TestDnsOptions = {
  /** Loopback address to listen on; default 127.0.0.1. */
  readonly host?: string;
  /** False: the TCP port is closed. */
  readonly tcp?: boolean;
};

type Send = (message: Buffer | null) => void;

/** A DNS server on a free loopback port, UDP and TCP on the same, that does what the script says. */
export async function startDnsServer(
  script: TestScript,
  options: TestDnsOptions = {},
): Promise<TestDnsServer> {
  const { host = "127.0.0.1", tcp = true } = options;
  const { udp, server } = await bindBoth(host, tcp);
  const questions: TestQuestion[] = [];
  const timers = new Set<NodeJS.Timeout>();
  const connections = new Set<Socket>();
  let current = script;
  const answer = (message: Buffer, transport: "udp" | "tcp", clientPort: number, send: Send) => {
    const question = questionOf(message, transport, clientPort);
    questions.push(question);
    for (const behaviour of [current(question)].flat()) {
      const delayMs = typeof behaviour === "string" ? 0 : (behaviour.delayMs ?? 0);
      if (delayMs === 0) perform(behaviour, question, send);
      else {
        const timer = setTimeout(() => {
          timers.delete(timer);
          perform(behaviour, question, send);
        }, delayMs);
        timers.add(timer);
      }
    }
  };
  udp.on("message", (message: Buffer, from: RemoteInfo) => {
    answer(message, "udp", from.port, (reply) => {
      if (reply !== null) udp.send(reply, from.port, from.address);
    });
  });
  server?.on("connection", (socket) => {
    connections.add(socket);
    serveTcp(socket, answer);
    socket.on("close", () => connections.delete(socket));
  });
  const { port } = udp.address();
  return {
    address: host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`,
    port,
    questions,
    use: (next) => {
      current = next;
    },
    send: (message, clientPort) => udp.send(message, clientPort, host),
    close: async () => {
      for (const timer of timers) clearTimeout(timer);
      for (const socket of connections) socket.destroy();
      await new Promise<void>((resolve) => udp.close(() => resolve()));
      if (server) await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** The same port for both: the kernel picks one for TCP, and UDP may find it taken. */
async function bindBoth(host: string, tcp: boolean): Promise<{ udp: UdpSocket; server: Server | null }> {
  for (let left = 20; ; left--) {
    const server = tcp ? createServer() : null;
    const port = server ? await listenTcp(server, host) : 0;
    const udp = createSocket(host.includes(":") ? "udp6" : "udp4");
    try {
      await new Promise<void>((resolve, reject) => {
        udp.once("error", reject);
        udp.bind(port, host, () => {
          udp.off("error", reject);
          resolve();
        });
      });
      return { udp, server };
    } catch (error) {
      udp.close();
      server?.close();
      if (left === 0) throw error;
    }
  }
}

function listenTcp(server: Server, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, host, () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
  });
}

type AnswerMessage = (message: Buffer, transport: "udp" | "tcp", clientPort: number, send: Send) => void;

function serveTcp(socket: Socket, answer: AnswerMessage): void {
  let pending: Buffer = Buffer.alloc(0);
  socket.on("error", () => socket.destroy());
  socket.on("data", (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk]);
    while (pending.length >= 2 && pending.length >= 2 + pending.readUInt16BE(0)) {
      const end = 2 + pending.readUInt16BE(0);
      answer(pending.subarray(2, end), "tcp", socket.remotePort ?? 0, (reply) => {
        if (reply === null) socket.destroy();
        else if (!socket.destroyed) socket.write(framed(reply));
      });
      pending = pending.subarray(end);
    }
  });
}

function framed(message: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  return Buffer.concat([length, message]);
}

function questionOf(message: Buffer, transport: "udp" | "tcp", clientPort: number): TestQuestion {
  const packet = decode(message);
  const [first] = packet.questions ?? [];
  return {
    name: first?.name ?? "",
    type: first?.type ?? "",
    transport,
    id: packet.id ?? 0,
    flags: packet.flags ?? 0,
    clientPort,
    packet,
    message,
  };
}

function perform(behaviour: TestBehaviour, question: TestQuestion, send: Send): void {
  if (behaviour === "silence") return;
  if (behaviour === "hang_up") send(null);
  else if ("raw" in behaviour) send(behaviour.raw);
  else send(encodeReply(question, behaviour));
}

/** The octets of a reply, for scripts that want to spoil them. */
export function encodeReply(question: TestQuestion, reply: TestReply): Buffer {
  const truncated = reply.truncated && question.transport === "udp";
  const records = (list: readonly TestRecord[] = []) =>
    truncated
      ? []
      : list.map(({ type, data, name = question.name, ttl = 60 }) => answerOf({ type, data, name, ttl }));
  const asked = question.packet.questions?.[0];
  const name = reply.question ?? question.name;
  const recursion = 0x0180;
  const flags =
    recursion |
    (reply.rcode ?? 0) |
    (truncated ? TRUNCATED_RESPONSE : 0) |
    (reply.authenticatedData ? AUTHENTIC_DATA : 0);
  return encode({
    type: "response",
    id: (question.id + (reply.idOffset ?? 0)) & 0xffff,
    flags,
    questions: asked && !reply.questionless ? [{ ...asked, name }] : [],
    answers: records(reply.answers),
    authorities: records(reply.authorities),
  });
}

/** The codec's types leave out what it takes all the same: `UNKNOWN_65` with the rdata as a Buffer. */
const answerOf = (record: Required<TestRecord>): Answer => record as Answer;
