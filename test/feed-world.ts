import { onTestFinished } from "vitest";
import { systemClock } from "../src/base/clock.ts";
import type { FeedDefinition } from "../src/feeds/feed.ts";
import type { Updater, UpdaterDeps } from "../src/feeds/retrieval/updater.ts";
import type { CountTable, Retrieved } from "../src/feeds/table.ts";
import { createTestUpdater } from "../src/feeds/test-updater.ts";
import { createHttp } from "../src/net/http/http.ts";
import { createDialing } from "./servers/dialing.ts";
import {
  type CertificateName,
  startWebServer,
  TEST_CA_FILE,
  type WebAnswer,
  type WebServer,
} from "./servers/web-server.ts";

/** An operator's list of addresses, hourly, with key `mine`. */
export const feed = (url: string, more: Partial<FeedDefinition> = {}): FeedDefinition => ({
  key: "mine",
  name: "Mine",
  role: "engine",
  builtin: false,
  target: "ip",
  source: { kind: "web", url, headers: {} },
  seed: null,
  format: "netset",
  options: {},
  refreshMinutes: 60,
  maxEntries: null,
  allowEmpty: false,
  ...more,
});

/** A clock that stands at an instant until it is moved; waiting takes the machine's time. */
export function createClock() {
  let ms = Date.parse("2026-11-21T09:00:00Z");
  return { ...systemClock, now: () => new Date(ms), advance: (minutes: number) => (ms += minutes * 60_000) };
}
export type TestClock = ReturnType<typeof createClock>;

/** Half of what chance may give: no jitter. */
const random = { bytes: () => new Uint8Array([0, 0, 0, 0x80]) };

export type World = { readonly updater: Updater; readonly clock: TestClock };

/** An updater over `keptDir` with a client that may reach loopback. */
export async function createWorld(
  keptDir: string,
  feeds: readonly Retrieved[],
  more: Partial<UpdaterDeps> & { readonly clock?: TestClock; readonly countTable?: CountTable } = {},
): Promise<World> {
  const { dialer } = await createDialing();
  const http = createHttp({ dialer, clock: systemClock, caFile: TEST_CA_FILE, userAgent: "Repute/1" });
  onTestFinished(http.close);
  const clock = more.clock ?? createClock();
  const updater = createTestUpdater({ feeds, keptDir, http, random, timeoutMs: 20_000, ...more, clock });
  return { updater, clock };
}

/** So many different addresses, one a line. */
export const addresses = (count: number): string =>
  Array.from({ length: count }, (_, i) => `20.0.${i >> 8}.${i & 255}`).join("\n");

/** A server of lists. */
export const startHttps = (answer: WebAnswer, certificate: CertificateName = "good") =>
  startWebServer(answer, { certificate });

/** A server whose answer the test changes under way. */
export async function startChanging(
  first: WebAnswer,
): Promise<{ server: WebServer; answer: (next: WebAnswer) => void }> {
  let current = first;
  const server = await startHttps((request, socket) => current(request, socket));
  return { server, answer: (next) => (current = next) };
}
