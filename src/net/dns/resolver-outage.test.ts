import { describe, expect, test } from "vitest";
import { client, createStoppedClock, one, outcome, serve, until } from "../../../test/servers/dns-client.ts";
import type { TestScript } from "../../../test/servers/dns-server.ts";
import { onBehalfOf, partyOfAccount } from "../party.ts";

const TIMEOUT_MS = 2000;
const SILENCE: TestScript = () => "silence";
const NO_ANSWER = `timeout: No answer within ${TIMEOUT_MS} ms`;
const SILENT = "timeout: The resolvers answer nothing: they are looked at again within seconds";

async function open(script: TestScript) {
  const server = await serve(script);
  const clock = createStoppedClock();
  const dns = client([server], { clock, timeoutMs: TIMEOUT_MS });
  const countOf = (name: RegExp) => server.questions.filter((question) => name.test(question.name)).length;
  /** Asks for all of them at once and lets their time pass. */
  const askAll = async (names: readonly string[], timeoutMs = TIMEOUT_MS) => {
    const before = server.questions.length;
    const answers = Promise.all(names.map((name) => outcome(dns, name)));
    await until(() => server.questions.length >= before + names.length);
    clock.advance(timeoutMs / 2);
    await until(() => server.questions.length >= before + 2 * names.length);
    clock.advance(timeoutMs / 2);
    return answers;
  };
  /** Until the time of the question for the root is over, or its answer here. */
  const look = async () => {
    const before = countOf(/^\.?$/);
    await until(() => countOf(/^\.?$/) > before - 1);
    clock.advance(TIMEOUT_MS / 2);
    await until(() => countOf(/^\.?$/) >= 2);
    clock.advance(TIMEOUT_MS / 2);
  };
  return { server, clock, dns, askAll, look, countOf };
}

const zones = (count: number, name = "silent") =>
  Array.from({ length: count }, (_, i) => `www.${name}${i}.example`);

describe("a resolver that answers nothing", () => {
  test("is asked no more after five zones and the root, and again as soon as it answers", async () => {
    const { server, clock, dns, askAll, look, countOf } = await open(SILENCE);
    expect(new Set(await askAll(zones(5)))).toEqual(new Set([NO_ANSWER]));
    await look();
    await until(() => dns.recall("new.example", "A") !== null);
    const before = server.questions.length;
    expect(await outcome(dns, "new.example")).toBe(SILENT);
    expect(dns.recall("new.example", "A")).toMatchObject({ reason: "timeout", isRepeated: true });
    expect(server.questions.length).toBe(before);
    server.use(one);
    clock.advance(1000);
    expect(await outcome(dns, "new.example")).toBe("NOERROR 192.0.2.1");
    expect(dns.recall("another.example", "A")).toBeNull();
    expect(countOf(/^new/i)).toBe(1);
  });

  test("is asked one question a second meanwhile, and the root", async () => {
    const { server, clock, dns, askAll, look } = await open(SILENCE);
    await askAll(zones(5));
    await look();
    await until(() => dns.recall("new.example", "A") !== null);
    for (let second = 0; second < 4; second++) {
      clock.advance(1000);
      const before = server.questions.length;
      const passing = outcome(dns, `a${second}.example`);
      await until(() => server.questions.some(({ name }) => name.toLowerCase().startsWith(`a${second}`)));
      expect(await outcome(dns, `b${second}.example`)).toBe(SILENT);
      expect(await outcome(dns, `c${second}.example`)).toBe(SILENT);
      // Its own, the root's, and those that had half their time.
      expect(server.questions.length - before).toBeLessThanOrEqual(4);
      void passing;
    }
  });

  test("that keeps silent about the root alone is found again by the callers' questions", async () => {
    const { server, clock, dns, askAll, look } = await open(SILENCE);
    await askAll(zones(5));
    await look();
    await until(() => dns.recall("new.example", "A") !== null);
    server.use((question) => (question.name === "." || question.name === "" ? "silence" : one(question)));
    clock.advance(1000);
    expect(await outcome(dns, "new.example")).toBe("NOERROR 192.0.2.1");
    expect(await outcome(dns, "another.example")).toBe("NOERROR 192.0.2.1");
  });

  test("is told by everybody's questions, and for everybody", async () => {
    const { clock, dns, look, server } = await open(SILENCE);
    const pending = zones(5).map((name, i) => onBehalfOf(partyOfAccount(`a${i}`), () => outcome(dns, name)));
    await until(() => server.questions.length === 5);
    clock.advance(TIMEOUT_MS);
    await Promise.all(pending);
    await look();
    await until(() => dns.recall("new.example", "A") !== null);
    expect(await onBehalfOf(partyOfAccount("another"), () => outcome(dns, "new.example"))).toBe(SILENT);
  });

  test("still takes questions that say they are a retry, or name their server", async () => {
    const { server, clock, dns, askAll, look, countOf } = await open(SILENCE);
    await askAll(zones(5));
    await look();
    await until(() => dns.recall("new.example", "A") !== null);
    server.use(one);
    expect(await dns.query("new.example", "A", { only: server.address })).toMatchObject({
      state: "answered",
    });
    expect(countOf(/^new/i)).toBe(1);
    expect(dns.recall("new.example", "A")).toBeNull();
    expect(clock.monotonicMs()).toBeGreaterThan(0);
  });
});

