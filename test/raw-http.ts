import { connect, type Socket } from "node:net";
import { memberOf } from "./contract.ts";

/** What came back on a connection; status 0: nothing that begins like an answer. */
export type RawAnswer = {
  readonly status: number;
  /** Everything that came, as Latin-1. */
  readonly raw: string;
  /** How many answers came. */
  readonly count: number;
  /** `errors[0].code`, null when there is none. */
  readonly code: string | null;
};

/** Writes octets (a text is Latin-1) and reads until the other side closes, or `isEnough` of what came. */
export async function exchangeRaw(
  port: number,
  octets: string | Buffer,
  isEnough: (raw: string) => boolean = isWhole,
): Promise<RawAnswer> {
  const socket = await openSocket(port);
  socket.write(typeof octets === "string" ? Buffer.from(octets, "latin1") : octets);
  return readAnswer(socket, isEnough);
}

/** A connection to the service. */
export function openSocket(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1" });
    socket.once("error", reject);
    socket.once("connect", () => {
      socket.off("error", reject);
      // A server that refuses early closes while we write: that is an answer too.
      socket.on("error", () => socket.destroy());
      resolve(socket);
    });
  });
}

/** Reads until the other side closes, or until what came is enough; then closes. */
export function readAnswer(socket: Socket, isEnough: (raw: string) => boolean = isWhole): Promise<RawAnswer> {
  return new Promise((resolve) => {
    let raw = "";
    socket.on("data", (chunk: Buffer) => {
      raw += chunk.toString("latin1");
      if (isEnough(raw)) socket.destroy();
    });
    socket.on("end", () => socket.destroy());
    socket.on("close", () => resolve(answerOf(raw)));
  });
}

/** Whether a whole answer with its announced length is there. */
function isWhole(text: string): boolean {
  const raw = text.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, "");
  const end = raw.indexOf("\r\n\r\n");
  if (end < 0) return false;
  const length = /\r\ncontent-length: (\d+)/i.exec(raw.slice(0, end))?.[1];
  return length !== undefined && raw.length >= end + 4 + Number(length);
}

function answerOf(text: string): RawAnswer {
  const raw = text.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, "");
  const body = raw.slice(raw.indexOf("\r\n\r\n") + 4);
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(raw)?.[1] ?? 0);
  return { status, raw, count: raw.match(/HTTP\/1\.1 \d{3} /g)?.length ?? 0, code: codeOf(body) };
}

function codeOf(body: string): string | null {
  if (!body.startsWith('{"errors"')) return null;
  const [error] = Object.values(Object(memberOf(JSON.parse(body), "errors")));
  return String(memberOf(error, "code"));
}
