import { describe, expect, test } from "vitest";
import {
  addressRecord,
  BROKEN,
  client,
  createStoppedClock,
  one,
  outcome,
  serve,
  TIMEOUT,
  until,
} from "../../../test/servers/dns-client.ts";
import {
  encodeReply,
  startDnsServer,
  type TestDnsServer,
  type TestScript,
} from "../../../test/servers/dns-server.ts";
import { systemClock } from "../../base/clock.ts";

describe("Dns.query() before messages that are not the answer", () => {
  test.each<[string, TestScript]>([
    [
      "another id",
      () => [{ idOffset: 1, answers: [addressRecord("6.6.6.6")] }, { answers: [addressRecord("192.0.2.1")] }],
    ],
    [
      "another name",
      () => [
        { question: "evil.example", answers: [addressRecord("6.6.6.6")] },
        { answers: [addressRecord("192.0.2.1")] },
      ],
    ],
    [
      "other letter case",
      (q) => [
        { question: swapCase(q.name), answers: [addressRecord("6.6.6.6")] },
        { answers: [addressRecord("192.0.2.1")] },
      ],
    ],
    ["the query itself", (q) => [{ raw: q.message }, { answers: [addressRecord("192.0.2.1")] }]],
    [
      "octets that are no DNS",
      () => [{ raw: Buffer.from("HTTP/1.1 400\r\n\r\n") }, { answers: [addressRecord("192.0.2.1")] }],
    ],
    ["nothing at all", () => [{ raw: Buffer.alloc(0) }, { answers: [addressRecord("192.0.2.1")] }]],
  ])("ignores %s and waits for it", async (_, script) => {
    expect(await outcome(client([await serve(script)]))).toBe("NOERROR 192.0.2.1");
  });

  test("ignores what another machine sends", async () => {
    const liar = await serve(() => "silence");
    const server = await serve((question) => {
      liar.send(encodeReply(question, { answers: [addressRecord("6.6.6.6")] }), question.clientPort);
      return { answers: [addressRecord("192.0.2.1")], delayMs: 50 };
    });
    expect(await outcome(client([server]))).toBe("NOERROR 192.0.2.1");
  });

  test.each<[string, TestScript, string]>([
    ["silence", () => "silence", TIMEOUT],
    ["another id only", () => ({ idOffset: 1, answers: [addressRecord("6.6.6.6")] }), TIMEOUT],
    ["another question only", () => ({ question: "evil.example" }), TIMEOUT],
    [
      "octets that are no DNS only",
      () => ({ raw: Buffer.from("no") }),
      "error: The resolver's answers are not valid DNS messages",
    ],
  ])("is unavailable at the configured time after %s", async (_, script, expected) => {
    const clock = createStoppedClock();
    const server = await serve(script);
    const pending = outcome(client([server], { clock }));
    await until(() => server.questions.length === 1);
    await systemClock.sleep(20);
    clock.advance(15_000);
    await until(() => server.questions.length === 2);
    await systemClock.sleep(20);
    clock.advance(14_999);
    const early = await Promise.race([pending, systemClock.sleep(20)]);
    expect(early).toBeUndefined();
    clock.advance(1);
    expect(await pending).toBe(expected);
  });

  test.each<[string, TestScript]>([
    [
      "a cut answer",
      (q) => ({ raw: encodeReply(q, { answers: [addressRecord("192.0.2.1")] }).subarray(0, -2) }),
    ],
    [
      "a compression loop",
      (q) => ({ raw: withLoop(encodeReply(q, { answers: [addressRecord("192.0.2.1")] })) }),
    ],
    ["more answers announced than sent", (q) => ({ raw: announcing(encodeReply(q, {}), 9) })],
    ["a cut question", (q) => ({ raw: encodeReply(q, {}).subarray(0, 15) })],
    ["a header only", (q) => ({ raw: announcing(encodeReply(q, {}).subarray(0, 12), 0) })],
  ])("is an error after %s", async (_, script) => {
    expect(await outcome(client([await serve(script)]))).toBe(BROKEN);
  });
});

const swapCase = (name: string) =>
  [...name]
    .map((letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()))
    .join("");

/** The owner of the first answer points at itself. */
function withLoop(message: Buffer): Buffer {
  const copy = Buffer.concat([message]);
  const at = copy.length - 14 - "www.example.com".length - 2;
  copy.writeUInt16BE(0xc000 | at, at);
  return copy;
}

function announcing(message: Buffer, answers: number): Buffer {
  const copy = Buffer.from(message);
  copy.writeUInt16BE(answers, 6);
  return copy;
}

/** With TC set. */
function markedAsCut(message: Buffer): Buffer {
  message.writeUInt16BE(message.readUInt16BE(2) | 0x0200, 2);
  return message;
}

