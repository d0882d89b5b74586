import { createServer } from "node:net";
import { Redis } from "ioredis";
import { expect, onTestFinished, test } from "vitest";
import { share } from "../../../test/limits-process.ts";
import { PATIENT_MS, withValkey } from "../../../test/valkey.ts";
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
  ["client", "+OK\r\n"],
  ["info", "$22\r\nredis_version:7.0.15\r\n\r\n"],
  ["evalsha", "*4\r\n:0\r\n:1\r\n:1\r\n:0\r\n"],
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

withValkey((create) => {
  // Each answers a PING, as a replica or a server with a full disk does, and nothing that a start needs.
  test.each([
    ["scripts", ["~*", "+@all", "-@scripting"]],
    ["writes", ["~*", "+@all", "-@write"]],
    ["the keys", ["~other:*", "+@all"]],
    // What starts alone do not ask for: renewals, releases, the last start of a window, abandoned calls.
    ["eval", ["~*", "+@all", "-eval"]],
    ["zrem", ["~*", "+@all", "-zrem"]],
    ["zrange", ["~*", "+@all", "-zrange"]],
    ["zremrangebyrank", ["~*", "+@all", "-zremrangebyrank"]],
    ["pexpire", ["~*", "+@all", "-pexpire"]],
  ])("a server that refuses %s is away, and stays so until it takes them", async (_, rules) => {
    const { url, prefix, scripts } = await create();
    const admin = new Redis(url);
    const user = prefix.replace(/:$/, "");
    onTestFinished(async () => {
      await admin.acl("DELUSER", user);
      admin.disconnect();
    });
    const allow = (...words: string[]) => admin.acl("SETUSER", user, "reset", "on", "nopass", ...words);
    await allow(...rules);
    const as = Object.assign(new URL(url), { username: user, password: "any" }).href;
    const options = { url: as, prefix, scripts, clock: systemClock, timeoutMs: PATIENT_MS };
    const valkey = await openValkey(options);
    await expect(valkey.probe()).rejects.toThrow(/permission|can't run this command/);
    const { limits, areShared, warnings } = await share(valkey, systemClock);
    expect([areShared(), warnings()]).toEqual([false, 1]);
    expect((await limits.admit("a", 5)).state).toBe("admitted");
    expect([areShared(), warnings()]).toEqual([false, 1]);
    await allow("~*", "+@all");
    await expect.poll(areShared, { timeout: PATIENT_MS }).toBe(true);
    await limits.close();
  });
});
