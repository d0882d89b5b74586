import { createSocket } from "node:dgram";
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { addressRecord, createStoppedClock, one, serve, until } from "../../../test/servers/dns-client.ts";
import {
  encodeReply,
  startDnsServer,
  type TestDnsServer,
  type TestQuestion,
  type TestScript,
} from "../../../test/servers/dns-server.ts";
import { systemClock, systemRandom } from "../../base/clock.ts";
import { encodeQuery } from "./dns-message.ts";
import { parseServer } from "./dns-options.ts";
import { createDnsSockets, type DnsSockets } from "./dns-sockets.ts";
import { createNonces, type Nonces } from "./nonces.ts";

const opened: DnsSockets[] = [];
afterEach(() => {
  for (const sockets of opened.splice(0)) sockets.close();
});

/** All questions go through the first place, as long as the socket there lasts. */
const nonces = createNonces(systemRandom);
const onePlace: Nonces = { ...nonces, below: (count) => (count < 100 ? 0 : nonces.below(count)) };

function open(nonces: Nonces = onePlace, clock: typeof systemClock = systemClock) {
  const sockets = createDnsSockets({ clock, nonces });
  opened.push(sockets);
  return sockets;
}

const servers = new Map<string, ReturnType<typeof parseServer>>();

/** One question; its outcomes as they come. */
function ask(sockets: DnsSockets, { address }: Pick<TestDnsServer, "address">, name: string) {
  const server = servers.get(address) ?? parseServer(address);
  servers.set(address, server);
  const outcomes: string[] = [];
  const folded = { times: 0 };
  const wait = sockets.ask({
    server,
    encode: (id) => encodeQuery({ name, type: "A", checkingDisabled: false }, id, [0b1010_1010, 0b0101_0101]),
    end: (received) => {
      const exchange = received.state === "received" ? received.read() : received;
      if (exchange.state !== "reply") outcomes.push(exchange.state);
      else outcomes.push(...exchange.reply.answers.map((one) => ("data" in one ? String(one.data) : "")));
    },
    onFolded: () => folded.times++,
  });
  return { outcomes, folded, ...wait };
}

const SILENCE: TestScript = () => "silence";
const replyTo = (question: TestQuestion, data: string) =>
  encodeReply(question, { answers: [addressRecord(data, question.name)] });

const withId = (message: Buffer, id: number): Buffer => {
  const copy = Buffer.from(message);
  copy.writeUInt16BE(id & 0xffff, 0);
  return copy;
};

/** Long enough for what was sent on loopback before. */
const settle = () => systemClock.sleep(30);

