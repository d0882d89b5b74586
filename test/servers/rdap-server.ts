import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** One thing to do about a request. */
export type TestRdapBehaviour =
  /** A JSON answer, 200 unless said otherwise. */
  | {
      readonly json: unknown;
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** A body as it is. */
  | {
      readonly body: string | Buffer;
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** Says nothing and keeps the connection. */
  | "silence"
  /** Closes without a word. */
  | "hang_up"
  /** Sends this again and again, as fast as the other side reads. */
  | { readonly endless: string };

/** By the path asked, without query. */
export type TestRdapScript = (path: string) => TestRdapBehaviour;

export type TestRdapServer = {
  /** `http://127.0.0.1:port/`, for `rdap.bootstrap_url`. */
  readonly url: string;
  /** `127.0.0.1:port`. */
  readonly host: string;
  /** Paths asked so far, in order. */
  readonly requests: readonly string[];
  /** Changes what the server does from now on. */
  readonly use: (script: TestRdapScript) => void;
  readonly close: () => Promise<void>;
};

/** Nothing is here. */
export const NOT_FOUND: TestRdapBehaviour = { json: { errorCode: 404, title: "Not Found" }, status: 404 };

/** An HTTP server on a free loopback port that does what the script says: bootstrap files, registry, registrar. */
export async function startRdapServer(script: TestRdapScript = () => NOT_FOUND): Promise<TestRdapServer> {
  let current = script;
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const path = (request.url ?? "").split("?")[0] ?? "";
    requests.push(path);
    behave(response, current(path));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${portOf(server.address())}`;
  return {
    url: `http://${host}/`,
    host,
    requests,
    use: (next) => {
      current = next;
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  return address.port;
}

function behave(response: ServerResponse, behaviour: TestRdapBehaviour): void {
  if (behaviour === "silence") return;
  if (behaviour === "hang_up") {
    response.destroy();
    return;
  }
  if ("endless" in behaviour) {
    response.writeHead(200, { "content-type": "application/rdap+json" });
    repeat(response, behaviour.endless);
    return;
  }
  const { status = 200, headers = {} } = behaviour;
  response.writeHead(status, { "content-type": "application/rdap+json", ...headers });
  response.end("json" in behaviour ? JSON.stringify(behaviour.json) : behaviour.body);
}

function repeat(response: ServerResponse, text: string): void {
  response.on("error", () => response.destroy());
  const pump = () => {
    while (!response.destroyed && response.write(text));
  };
  response.on("drain", pump);
  pump();
}

/** A bootstrap file (RFC 9224): keys to base addresses. */
export const bootstrapFile = (services: Readonly<Record<string, string>>): TestRdapBehaviour => ({
  json: { version: "1.0", services: Object.entries(services).map(([key, url]) => [[key], [url]]) },
});
