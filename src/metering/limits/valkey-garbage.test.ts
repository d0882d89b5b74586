import { connect, createServer } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { share } from "../../../test/limits-process.ts";
import { PATIENT_MS, withValkey } from "../../../test/valkey.ts";
import { systemClock } from "../../base/clock.ts";
import { openValkey } from "./valkey.ts";

/** What becomes of a piece of the server's answers; null: nothing more comes on this connection, which stays open. */
type Answer = (piece: Buffer) => Buffer | null;

/** Stands before a server, and answers in its place. */
async function startLiar(targetPort: number) {
  let answer: Answer = (piece) => piece;
  const server = createServer((client) => {
    const upstream = connect({ port: targetPort, host: "127.0.0.1" });
    let isSilent = false;
    onTestFinished(() => void client.destroy());
    client.pipe(upstream);
    upstream.on("data", (piece) => {
      const said = isSilent || !Buffer.isBuffer(piece) ? null : answer(piece);
      isSilent = said === null;
      if (said !== null && client.writable) client.write(said);
    });
    client.on("error", () => upstream.destroy());
    client.on("close", () => upstream.destroy());
    upstream.on("error", () => client.destroy());
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  return {
    port: address !== null && typeof address === "object" ? address.port : 0,
    say: (next: Answer | "the truth") => {
      answer = next === "the truth" ? (piece) => piece : next;
    },
  };
}

const always = (text: string): Answer => {
  const said = Buffer.from(text);
  return () => said;
};

const LIES: Readonly<Record<string, Answer>> = {
  "is silent from the middle of an answer on": () => null,
  "answers in HTTP": always("HTTP/1.1 400 Bad Request\r\n\r\n"),
  "answers everything with OK": always("+OK\r\n"),
  "answers with nothing": always("$-1\r\n"),
  "answers with arrays of something else": always("*4\r\n:0\r\n$3\r\nfoo\r\n$-1\r\n:1\r\n".repeat(9)),
  "answers with an array that is too short": always("*1\r\n:0\r\n".repeat(9)),
  "answers once more than it was asked": (piece) => Buffer.concat([Buffer.from(":1\r\n"), piece]),
  "loads its data": always("-LOADING Redis is loading the dataset in memory\r\n".repeat(9)),
};

withValkey((create) => {
  async function start() {
    const { url, prefix, scripts } = await create();
    const liar = await startLiar(Number(new URL(url).port || 6379));
    const through = `redis://127.0.0.1:${liar.port}`;
    const options = { prefix, scripts, clock: systemClock, timeoutMs: 1000 };
    const open = () => openValkey({ url: through, ...options });
    const until = (isSo: () => boolean) => vi.waitUntil(isSo, { timeout: PATIENT_MS, interval: 20 });
    return { ...liar, open, until };
  }

  test.each(Object.entries(LIES))("a server that %s is away, and is believed again", async (_, lie) => {
    const { say, open, until } = await start();
    const { limits, freeLimits, areShared, warnings } = await share(await open(), systemClock);
    onTestFinished(limits.close);
    await until(areShared);
    say(lie);
    await until(() => !areShared());
    expect(await limits.admit("a", 5)).toMatchObject({
      state: "admitted",
      limits: { remaining: 4, resetAfterS: 0, concurrencyRemaining: 4 },
    });
    expect(await freeLimits.admit("a")).toMatchObject({ state: "admitted", limits: { remaining: 4 } });
    expect(warnings()).toBeGreaterThan(0);
    say("the truth");
    await until(areShared);
    expect((await limits.admit("b", 5)).limits.remaining).toBe(4);
  });

  test("a server that never answers the greeting of a connection is asked on another one", async () => {
    const { say, open, until } = await start();
    say(() => null);
    const { limits, areShared, logged } = await share(await open(), systemClock);
    onTestFinished(limits.close);
    expect(areShared()).toBe(false);
    say("the truth");
    await until(areShared);
    expect(logged()).not.toContain("max retries");
  });
});
