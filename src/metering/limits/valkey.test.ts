import { createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../base/clock.ts";
import { openValkey } from "./valkey.ts";

test("who cannot be reached is refused with the reason of the connection, not that there is none", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  await new Promise((resolve) => server.close(resolve));
  const valkey = await openValkey({ url: `redis://127.0.0.1:${port}`, clock: systemClock });
  onTestFinished(() => valkey.close());
  await expect(valkey.probe()).rejects.toThrow(`connect ECONNREFUSED 127.0.0.1:${port}`);
});

const ANSWERS = new Map([
  ["hello", "-NOPROTO unsupported protocol version\r\n"],
  ["select", "-ERR DB index is out of range\r\n"],
  ["ping", "+PONG\r\n"],
]);

test("a server without the URL's database is refused, and counts nothing in another one", async () => {
  const server = createServer((socket) => {
    socket.on("data", (data) => {
      for (const [, name = ""] of String(data).matchAll(/\*\d+\r\n\$\d+\r\n(\w+)/g)) {
        socket.write(ANSWERS.get(name.toLowerCase()) ?? "-ERR unknown command\r\n");
      }
    });
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  const valkey = await openValkey({ url: `redis://127.0.0.1:${port}/77`, clock: systemClock });
  onTestFinished(() => valkey.close());
  await expect(valkey.probe()).rejects.toThrow("DB index is out of range");
  await expect(valkey.probe()).rejects.toThrow("DB index is out of range");
});