describe("a resolver that fails at every question", () => {
  const SERVFAIL =
    "error: The resolvers answer SERVFAIL to every question: they are looked at again within seconds";
  const REFUSED =
    "error: The resolvers refuse every question or cannot be reached: they are looked at again within seconds";

  test.each<[string, number, string]>([
    ["SERVFAIL", 2, SERVFAIL],
    ["REFUSED", 5, REFUSED],
    ["NOTIMP", 4, REFUSED],
  ])(
    "with %s is asked no more after five zones and the root, and again as soon as it answers",
    async (_, rcode, text) => {
      const { server, clock, dns } = await open(() => ({ rcode }));
      for (const name of zones(5)) await outcome(dns, name);
      await until(() => dns.recall("new.example", "A") !== null);
      const before = server.questions.length;
      expect(await outcome(dns, "new.example")).toBe(text);
      expect(server.questions.length).toBe(before);
      server.use(one);
      clock.advance(1000);
      expect(await outcome(dns, "new.example")).toBe("NOERROR 192.0.2.1");
      expect(dns.recall("another.example", "A")).toBeNull();
    },
  );

  test("but the root is asked everything, as zones that fail say nothing of it", async () => {
    const { server, dns, countOf } = await open(({ name }) => (name === "." ? { rcode: 0 } : { rcode: 2 }));
    for (const name of zones(12)) expect(await outcome(dns, name)).toMatch(/SERVFAIL/);
    await until(() => countOf(/^\.?$/) >= 2);
    expect(dns.recall("new.example", "A")).toBeNull();
    expect(server.questions.filter(({ name }) => /silent/i.test(name))).toHaveLength(12);
  });

  test("but the root, which it refuses, is asked everything", async () => {
    const { server, dns, countOf } = await open(({ name }) => ({ rcode: name === "." ? 5 : 2 }));
    for (const name of zones(12)) expect(await outcome(dns, name)).toMatch(/SERVFAIL/);
    await until(() => countOf(/^\.?$/) >= 2);
    expect(dns.recall("new.example", "A")).toBeNull();
    expect(server.questions.filter(({ name }) => /silent/i.test(name))).toHaveLength(12);
  });

  test("and holds no questions back before that where an answer comes between", async () => {
    const { dns, countOf } = await open(({ name }) => ({ rcode: /silent/i.test(name) ? 2 : 3 }));
    for (const name of zones(4)) await outcome(dns, name);
    expect(await outcome(dns, "well.example")).toBe("NXDOMAIN");
    for (const name of zones(4, "silently")) await outcome(dns, name);
    expect(countOf(/^\.?$/)).toBe(0);
  });
});

describe("a resolver that answers something", () => {
  test("is not held for silent because many zones are, for every asker", async () => {
    const { dns, askAll, countOf } = await open((question) =>
      /^www\.silent/i.test(question.name) ? "silence" : { rcode: question.name === "." ? 0 : 3 },
    );
    for (let round = 0; round < 3; round++) {
      expect(new Set(await askAll(zones(8, `silent${round}x`)))).toEqual(new Set([NO_ANSWER]));
      await until(() => countOf(/^\.?$/) > round);
      expect(await outcome(dns, `well${round}.example`)).toBe("NXDOMAIN");
    }
  });

  test.each([
    ["four zones", zones(4)],
    ["one zone, many times", Array.from({ length: 8 }, (_, i) => `n${i}.silent.example`)],
  ])("is not looked at after %s", async (_, names) => {
    const { askAll, dns, countOf } = await open(SILENCE);
    await askAll(names);
    expect(dns.recall("new.example", "A")).toBeNull();
    expect(countOf(/^\.?$/)).toBe(0);
  });

  test("is not looked at when an answer came between the silences", async () => {
    const { askAll, dns, countOf } = await open((question) =>
      /silent/i.test(question.name) ? "silence" : { rcode: 3 },
    );
    await askAll(zones(4));
    expect(await outcome(dns, "well.example")).toBe("NXDOMAIN");
    await askAll(zones(4, "silently"));
    expect(countOf(/^\.?$/)).toBe(0);
  });
});
