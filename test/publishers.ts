import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

/** A server of lists on loopback that a whole file of tests uses. */
export type Publisher = {
  /** Without a final slash. */
  readonly url: string;
  /** What was asked so far: path and headers as JSON. */
  readonly asked: readonly string[];
  readonly close: () => Promise<void>;
};

/** Answers by `handle`; close it after the tests. */
export async function startPublisher(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Publisher> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(JSON.stringify([request.url, request.headers]));
    handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const at = server.address();
  if (at === null || typeof at === "string") throw new Error("It does not listen on a port");
  return {
    url: `http://127.0.0.1:${at.port}`,
    asked,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
