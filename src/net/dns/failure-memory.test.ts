import { describe, expect, test } from "vitest";
import {
  client,
  createMovableClock,
  createStoppedClock,
  serve,
  until,
} from "../../../test/servers/dns-client.ts";
import type { TestReply, TestScript } from "../../../test/servers/dns-server.ts";
import { systemClock } from "../../base/clock.ts";
import { createBudget } from "../budget.ts";
import type { DnsOptions, RecordType } from "./dns-types.ts";

const SERVFAIL: TestReply = { rcode: 2 };
const NAME = "www.example.com";

/** A resolver, what asks it with a clock of which the test moves the time, and how often it was asked. */
async function failing(script: TestScript, timeoutMs = 100) {
  const server = await serve(script);
  const clock = createMovableClock();
  const dns = client([server], { clock, timeoutMs });
  const asked = () => server.questions.length;
  const ask = (type: RecordType = "A", options: DnsOptions = {}) => dns.query(NAME, type, options);
  return { server, clock, ask, asked };
}

describe("Dns.query() after a failure", () => {
  test.each<[string, TestReply | "silence", object]>([
    ["SERVFAIL", SERVFAIL, { state: "answered", value: { rcode: "SERVFAIL", answers: [] } }],
    ["silence", "silence", { state: "unavailable", reason: "timeout", detail: "No answer within 100 ms" }],
  ])("sends no question for 5 s after %s and gives the same failure", async (_, behaviour, expected) => {
    const timeoutMs = behaviour === "silence" ? 100 : 10_000;
    const { server, clock, ask, asked } = await failing(() => behaviour, timeoutMs);
    expect(await ask()).toMatchObject(expected);
    const before = asked();
    server.use(() => ({ answers: [{ type: "A", data: "192.0.2.1" }] }));
    clock.move(4900);
    expect(await ask()).toMatchObject(expected);
    expect(asked()).toBe(before);
    clock.move(200);
    expect(await ask()).toMatchObject({ value: { rcode: "NOERROR" } });
    expect(asked()).toBe(before + 1);
  });

  test("says of a repeated time-out that it is repeated", async () => {
    const { ask } = await failing(() => "silence");
    expect(await ask()).not.toHaveProperty("isRepeated");
    expect(await ask()).toMatchObject({ reason: "timeout", isRepeated: true });
  });

  test.each<[string, TestReply | { readonly raw: Buffer }]>([
    ["an answer", { answers: [{ type: "A", data: "192.0.2.1" }] }],
    ["an empty answer", {}],
    ["NXDOMAIN", { rcode: 3 }],
    ["REFUSED", { rcode: 5 }],
    ["FORMERR", { rcode: 1 }],
    ["a cut message", { raw: Buffer.from("00008180000100010000000003", "hex") }],
  ])("asks again at once after %s", async (_, behaviour) => {
    const { ask, asked } = await failing(() => behaviour);
    await ask();
    const before = asked();
    await ask();
    expect(asked()).toBeGreaterThan(before);
  });

  test.each<[string, RecordType, DnsOptions, string]>([
    ["another type", "AAAA", {}, NAME],
    ["the same without validation", "A", { checkingDisabled: true }, NAME],
    ["a retry that says so", "A", { isRetry: true }, NAME],
  ])("asks for %s all the same", async (_, type, options) => {
    const { ask, asked } = await failing(() => SERVFAIL, 10_000);
    await ask();
    await ask(type, options);
    expect(asked()).toBe(2);
  });

  test("takes names in any letter case and with a final dot for the same", async () => {
    const server = await serve(() => SERVFAIL);
    const dns = client([server]);
    await dns.query("WWW.Example.com.", "A");
    await dns.query(NAME, "A");
    expect(server.questions).toHaveLength(1);
  });

  test("keeps the aliases that came with SERVFAIL, and no other records", async () => {
    const { ask } = await failing(() => ({
      rcode: 2,
      answers: [
        { type: "CNAME", data: "target.example" },
        { type: "TXT", data: "x".repeat(200) },
      ],
      authorities: [{ type: "NS", data: "ns.example" }],
    }));
    await ask();
    expect(await ask()).toMatchObject({
      value: { answers: [{ type: "CNAME", data: "target.example" }], authorities: [] },
    });
  });

  test("forgets the oldest of more failures than it holds", async () => {
    const server = await serve(() => SERVFAIL);
    const dns = client([server], { clock: createStoppedClock() });
    for (let i = 0; i <= 5000; i += 100) {
      await Promise.all(Array.from({ length: 100 }, (_, j) => dns.query(`n${i + j}.example.com`, "A")));
    }
    const before = server.questions.length;
    await dns.query("n5000.example.com", "A");
    expect(server.questions.length).toBe(before);
    await dns.query("n0.example.com", "A");
    expect(server.questions.length).toBe(before + 1);
  });
});

describe("Dns.query() keeps no time-out", () => {
  test("of a caller who hung up", async () => {
    const { server, ask, asked } = await failing(() => "silence", 30_000);
    const leave = new AbortController();
    const first = ask("A", { signal: leave.signal });
    await until(() => asked() === 1);
    leave.abort();
    expect(await first).toMatchObject({ state: "unavailable", reason: "timeout" });
    server.use(() => ({ answers: [{ type: "A", data: "192.0.2.1" }] }));
    expect(await ask()).toMatchObject({ state: "answered" });
  });

  test("of a caller with less time than the configured one", async () => {
    const { server, ask } = await failing(() => "silence", 30_000);
    expect(await ask("A", { timeoutMs: 50 })).toMatchObject({ reason: "timeout" });
    server.use(() => ({ answers: [{ type: "A", data: "192.0.2.1" }] }));
    expect(await ask()).toMatchObject({ state: "answered" });
  });

  test("of a question that never had its turn", async () => {
    const server = await serve(({ name }) =>
      name.toLowerCase().startsWith("slow") ? "silence" : { answers: [{ type: "A", data: "192.0.2.1" }] },
    );
    const clock = createStoppedClock();
    const dns = client([server], { clock, timeoutMs: 2000, budget: createBudget({ capacity: 1 }) });
    const slow = dns.query("slow.example", "A");
    await until(() => server.questions.length === 1);
    const waiting = dns.query(NAME, "A");
    await systemClock.sleep(20);
    clock.advance(1000);
    await systemClock.sleep(20);
    clock.advance(1000);
    expect(await slow).toMatchObject({ reason: "timeout" });
    expect(await waiting).toMatchObject({ reason: "timeout" });
    expect(await dns.query(NAME, "A")).toMatchObject({ state: "answered" });
    expect(await dns.query("slow.example", "A")).toMatchObject({ isRepeated: true });
  });

  test("of another set of servers", async () => {
    const [dead, alive] = [await serve(() => SERVFAIL), await serve(() => ({}))];
    await client([dead]).query(NAME, "A");
    expect(await client([alive]).query(NAME, "A")).toMatchObject({ value: { rcode: "NOERROR" } });
  });
});
