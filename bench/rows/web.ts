import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, type CDPSession, chromium, type Page } from "playwright-core";
import { stringify } from "yaml";
import { REFERENCE_NAMES } from "../../src/http/pages/reference.ts";
import { startDnsServer } from "../../test/servers/dns-server.ts";
import { onInternet } from "../../test/servers/resolvers.ts";
import type { Laboratory } from "../laboratory.ts";
import type { Row } from "../row.ts";
import { createKeys, NAMELESS, startService } from "../world.ts";

const PAGES = [
  "/",
  "/tools/ip/8.8.8.8",
  "/status",
  "/sources",
  "/pricing",
  "/guide",
  "/guide/sign-up",
  "/docs",
  ...REFERENCE_NAMES.map((name) => `/docs/${name}`),
  "/app/sign-in",
  "/app",
  "/app/lookup",
  "/app/bulk",
  "/app/results",
  "/app/keys",
  "/app/usage",
  "/app/feeds",
  "/app/billing",
  "/app/settings",
] as const;

/** What a page weighs and how long it takes on a throttled phone. */
type Weight = {
  readonly sentKb: number;
  readonly scriptKb: number;
  readonly requests: number;
  readonly paintS: number;
  /** Until nothing is loaded and the page answers to a press. */
  readonly usableS: number;
  readonly blockedMs: number;
  readonly nodes: number;
};

/** Every page on a phone: 4 x CPU, 1.6 Mbit/s, 150 ms, 412 px, nothing cached. */
export const webRow: Row = {
  name: "web",
  measure: async (laboratory) => {
    laboratory.say("Opening every page on a throttled phone");
    const dns = await startDnsServer(onInternet(() => NAMELESS));
    const { env, key } = await install(laboratory, dns.address);
    const service = await startService(env, { cpu: null });
    const browser = await chromium.launch({
      executablePath: process.env["REPUTE_TEST_CHROMIUM"] ?? "/usr/bin/chromium",
      args: ["--no-sandbox"],
    });
    try {
      const origin = `http://127.0.0.1:${service.port}`;
      const cookie = await signIn(origin, key);
      const found: Record<string, Weight> = {};
      for (const path of PAGES) {
        const weight = await weigh(browser, { origin, path, cookie });
        found[path] = weight;
        laboratory.say(lineOf(path, weight));
      }
      return figuresOf(found);
    } finally {
      await browser.close();
      await service.server.stop();
      await dns.close();
    }
  },
};

function figuresOf(found: Readonly<Record<string, Weight>>) {
  const docs = Object.entries(found).flatMap(([path, weight]) => (path.startsWith("/docs") ? [weight] : []));
  const feeds = found["/app/feeds"];
  return {
    docs_kb: Math.max(...docs.map(({ sentKb }) => sentKb)),
    docs_usable_s: Math.max(...docs.map(({ usableS }) => usableS)),
    feeds_paint_s: feeds?.paintS ?? Number.NaN,
    feeds_nodes: feeds?.nodes ?? Number.NaN,
  };
}

const lineOf = (path: string, weight: Weight): string =>
  [
    path.padEnd(26),
    `${weight.sentKb.toFixed(0)} kB sent`,
    `${weight.scriptKb.toFixed(0)} kB of scripts`,
    `${weight.requests} requests`,
    `LCP ${weight.paintS.toFixed(2)} s`,
    `usable ${weight.usableS.toFixed(2)} s`,
    `blocked ${weight.blockedMs.toFixed(0)} ms`,
    `${weight.nodes} nodes`,
  ].join(" · ");

/** An installation with its own lists, as a newcomer has it without a network. */
async function install({ dir }: Laboratory, resolver: string) {
  const dataDir = join(dir, "web");
  mkdirSync(dataDir, { recursive: true });
  const configFile = join(dir, "web.yaml");
  writeFileSync(
    configFile,
    stringify({
      dns: { servers: [resolver], timeout_ms: 500 },
      rdap: { bootstrap_url: "http://127.0.0.1:1/" },
    }),
  );
  const [key = ""] = await createKeys(join(dataDir, "repute.db"));
  return { env: { REPUTE_DATA_DIR: dataDir, REPUTE_CONFIG: configFile, REPUTE_BOOTSTRAP: "off" }, key };
}

/** A session that reads. */
async function signIn(origin: string, key: string): Promise<string> {
  const response = await fetch(`${origin}/api/dashboard/sign-in`, {
    method: "POST",
    headers: { Origin: origin, "Content-Type": "application/json" },
    body: JSON.stringify({ api_key: key }),
  });
  const [cookie = ""] = response.headers.getSetCookie();
  if (!response.ok) throw new Error(`The key does not sign in: ${response.status} ${await response.text()}`);
  return cookie.split(";", 1)[0]?.split("=", 2)[1] ?? "";
}

type Asked = { readonly origin: string; readonly path: string; readonly cookie: string };

async function weigh(browser: Browser, { origin, path, cookie }: Asked): Promise<Weight> {
  const context = await browser.newContext({ viewport: { width: 412, height: 900 } });
  if (path.startsWith("/app") && path !== "/app/sign-in") {
    await context.addCookies([{ name: "repute_session", value: cookie, url: origin }]);
  }
  const page = await context.newPage();
  const sent = await throttle(await context.newCDPSession(page));
  await page.addInitScript(OBSERVE);
  try {
    const startedMs = performance.now();
    await page.goto(origin + path, { waitUntil: "networkidle", timeout: 60_000 });
    await page.locator("h1").first().waitFor();
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))");
    const idleMs = performance.now() - startedMs - NETWORK_IDLE_MS;
    return { ...(await seenBy(page)), ...sent(), usableS: Math.max(0, idleMs) / 1000 };
  } finally {
    await context.close();
  }
}

/** After how long without a request the browser calls the network idle. */
const NETWORK_IDLE_MS = 500;

/** Slows the page down; answers with what counts the octets that came. */
async function throttle(session: CDPSession) {
  let bytes = 0;
  let scriptBytes = 0;
  let requests = 0;
  const scripts = new Set<string>();
  session.on("Network.responseReceived", ({ requestId, type }) => {
    requests++;
    if (type === "Script") scripts.add(requestId);
  });
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    bytes += encodedDataLength;
    if (scripts.has(requestId)) scriptBytes += encodedDataLength;
  });
  await session.send("Network.enable");
  const throughput = 1_600_000 / 8;
  await session.send("Network.emulateNetworkConditions", {
    ...{ offline: false, latency: 150 },
    ...{ downloadThroughput: throughput, uploadThroughput: throughput },
  });
  await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  return () => ({ sentKb: bytes / 1000, scriptKb: scriptBytes / 1000, requests });
}

/** Runs in the page: the largest paint, and what of each long task is above 50 ms. */
const OBSERVE = `window.seen = { paintMs: 0, blockedMs: 0 };
new PerformanceObserver((list) => { for (const entry of list.getEntries()) seen.paintMs = entry.startTime; })
  .observe({ type: "largest-contentful-paint", buffered: true });
new PerformanceObserver((list) => { for (const entry of list.getEntries()) seen.blockedMs += entry.duration - 50; })
  .observe({ type: "longtask", buffered: true });`;

async function seenBy(page: Page) {
  const seen = await page.evaluate<{ paintMs: number; blockedMs: number; nodes: number }>(
    "({ ...seen, nodes: document.querySelectorAll('*').length })",
  );
  return { paintS: seen.paintMs / 1000, blockedMs: seen.blockedMs, nodes: seen.nodes };
}
