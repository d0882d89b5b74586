import { readFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { createServer as createTlsServer, type TlsOptions } from "node:tls";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { systemClock } from "../../src/base/clock.ts";

/** A request as it came. */
type WebRequest = {
  readonly path: string;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
};

/** Octets (a text is Latin-1) to send before closing; nothing when it writes to the socket itself. */
export type WebAnswer = (request: WebRequest, socket: Socket) => string | Buffer | undefined;

export type WebServer = {
  readonly port: number;
  /** `http://127.0.0.1:port` or https, without a final slash. */
  readonly url: string;
  /** What was asked so far. */
  readonly requests: readonly WebRequest[];
  /** Every connection so far, whatever it said. */
  readonly connections: readonly Socket[];
  /** Connections that the other side has not ended yet. */
  readonly open: () => number;
};

/** Certificates in `certificates/`, all but `other` and `self-other` for www.example.com, localhost and 127.0.0.1. */
export type CertificateName =
  | "good"
  | "expired"
  | "early"
  | "other"
  | "self"
  | `self-${"address" | "authority" | "common" | "early" | "expired" | "issued" | "key-id" | "leaf" | "other" | "usage"}`;

export type WebServerOptions = {
  readonly host?: string;
  readonly port?: number;
  /** Takes what closes it. Default: closed after the test; `afterAll` for a server of a whole file. */
  readonly whenDone?: (close: () => Promise<void>) => void;
  /** Speaks TLS with this certificate. */
  readonly certificate?: CertificateName;
  readonly tls?: TlsOptions;
};

const fileOf = (name: string): string => fileURLToPath(new URL(`certificates/${name}`, import.meta.url));

/** The authority that signed the tests' certificates, for `fetch.ca_file`. */
export const TEST_CA_FILE = fileOf("ca.pem");

/** PEM of one of the tests' certificates, or of their authority. */
export const certificateText = (name: CertificateName | "ca"): string =>
  readFileSync(fileOf(`${name}.pem`), "utf8");

/** Key and certificate of the tests' servers. */
export const certificateFiles = (name: CertificateName): { key: Buffer; cert: Buffer } => ({
  key: readFileSync(fileOf(`${name}.key`)),
  cert: readFileSync(fileOf(`${name}.pem`)),
});

/** A server that answers with octets, right or wrong. */
export async function startWebServer(answer: WebAnswer, options: WebServerOptions = {}): Promise<WebServer> {
  const { host = "127.0.0.1", port = 0, whenDone = onTestFinished, certificate } = options;
  const requests: WebRequest[] = [];
  const connections: Socket[] = [];
  const serve = (socket: Socket) => {
    socket.on("error", () => socket.destroy());
    readRequest(socket, (request) => {
      requests.push(request);
      const octets = answer(request, socket);
      if (octets !== undefined)
        socket.end(typeof octets === "string" ? Buffer.from(octets, "latin1") : octets);
    });
  };
  const server = certificate
    ? createTlsServer({ ...certificateFiles(certificate), ...options.tls }, serve)
    : createServer(serve);
  server.on("connection", (socket: Socket) => {
    connections.push(socket);
    socket.on("error", () => socket.destroy());
  });
  server.on("tlsClientError", () => undefined);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  whenDone(async () => {
    for (const socket of connections) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  return {
    port: address.port,
    url: `${certificate ? "https" : "http"}://${host}:${address.port}`,
    requests,
    connections,
    // One that the other side has ended may not be gone yet.
    open: () => connections.filter((socket) => !socket.destroyed && !socket.readableEnded).length,
  };
}

/** Resolves when the other side has ended every connection. */
export async function allClosed(server: Pick<WebServer, "open">): Promise<void> {
  while (server.open() > 0) await systemClock.sleep(2);
}

function readRequest(socket: Socket, onRequest: (request: WebRequest) => void): void {
  let text = "";
  socket.on("data", (chunk: Buffer) => {
    if (text.endsWith("\r\n\r\n")) return;
    text += chunk.toString("latin1");
    if (!text.endsWith("\r\n\r\n")) return;
    const [first = "", ...lines] = text.split("\r\n");
    const headers = lines.flatMap((line) => {
      const colon = line.indexOf(":");
      return colon < 0 ? [] : [[line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const];
    });
    onRequest({ path: first.split(" ")[1] ?? "", headers: new Map(headers), text });
  });
}

/** A well-formed response with its length. */
export function response(
  body: string | Buffer,
  { status = 200, headers = {} }: { status?: number; headers?: Readonly<Record<string, string>> } = {},
): Buffer {
  const octets = Buffer.from(body);
  const lines = [`HTTP/1.1 ${status} Status`, `Content-Length: ${octets.length}`];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), octets]);
}

/** A redirect. */
export const redirect = (location: string, status = 302): Buffer =>
  response("", { status, headers: { Location: location } });

/** Writes as long as the other side reads, at its pace. */
export function writeEndlessly(socket: Socket, piece: Buffer): void {
  const more = () => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on("drain", more);
  more();
}