describe("sockets that questions share", () => {
  test("give each question the answer under its own id, in whatever order they come", async () => {
    const server = await serve(SILENCE);
    const sockets = open();
    const asked = Array.from({ length: 40 }, (_, i) => ask(sockets, server, `n${i}.example.com`));
    await until(() => server.questions.length === 40);
    expect(new Set(server.questions.map(({ clientPort }) => clientPort)).size).toBe(1);
    expect(new Set(server.questions.map(({ id }) => id)).size).toBe(40);
    for (const question of server.questions.toReversed()) {
      server.send(replyTo(question, `192.0.2.${Number(/\d+/.exec(question.name))}`), question.clientPort);
    }
    await until(() => asked.every(({ outcomes }) => outcomes.length > 0));
    expect(asked.map(({ outcomes }) => outcomes.join())).toEqual(asked.map((_, i) => `192.0.2.${i}`));
  });

  test("are left after 64 questions, and close with the last of them", async () => {
    const server = await serve(SILENCE);
    const sockets = open();
    const asked = Array.from({ length: 129 }, (_, i) => ask(sockets, server, `n${i}.example.com`));
    await until(() => server.questions.length === 129);
    const perPort = Map.groupBy(server.questions, ({ clientPort }) => clientPort);
    expect([...perPort.values()].map(({ length }) => length).sort()).toEqual([1, 64, 64]);
    expect(sockets.openCount()).toBe(3);
    for (const { giveUp } of asked.slice(0, 63)) giveUp();
    expect(sockets.openCount()).toBe(3);
    asked[63]?.giveUp();
    expect(sockets.openCount()).toBe(2);
  });

  test("are left after a second", async () => {
    const server = await serve(one);
    const clock = createStoppedClock();
    const sockets = open(onePlace, clock);
    const first = ask(sockets, server, "a.example");
    await until(() => first.outcomes.length === 1);
    expect(sockets.openCount()).toBe(1);
    clock.advance(1000);
    await until(() => sockets.openCount() === 0);
    const second = ask(sockets, server, "b.example");
    await until(() => second.outcomes.length === 1);
    expect(new Set(server.questions.map(({ clientPort }) => clientPort)).size).toBe(2);
  });

  test("are as many as there are places, on ports of their own", async () => {
    const server = await serve(SILENCE);
    const sockets = open(createNonces(systemRandom));
    const asked = Array.from({ length: 200 }, (_, i) => ask(sockets, server, `n${i}.example.com`));
    await until(() => server.questions.length > 150);
    expect(new Set(server.questions.map(({ clientPort }) => clientPort)).size).toBeGreaterThan(12);
    expect(sockets.openCount()).toBeLessThanOrEqual(16);
    for (const { giveUp } of asked) giveUp();
    sockets.close();
    expect(sockets.openCount()).toBe(0);
  });

  test("never have two questions under one id, however the ids are drawn", async () => {
    const server = await serve(SILENCE);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ id: fc.nat(70), isGivenUp: fc.boolean() }), { minLength: 1, maxLength: 64 }),
        async (draws) => {
          let next = 0;
          // Draws that repeat themselves; where all are taken, others follow.
          const below = (count: number) => (count < 100 ? 0 : (draws[next++]?.id ?? next));
          const sockets = open({ below, octets: (count) => new Uint8Array(count) });
          const ids: number[] = [];
          for (const { isGivenUp } of draws) {
            const { query, giveUp } = ask(sockets, server, "a.example");
            ids.push(query.id);
            if (isGivenUp) giveUp();
          }
          expect(new Set(ids).size).toBe(ids.length);
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe("hostile datagrams to a shared socket", () => {
  test.each<[string, (question: TestQuestion, other: TestQuestion) => Buffer]>([
    ["an unused id", (q) => withId(replyTo(q, "6.6.6.6"), q.id + 1)],
    ["the id of another question", (q, other) => withId(replyTo(q, "6.6.6.6"), other.id)],
    ["another name", (q) => withId(replyTo({ ...q, name: "evil.example" }, "6.6.6.6"), q.id)],
    ["lower case", (q) => replyTo({ ...q, name: q.name.toLowerCase() }, "6.6.6.6")],
    ["the query itself", (q) => q.message],
    ["no DNS", () => Buffer.from("HTTP/1.1 400\r\n\r\n")],
    ["nothing", () => Buffer.alloc(0)],
    ["one octet", () => Buffer.from([1])],
  ])("with %s are no answer, and the answer still counts", async (_, forge) => {
    const server = await serve(SILENCE);
    const sockets = open();
    const asked = [ask(sockets, server, "first-name.example"), ask(sockets, server, "second.example")];
    await until(() => server.questions.length === 2);
    const [first, second] = server.questions;
    if (!(first && second)) throw new Error("Not asked");
    for (let i = 0; i < 300; i++) server.send(forge(first, second), first.clientPort);
    await settle();
    expect(asked.map(({ outcomes }) => outcomes)).toEqual([[], []]);
    // The kernel drops datagrams for a socket whose buffer the forged ones have filled.
    while (asked.some(({ outcomes }) => outcomes.length === 0)) {
      server.send(replyTo(first, "192.0.2.1"), first.clientPort);
      server.send(replyTo(second, "192.0.2.2"), second.clientPort);
      await settle();
    }
    expect(asked.map(({ outcomes }) => outcomes)).toEqual([["192.0.2.1"], ["192.0.2.2"]]);
  });

  test("from another port, or another machine, never arrive", async () => {
    const server = await serve(SILENCE);
    const sockets = open();
    const asked = ask(sockets, server, "a.example");
    await until(() => server.questions.length === 1);
    const [question] = server.questions;
    if (!question) throw new Error("Not asked");
    for (const address of ["127.0.0.1", "127.0.0.2"]) {
      const forger = createSocket("udp4");
      await new Promise<void>((resolve) => forger.bind(0, address, resolve));
      for (let i = 0; i < 100; i++) {
        forger.send(replyTo(question, "6.6.6.6"), question.clientPort, "127.0.0.1", () => undefined);
      }
      await settle();
      forger.close();
    }
    expect(asked.outcomes).toEqual([]);
    expect(asked.sawBroken()).toBe(false);
    while (asked.outcomes.length === 0) {
      server.send(replyTo(question, "192.0.2.1"), question.clientPort);
      await settle();
    }
    expect(asked.outcomes).toEqual(["192.0.2.1"]);
  });

  test("that repeat an answer, or come after the question was given up, change nothing", async () => {
    const server = await serve(SILENCE);
    const sockets = open();
    const [answered, left, open2] = ["a.example", "b.example", "c.example"].map((name) =>
      ask(sockets, server, name),
    );
    await until(() => server.questions.length === 3);
    left?.giveUp();
    for (const [i, question] of server.questions.slice(0, 2).entries()) {
      for (let j = 0; j < 3; j++) server.send(replyTo(question, `192.0.2.${i + j}`), question.clientPort);
    }
    await settle();
    expect([answered?.outcomes, left?.outcomes, open2?.outcomes]).toEqual([["192.0.2.0"], [], []]);
  });

  test("that are no DNS are told to those that wait, not to who asks later", async () => {
    const server = await serve(SILENCE);
    const sockets = open();
    const early = ask(sockets, server, "a.example");
    await until(() => server.questions.length === 1);
    server.send(Buffer.from("no"), server.questions[0]?.clientPort ?? 0);
    await until(early.sawBroken);
    expect(ask(sockets, server, "b.example").sawBroken()).toBe(false);
  });

  test("with lower case are counted as folded", async () => {
    const server = await serve((q) => ({ question: q.name.toLowerCase() }));
    const asked = ask(open(), server, "folded-name.example");
    await until(() => asked.folded.times === 1);
    expect(asked.outcomes).toEqual([]);
  });

  test("of any content end no question but by its own answer", async () => {
    const server = await serve(SILENCE);
    const sockets = open();
    const asked = ask(sockets, server, "a-long-name.example");
    await until(() => server.questions.length === 1);
    const [question] = server.questions;
    if (!question) throw new Error("Not asked");
    const answer = replyTo(question, "192.0.2.1");
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.uint8Array({ maxLength: 600 }),
          // An answer with other octets in its id and question.
          fc.record({ at: fc.nat(30), by: fc.integer({ min: 1, max: 255 }) }).map(({ at, by }) => {
            const copy = Buffer.from(answer);
            copy[at] = (copy[at] ?? 0) ^ by;
            return copy;
          }),
        ),
        async (octets) => {
          const message = Buffer.from(octets);
          // What bears our id may be a broken answer, or the failure of a server that repeats no question.
          const isForged = message.length < 2 || message.readUInt16BE(0) !== question.id;
          const isOtherName =
            message.length > 30 && !message.subarray(12, 30).equals(answer.subarray(12, 30));
          if (isForged) server.send(message, question.clientPort);
          else if (isOtherName && message.length === answer.length && message[5] === 1)
            server.send(message, question.clientPort);
        },
      ),
    );
    await settle();
    expect(asked.outcomes.filter((outcome) => outcome !== "failed")).toEqual([]);
  });
});

