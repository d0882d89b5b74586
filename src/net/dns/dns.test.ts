import { describe, expect, test } from "vitest";
import {
  addressRecord,
  client,
  createStoppedClock,
  one,
  outcome,
  serve,
  TIMEOUT,
  until,
} from "../../../test/servers/dns-client.ts";
import { encodeReply } from "../../../test/servers/dns-server.ts";
import { systemClock } from "../../base/clock.ts";
import { createBudget } from "../budget.ts";

describe("Dns.query()", () => {
  test("gives the server's answer", async () => {
    const server = await serve(() => ({
      answers: [{ type: "CNAME", data: "Web.example.com" }, addressRecord("192.0.2.1", "web.example.com")],
      authenticatedData: true,
    }));
    const answer = await client([server]).query("WWW.Example.com.", "A");
    expect(answer).toMatchObject({
      state: "answered",
      value: {
        rcode: "NOERROR",
        authenticatedData: true,
        answers: [
          { type: "CNAME", name: "www.example.com", data: "web.example.com", ttl: 60 },
          { type: "A", name: "web.example.com", data: "192.0.2.1" },
        ],
        authorities: [],
        server: server.address,
      },
    });
  });

  test("asks with RD, AD, EDNS 1232 and DO, and with CD when told to", async () => {
    const server = await serve(one);
    const dns = client([server]);
    await dns.query("example.com", "A");
    await dns.query("example.com", "A", { checkingDisabled: true });
    expect(server.questions.map(({ flags }) => flags)).toEqual([0x0120, 0x0130]);
    expect(server.questions[0]?.packet.additionals).toMatchObject([
      { type: "OPT", udpPayloadSize: 1232, flag_do: true },
    ]);
  });

  test.each([
    [0, "NOERROR"],
    [1, "FORMERR"],
    [2, "SERVFAIL"],
    [3, "NXDOMAIN"],
    [5, "REFUSED"],
  ])("gives rcode %d as the answer %s and asks no other server", async (rcode, name) => {
    const [first, second] = [await serve(() => ({ rcode })), await serve(one)];
    expect(await outcome(client([first, second]))).toBe(name);
    expect(second.questions).toEqual([]);
  });

  test("takes a refusal without question", async () => {
    const server = await serve(() => ({ rcode: 5, questionless: true }));
    expect(await outcome(client([server]))).toBe("REFUSED");
  });

  test("gives the zone of a negative answer", async () => {
    const soa = { mname: "NS.example.com", rname: "hostmaster.example.com", serial: 1, minimum: 300 };
    const server = await serve(() => ({
      rcode: 3,
      authorities: [{ type: "SOA", name: "Example.com", data: soa }],
    }));
    expect(await client([server]).query("nx.example.com", "A")).toMatchObject({
      value: {
        rcode: "NXDOMAIN",
        authorities: [{ type: "SOA", name: "example.com", data: { mname: "ns.example.com" } }],
      },
    });
  });

  test("decodes HTTPS records", async () => {
    const data = Buffer.from("00010000010003026832", "hex");
    const server = await serve(() => ({ answers: [{ type: "UNKNOWN_65", data }] }));
    expect(await client([server]).query("example.com", "HTTPS")).toMatchObject({
      value: { answers: [{ type: "HTTPS", data: { priority: 1, params: { alpn: ["h2"] } } }] },
    });
    expect(server.questions[0]?.type).toBe("UNKNOWN_65");
  });

  test("takes other ids, other letter case and other source ports each time", async () => {
    const server = await serve(one);
    const dns = client([server]);
    for (let i = 0; i < 20; i++) await dns.query("a-rather-long-name.example.com", "A");
    const distinct = (of: (question: (typeof server.questions)[number]) => unknown) =>
      new Set(server.questions.map(of)).size;
    expect(distinct(({ id }) => id)).toBeGreaterThan(15);
    expect(distinct(({ name }) => name)).toBeGreaterThan(15);
    expect(distinct(({ clientPort }) => clientPort)).toBeGreaterThan(5);
  });

  test("asks over IPv6", async () => {
    const server = await serve(one, { host: "::1" });
    expect(await outcome(client([server]))).toBe("NOERROR 192.0.2.1");
  });
});

