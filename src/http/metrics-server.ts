import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Metrics } from "../base/metrics.ts";
import { createServer } from "../net/http/node-http.ts";
import type { MetricsSources } from "./prometheus.ts";

/** What counts, and the page that shows it. */
export type Monitoring = {
  readonly metrics: Metrics;
  /** Serves the page from now on. Rejects when the address cannot be had. */
  readonly serve: (sources: MetricsSources) => Promise<MetricsServer>;
};

/** Null when there is nowhere to listen: then nothing is counted, and nothing for it is loaded. */
export async function openMonitoring(listen: string | null, version: string): Promise<Monitoring | null> {
  if (listen === null) return null;
  const { createPrometheus } = await import("./prometheus.ts");
  const { metrics, contentType, page } = createPrometheus({ version });
  return { metrics, serve: (sources) => serveMetrics({ listen, contentType, page: () => page(sources) }) };
}

type MetricsServer = {
  /** As configured. */
  readonly host: string;
  /** `http://HOST:PORT` */
  readonly address: string;
  readonly close: () => Promise<void>;
};

const BOUNDS = {
  headerBytes: 16_384,
  requestTimeoutMs: 10_000,
  keepAliveTimeoutMs: 72_000,
  connections: 64,
} as const;

/**
 * Serves `page` under `/metrics` and nothing else, at `listen` (`host:port`): an address of its own, which no caller of the
 * service needs to reach. Rejects when the address cannot be had. Source: design 15.
 */
async function serveMetrics({
  listen,
  contentType,
  page,
}: {
  readonly listen: string;
  readonly contentType: string;
  readonly page: () => Promise<string>;
}): Promise<MetricsServer> {
  const server = createServer(
    {
      maxHeaderSize: BOUNDS.headerBytes,
      headersTimeout: BOUNDS.requestTimeoutMs,
      requestTimeout: BOUNDS.requestTimeoutMs,
      keepAliveTimeout: BOUNDS.keepAliveTimeoutMs,
    },
    async ({ method = "", url = "" }, response) => {
      response.setHeader("X-Content-Type-Options", "nosniff").setHeader("Cache-Control", "no-store");
      const refusal = refusalOf(method, url);
      if (refusal !== null) {
        if (refusal === 405) response.setHeader("Allow", "GET, HEAD");
        response.writeHead(refusal).end();
        return;
      }
      const text = await page().catch(() => null);
      if (text === null) response.writeHead(500).end();
      else response.setHeader("Content-Type", contentType).end(text);
    },
  );
  server.maxConnections = BOUNDS.connections;
  const { hostname, port } = new URL(`http://${listen}`);
  const host = hostname.replace(/^\[|\]$/g, "");
  // The URL leaves out the port that it takes for the usual one.
  const bound = await begin(server, { host, port: Number(port || 80) });
  return { host, address: `http://${hostname}:${bound}`, close: () => end(server) };
}

function refusalOf(method: string, url: string): 404 | 405 | null {
  if (url.split("?", 1)[0] !== "/metrics") return 404;
  return method === "GET" || method === "HEAD" ? null : 405;
}

function begin(server: Server, where: { readonly host: string; readonly port: number }): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(where, () => {
      server.off("error", reject);
      resolve(portOf(server.address()));
    });
  });
}

const portOf = (address: AddressInfo | string | null): number =>
  address !== null && typeof address === "object" ? address.port : 0;

function end(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
