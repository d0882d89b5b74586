import { expect, onTestFinished, test } from "vitest";
import { createDialing } from "../../../test/servers/dialing.ts";
import { startRdapServer, type TestRdapBehaviour } from "../../../test/servers/rdap-server.ts";
import { type Clock, systemClock } from "../../base/clock.ts";
import { createHttp } from "../../net/http/http.ts";
import { createRdapClient } from "./client.ts";

/** What is said of a silent server by a caller who stops waiting when so much of a minute is over. */
async function askSilent(waitedMs: number) {
  let nowMs = 0;
  const caller = new AbortController();
  const server = await startRdapServer((): TestRdapBehaviour => {
    nowMs += waitedMs;
    caller.abort();
    return "silence";
  });
  const { dialer } = await createDialing();
  const http = createHttp({ dialer, clock: systemClock, caFile: null, userAgent: "Repute/test" });
  for (const close of [server.close, http.close]) onTestFinished(close);
  const clock: Clock = { ...systemClock, monotonicMs: () => nowMs };
  const client = createRdapClient({ http, clock });
  const url = `${server.url}ip/192.0.2.1`;
  const question = { url, isOperatorsWord: true, signal: caller.signal, timeoutMs: 60_000, isAside: false };
  return { reply: await client.ask(question), isShut: client.isShut(url) };
}

test.each([59_950, 60_000, 60_001])(
  "a server that is silent for all the time, %i ms, is known to be",
  async (ms) => {
    const { reply, isShut } = await askSilent(ms);
    const detail = "No complete answer within 60000 ms";
    expect(reply).toMatchObject({ state: "failed", reason: "timeout", detail });
    expect(isShut).toBe(true);
  },
);

test.each([0, 59_000])("a caller who leaves after %i ms says nothing about the server", async (ms) => {
  const { reply, isShut } = await askSilent(ms);
  expect(reply).toMatchObject({ state: "failed", reason: "timeout", detail: "There was no answer in time" });
  expect(isShut).toBe(false);
});