describe("Dns.query() bounds", () => {
  test("shares one query among equal questions under way", async () => {
    const server = await serve(() => ({ answers: [addressRecord("192.0.2.1")], delayMs: 50 }));
    const dns = client([server]);
    const names = ["example.com", "EXAMPLE.com", "example.com.", "other.example"];
    const answers = await Promise.all(names.map((name) => outcome(dns, name)));
    expect(new Set(answers)).toEqual(new Set(["NOERROR 192.0.2.1"]));
    expect(server.questions).toHaveLength(2);
    await outcome(dns, "example.com");
    expect(server.questions).toHaveLength(3);
  });

  test("ends for the caller whose signal aborts, and goes on for the others", async () => {
    let release = false;
    const server = await serve(() =>
      release ? { answers: [] } : { answers: [addressRecord("192.0.2.1")], delayMs: 100 },
    );
    const dns = client([server]);
    const hurry = new AbortController();
    const leaving = dns.query("example.com", "A", { signal: hurry.signal });
    const staying = outcome(dns, "example.com");
    await until(() => server.questions.length === 1);
    hurry.abort();
    expect(await leaving).toMatchObject({ state: "unavailable", reason: "timeout" });
    expect(await staying).toBe("NOERROR 192.0.2.1");
    release = true;
    expect(await dns.query("example.com", "A", { signal: hurry.signal })).toMatchObject({
      reason: "timeout",
    });
    expect(server.questions).toHaveLength(1);
  });

  test("asks anew after the last caller of a question left", async () => {
    const server = await serve(() => "silence");
    const dns = client([server]);
    const hurry = new AbortController();
    const leaving = dns.query("example.com", "A", { signal: hurry.signal });
    await until(() => server.questions.length === 1);
    hurry.abort();
    await leaving;
    server.use(one);
    expect(await outcome(dns, "example.com")).toBe("NOERROR 192.0.2.1");
  });

  test("keeps to its budget, and answers everybody", async () => {
    const server = await serve(() => "silence");
    const dns = client([server], { budget: createBudget({ capacity: 4, rule: "even" }) });
    const pending = Promise.all(Array.from({ length: 12 }, (_, i) => outcome(dns, `n${i}.example.com`)));
    for (const asked of [4, 8, 12]) {
      await until(() => server.questions.length === asked);
      await systemClock.sleep(20);
      expect(server.questions).toHaveLength(asked);
      for (const question of server.questions.slice(asked - 4)) {
        server.send(encodeReply(question, { answers: [addressRecord("192.0.2.1")] }), question.clientPort);
      }
    }
    expect(new Set(await pending)).toEqual(new Set(["NOERROR 192.0.2.1"]));
  });

  test("is unavailable when its turn does not come in time", async () => {
    const clock = createStoppedClock();
    const server = await serve(() => "silence");
    const dns = client([server], { clock, budget: createBudget({ capacity: 1 }) });
    const pending = Promise.all([outcome(dns, "a.example"), outcome(dns, "b.example")]);
    await until(() => server.questions.length === 1);
    clock.advance(30_000);
    const unasked = "timeout: Too many questions under way: this one was not asked within 30000 ms";
    expect(await pending).toEqual([TIMEOUT, unasked]);
    server.use(one);
    expect(await outcome(dns, "c.example")).toBe("NOERROR 192.0.2.1");
  });

  test("holds to the time that the caller gives", async () => {
    const clock = createStoppedClock();
    const server = await serve(() => "silence");
    const pending = client([server], { clock }).query("example.com", "A", { timeoutMs: 100 });
    await until(() => server.questions.length === 1);
    clock.advance(100);
    expect(await pending).toMatchObject({ reason: "timeout", detail: "No answer within 100 ms" });
  });

  test.each(["", "a..b", `${"a".repeat(64)}.com`, "a b.com", "ß.de"])("does not ask for %j", async (name) => {
    const server = await serve(one);
    expect(await outcome(client([server]), name)).toBe("error: This name cannot be asked");
    expect(server.questions).toEqual([]);
  });
});

describe("createDns()", () => {
  test("knows whether the operator named the servers", async () => {
    expect(client([await serve(one)]).configured).toBe(true);
    expect(client([]).configured).toBe(false);
  });

  test("ends what is under way when closed", async () => {
    const server = await serve(() => "silence");
    const dns = client([server]);
    const pending = dns.query("example.com", "A");
    await until(() => server.questions.length === 1);
    dns.close();
    expect(await pending).toMatchObject({ state: "unavailable", reason: "timeout" });
    expect(await dns.query("example.com", "A")).toMatchObject({ state: "unavailable" });
  });
});
