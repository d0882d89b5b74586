import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";

/** Serves on a free loopback port, says which to the parent, and ends with the parent's signal. */
export function serve(listener: RequestListener): void {
  const server = createServer(listener);
  server.keepAliveTimeout = 60_000;
  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    if (typeof address === "object" && address !== null) process.send?.({ port: address.port });
  });
  process.once("disconnect", () => process.exit());
}

/** Reads a JSON body whole and hands it on. */
export function readBody(request: IncomingMessage, use: (body: unknown) => void): void {
  let text = "";
  request.setEncoding("utf8");
  request.on("data", (piece: string) => {
    text += piece;
  });
  request.on("end", () => use(JSON.parse(text)));
}

/** A 200 with one writeHead, as fast as node:http does it. */
export function answer(response: ServerResponse, body: string): void {
  response.writeHead(200, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) });
  response.end(body);
}
