import { createServer, type ServerResponse } from "node:http";
import { systemClock } from "../../src/base/clock.ts";
import { startDnsServer, type TestBehaviour, type TestQuestion } from "../../test/servers/dns-server.ts";
import { onInternet } from "../../test/servers/resolvers.ts";
import type { WebLooks, WorldAddress } from "./words.ts";

/*
 * The world outside, a process of its own: a resolver that knows silent and slow zones, and a stranger's web server on
 * every address of loopback.
 */

/** Just within the time of a question. */
const SLOW_MS = 1900;
const PAGE = Buffer.alloc(5_242_880, "a ");
/** Between the first octets of a heavy page and its last one. */
const LINGER_MS = 1500;

/** `silent….com` never answers, `slow….com` late; the machine of `h3.page….com` is 127.0.3.1, all others are one. */
function answer({ name, type }: TestQuestion): TestBehaviour {
  const lower = name.toLowerCase();
  if (/(^|\.)silent\d+\.com$/.test(lower)) return "silence";
  if (type !== "A") return lower.endsWith(".arpa") ? { rcode: 3 } : {};
  const machine = /^h(\d+)\.page\d+\.com$/.exec(lower)?.[1];
  const data = machine === undefined ? "127.0.0.1" : `127.0.${Number(machine) % 250}.1`;
  const answers = [{ type: "A", data }];
  return /(^|\.)slow\d+\.com$/.test(lower) ? { answers, delayMs: SLOW_MS } : { answers };
}

let requests = 0;
let open = 0;
let mostOpen = 0;

async function sendSlowly(response: ServerResponse): Promise<void> {
  response.setHeader("Content-Type", "text/html; charset=utf-8");
  response.write(PAGE.subarray(0, PAGE.length - 1));
  await systemClock.sleep(LINGER_MS);
  response.end(PAGE.subarray(PAGE.length - 1));
}

const server = createServer((request, response) => {
  requests++;
  response.on("error", () => response.destroy());
  if (request.url?.startsWith("/heavy")) void sendSlowly(response);
  else if (!request.url?.startsWith("/silent")) response.end("<title>A page</title>");
});
server.on("connection", (socket) => {
  mostOpen = Math.max(mostOpen, ++open);
  socket.once("close", () => open--);
});
await new Promise<void>((resolve) => server.listen(0, "0.0.0.0", resolve));
const address = server.address();
const dns = await startDnsServer(onInternet(answer));
process.on("message", () => {
  process.send?.({ requests, mostOpen } satisfies WebLooks);
  mostOpen = open;
});
process.on("disconnect", () => process.exit());
const web = address === null || typeof address === "string" ? 0 : address.port;
process.send?.({ dns: dns.address, web } satisfies WorldAddress);