describe("Dns.query() over TCP", () => {
  test("follows truncation, and asks the same question anew", async () => {
    const records = Array.from({ length: 1000 }, (_, i) => addressRecord(`10.0.${i >> 8}.${i & 255}`));
    const server = await serve(() => ({ truncated: true, answers: records }));
    const answer = await client([server]).query("www.example.com", "A");
    expect(answer.state === "answered" && answer.value.answers).toHaveLength(1000);
    expect(server.questions.map(({ transport }) => transport)).toEqual(["udp", "tcp"]);
  });

  test("takes an answer of nearly 64 KiB", async () => {
    const records = Array.from({ length: 240 }, () => ({ type: "TXT", data: Buffer.alloc(250, "x") }));
    const server = await serve(() => ({ truncated: true, answers: records }));
    const answer = await client([server]).query("a.b", "TXT");
    expect(answer.state === "answered" && answer.value.answers).toHaveLength(240);
  });

  test.each<[string, TestScript, string]>([
    [
      "ignores another id",
      () => [{ idOffset: 7 }, { answers: [addressRecord("192.0.2.1")] }],
      "NOERROR 192.0.2.1",
    ],
    [
      "ignores another question",
      () => [{ question: "x.y" }, { answers: [addressRecord("192.0.2.1")] }],
      "NOERROR 192.0.2.1",
    ],
    [
      "is an error when the server hangs up",
      () => "hang_up",
      "error: The resolver closed the connection unanswered",
    ],
    ["is an error after garbage", () => ({ raw: Buffer.from("garbage") }), BROKEN],
    ["is an error after an empty message", () => ({ raw: Buffer.alloc(0) }), BROKEN],
    [
      "is an error when the answer is cut off again",
      (q) => ({ raw: markedAsCut(encodeReply(q, { answers: [addressRecord("1.1.1.1")] })) }),
      "error: The resolver's answer is cut off, over TCP too",
    ],
    [
      "is an error after a cut answer",
      (q) => ({ raw: encodeReply(q, { answers: [addressRecord("1.1.1.1")] }).subarray(0, -1) }),
      BROKEN,
    ],
  ])("%s", async (_, script, expected) => {
    const server = await serve((q) => (q.transport === "udp" ? { truncated: true } : script(q)));
    expect(await outcome(client([server]))).toBe(expected);
  });

  test("is an error when no server listens, and asks the next server first", async () => {
    const cut = await serve(() => ({ truncated: true }), { tcp: false });
    expect(await outcome(client([cut]))).toBe("error: The resolver cannot be reached: ECONNREFUSED");
    expect(await outcome(client([cut, await serve(one)]))).toBe("NOERROR 192.0.2.1");
  });

  test("is unavailable at the same deadline when the connection hangs", async () => {
    const clock = createStoppedClock();
    const server = await serve((q) => (q.transport === "udp" ? { truncated: true } : "silence"));
    const pending = outcome(client([server], { clock }));
    await until(() => server.questions.length === 2);
    clock.advance(30_000);
    expect(await pending).toBe(TIMEOUT);
  });

  test("stops reading a server that sends strangers' answers without end", async () => {
    const filler = { question: "x.y", answers: [{ type: "TXT", data: Buffer.alloc(250, "x") }] };
    const flood = Array.from({ length: 900 }, () => filler);
    const server = await serve((q) => (q.transport === "udp" ? { truncated: true } : flood));
    expect(await outcome(client([server]))).toBe(BROKEN);
  });
});

describe("Dns.query() with two servers", () => {
  const refusing = async (): Promise<TestDnsServer> => {
    const server = await startDnsServer(one);
    await server.close();
    return server;
  };

  test("asks the next at once when the first cannot be reached", async () => {
    const next = await serve(one);
    expect(await outcome(client([await refusing(), next]))).toBe("NOERROR 192.0.2.1");
  });

  test("asks the next at once after a broken answer", async () => {
    const first = await serve((q) => ({ raw: encodeReply(q, {}).subarray(0, 14) }));
    expect(await outcome(client([first, await serve(one)]))).toBe("NOERROR 192.0.2.1");
  });

  test("is an error when none can be reached", async () => {
    const expected = "error: The resolver cannot be reached: ECONNREFUSED";
    expect(await outcome(client([await refusing(), await refusing()]))).toBe(expected);
    expect(await outcome(client([await refusing()]))).toBe(expected);
  });

  test("asks the next at half time, and goes on with it for a minute", async () => {
    const clock = createStoppedClock();
    const [first, next] = [await serve(() => "silence"), await serve(one)];
    const dns = client([first, next], { clock });
    const pending = outcome(dns);
    await until(() => first.questions.length === 1);
    clock.advance(14_999);
    expect(next.questions).toHaveLength(0);
    clock.advance(1);
    expect(await pending).toBe("NOERROR 192.0.2.1");
    await outcome(dns);
    expect(first.questions).toHaveLength(1);
    clock.advance(60_001);
    first.use(one);
    await outcome(dns);
    expect(first.questions).toHaveLength(2);
  });

  test("takes the first server's late answer while the next is silent", async () => {
    const clock = createStoppedClock();
    let answerFirst: () => void = () => undefined;
    const first = await serve((question) => {
      answerFirst = () =>
        first.send(encodeReply(question, { answers: [addressRecord("192.0.2.7")] }), question.clientPort);
      return "silence";
    });
    const next = await serve(() => "silence");
    const pending = outcome(client([first, next], { clock }));
    await until(() => first.questions.length === 1);
    clock.advance(29_000);
    await until(() => next.questions.length === 1);
    answerFirst();
    expect(await pending).toBe("NOERROR 192.0.2.7");
  });
});

describe("Dns.query() and a forwarder that folds letter case", () => {
  test("asks it plainly at the second try and from then on", async () => {
    const clock = createStoppedClock();
    const server = await serve((q) => ({
      question: q.name.toLowerCase(),
      answers: [addressRecord("192.0.2.1")],
    }));
    const dns = client([server], { clock });
    const name = "a-name-with-very-many-letters.example.com";
    const pending = outcome(dns, name);
    await until(() => server.questions.length === 1);
    await systemClock.sleep(20);
    clock.advance(15_000);
    expect(await pending).toBe("NOERROR 192.0.2.1");
    expect(await outcome(dns, name)).toBe("NOERROR 192.0.2.1");
    expect(server.questions.slice(1).map((question) => question.name)).toEqual([name, name]);
  });
});
