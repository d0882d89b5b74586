import { createServer, type ServerResponse } from "node:http";
import { systemClock } from "../../src/base/clock.ts";
import { giveWay } from "./give-way.ts";
import type { WebLooks } from "./words.ts";

/* A stranger's web server on every address of loopback, a process of its own. */

giveWay();

const PAGE = Buffer.alloc(5_242_880, "a ");
/** Between the first octets of a heavy page and its last one. */
const LINGER_MS = 1500;

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
process.on("message", () => {
  process.send?.({ requests, mostOpen } satisfies WebLooks);
  mostOpen = open;
});
process.on("disconnect", () => process.exit());
process.send?.({ web: address === null || typeof address === "string" ? 0 : address.port });