describe("a server that refuses", () => {
  test("ends all questions of its socket, and the next one gets another", async () => {
    const closed = await startDnsServer(one);
    await closed.close();
    const sockets = open();
    const asked = ["a.example", "b.example", "c.example"].map((name) => ask(sockets, closed, name));
    await until(() => asked.every(({ outcomes }) => outcomes.length === 1));
    expect(asked.map(({ outcomes }) => outcomes)).toEqual([["failed"], ["failed"], ["failed"]]);
    expect(sockets.openCount()).toBe(0);
    const later = ask(sockets, closed, "d.example");
    await until(() => later.outcomes.length === 1);
    expect(later.outcomes).toEqual(["failed"]);
  });

  test("leaves the questions to other servers alone", async () => {
    const closed = await startDnsServer(one);
    await closed.close();
    const server = await serve(one);
    const sockets = open();
    const asked = [ask(sockets, closed, "a.example"), ask(sockets, server, "a.example")];
    await until(() => asked.every(({ outcomes }) => outcomes.length === 1));
    expect(asked.map(({ outcomes }) => outcomes)).toEqual([["failed"], ["192.0.2.1"]]);
  });

  test("whose address cannot be reached ends the question", async () => {
    const sockets = open();
    const asked = ask(sockets, { address: "255.255.255.255:53" }, "a.example");
    await until(() => asked.outcomes.length === 1);
    expect(asked.outcomes).toEqual(["failed"]);
    expect(sockets.openCount()).toBe(0);
  });
});
