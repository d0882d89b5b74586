import { describe, expect, onTestFinished, test } from "vitest";
import {
  a,
  aaaa,
  CANARY_HOST,
  cname,
  createDialing,
  type Dialing,
  resolved,
  startCanary,
  target,
  zone,
} from "../../test/servers/dialing.ts";
import { createStoppedClock, until } from "../../test/servers/dns-client.ts";
import { startTcpServer } from "../../test/servers/tcp-server.ts";
import { parseCidr } from "../targets/cidr.ts";
import type { DialTarget } from "./dialer-types.ts";

/** Where no test has a server: on 127.0.0.1 another one may have the same port. */
const NO_LISTENER = "127.0.8.8";

/** The address reached, or reason and code; people always read a sentence. */
async function reach({ dialer }: Dialing, wish: DialTarget): Promise<string> {
  const answer = await dialer.connect(wish);
  if (answer.state === "unavailable") {
    expect(answer.detail).toMatch(/^[A-Z][a-z]* .+[a-z]/);
    return `${answer.reason}: ${answer.code ?? answer.detail}`;
  }
  const { socket, ip, port } = answer.value;
  onTestFinished(() => void socket.destroy());
  expect(socket.remotePort).toBe(port);
  expect(socket.bytesWritten).toBe(0);
  return ip.text;
}

/** Hosts that lead to a forbidden address, in the spellings that some reader takes for one. */
const SPELLINGS = [
  ...[
    "127.200.0.1",
    "2143813633",
    "0x7fc80001",
    "0x7f.0xc8.0.1",
    "0177.0310.0.1",
    "127.200.1",
    "127.13107201",
  ],
  ...[
    "127.200.0.1.",
    "①②⑦.②⓪⓪.⓪.①",
    "127。200。0。1",
    "１２７.２００.０.１",
    "0X7FC80001",
    "000177.0310.0.1",
  ],
  ...["[::ffff:127.200.0.1]", "::ffff:7fc8:1", "::127.200.0.1", "64:ff9b::7fc8:1", "2002:7fc8:1::1"],
  ...["::1", "[::1]", "::", "0", "0.0.0.0", "10.0.0.1", "192.168.0.1", "169.254.169.254", "2852039166"],
  ...[
    "fe80::1",
    "fd00::1",
    "ff02::1",
    "224.0.0.1",
    "255.255.255.255",
    "100.64.0.1",
    "localhost.",
    "x.localhost",
  ],
];

describe("Dialer.connect()", () => {
  test("reaches a name's address, asking once for each family", async () => {
    const server = await startTcpServer({ host: "127.0.0.2" });
    const dialing = await createDialing({ script: zone({ "www.example.com": [a("127.0.0.2")] }) });
    expect(await reach(dialing, target("WWW.Example.com.", server.port))).toBe("127.0.0.2");
    expect(dialing.dns.questions.map(({ type }) => type).sort()).toEqual(["A", "AAAA"]);
  });

  test("reaches a literal address without asking anybody", async () => {
    const server = await startTcpServer();
    const dialing = await createDialing();
    expect(await reach(dialing, target("127.0.0.1", server.port))).toBe("127.0.0.1");
    expect(await reach(dialing, target("0x7f.1", server.port))).toBe("127.0.0.1");
    expect(dialing.dns.questions).toEqual([]);
  });

  test.each(SPELLINGS)("sends nothing to %s", async (host) => {
    const canary = await startCanary();
    expect(await reach(await createDialing(), target(host, canary.port))).toMatch(
      /^refused: private_address$/,
    );
    expect(canary.connections).toHaveLength(0);
  });

  test.each([
    ["one bad address among several", [a("127.0.0.1"), a(CANARY_HOST)]],
    ["a bad address of the other family", [a("127.0.0.1"), aaaa("::1")]],
    ["a CNAME to localhost", [cname("localhost")]],
    ["a CNAME below localhost", [cname("a.localhost")]],
    ["a CNAME to a name inside", [cname("inside.example.com")]],
    ["an address within an address", [aaaa("2002:7fc8:1::1")]],
  ])("refuses a name with %s", async (_, records) => {
    const server = await startTcpServer();
    const canary = await startCanary(server.port);
    const inside = [a(CANARY_HOST)];
    const dialing = await createDialing({
      script: zone({ "www.example.com": records, "inside.example.com": inside }),
    });
    expect(await reach(dialing, target("www.example.com", server.port))).toBe("refused: private_address");
    expect([...server.connections, ...canary.connections]).toEqual([]);
  });

  test("uses the answer that was judged, whatever the next one says", async () => {
    const server = await startTcpServer();
    const canary = await startCanary(server.port);
    let asked = 0;
    const dialing = await createDialing({
      script: ({ type }) => {
        if (type !== "A") return {};
        return { answers: [{ ...a(asked++ === 0 ? "127.0.0.1" : CANARY_HOST), ttl: 0 }] };
      },
    });
    const wish = target("rebinding.example", server.port);
    const host = await dialing.dialer.resolve(wish);
    expect(host.state).toBe("addresses");
    const addresses = host.state === "addresses" ? host.addresses : [];
    const answer = await dialing.dialer.connectTo(addresses, wish);
    expect(answer).toMatchObject({ state: "answered", value: { ip: { text: "127.0.0.1" } } });
    expect(await reach(dialing, wish)).toBe("refused: private_address");
    expect(canary.connections).toEqual([]);
  });

  test("judges the addresses that connectTo() is given", async () => {
    const { dialer } = await createDialing();
    const ip = parseCidr(CANARY_HOST).network;
    expect(await dialer.connectTo([ip], target("example.com", 80))).toMatchObject({
      reason: "refused",
      code: "private_address",
      detail: "The host leads to a private address",
    });
  });

  test("refuses the service's own port, and forbidden ports outside opened networks", async () => {
    const server = await startTcpServer();
    const self = [{ network: parseCidr("127.0.0.0/8"), port: server.port }];
    const dialing = await createDialing({ rules: { self } });
    expect(await reach(dialing, target("127.0.0.1", server.port))).toBe("refused: self");
    expect(await reach(dialing, target("8.8.8.8", 22))).toBe("refused: forbidden_port");
    expect(await resolved(dialing, target("8.8.8.8", 43, { extraPorts: [43] }))).toMatchObject({
      state: "addresses",
    });
    expect(server.connections).toEqual([]);
  });

  test("asks the rules anew at every dial", async () => {
    const server = await startTcpServer();
    const self: { network: ReturnType<typeof parseCidr>; port: number }[] = [];
    const dialing = await createDialing({ rules: { self } });
    expect(await reach(dialing, target("127.0.0.1", server.port))).toBe("127.0.0.1");
    self.push({ network: parseCidr("127.0.0.1"), port: server.port });
    expect(await reach(dialing, target("127.0.0.1", server.port))).toBe("refused: self");
  });

  test("goes on to the next address when one refuses", async () => {
    const server = await startTcpServer({ host: "127.0.0.3" });
    const dialing = await createDialing({
      script: zone({ "www.example.com": [a(NO_LISTENER), a("127.0.0.2"), a("127.0.0.3")] }),
    });
    expect(await reach(dialing, target("www.example.com", server.port))).toBe("127.0.0.3");
  });

  test("says that no server listens", async () => {
    const { port } = await startTcpServer({ host: "127.0.0.9" });
    expect(await reach(await createDialing(), target(NO_LISTENER, port))).toBe("error: ECONNREFUSED");
  });
});

describe("Dialer with the operator's word", () => {
  test("goes where no caller may", async () => {
    const canary = await startCanary();
    const self = [{ network: parseCidr(CANARY_HOST), port: canary.port }];
    const dialing = await createDialing({ rules: { self } });
    const wish = target(CANARY_HOST, canary.port, { isOperatorsWord: true });
    expect(await reach(dialing, wish)).toBe(CANARY_HOST);
  });

  test("takes localhost for loopback", async () => {
    const server = await startTcpServer();
    const dialing = await createDialing();
    const wish = target("localhost", server.port, { isOperatorsWord: true });
    expect(await reach(dialing, wish)).toBe("127.0.0.1");
    expect(dialing.dns.questions).toEqual([]);
  });

  test.each([
    ["NXDOMAIN", { rcode: 3 }],
    ["SERVFAIL", { rcode: 2 }],
    ["no record", {}],
  ])("asks the system when the resolver says %s", async (_, reply) => {
    const names: string[] = [];
    const systemLookup = async (name: string) => {
      names.push(name);
      return ["127.0.0.7"];
    };
    const dialing = await createDialing({ script: () => reply, systemLookup });
    const wish = target("feeds", 80, { isOperatorsWord: true });
    expect(await resolved(dialing, wish)).toEqual({
      state: "addresses",
      addresses: ["127.0.0.7"],
      silent: [],
    });
    expect(await resolved(dialing, { ...wish, isOperatorsWord: false })).not.toMatchObject({
      state: "addresses",
    });
    expect(names).toEqual(["feeds"]);
  });

  test("keeps the resolver's failure when the system does not know either", async () => {
    const dialing = await createDialing({ systemLookup: () => Promise.reject(new Error("ENOTFOUND")) });
    const wish = target("feeds", 80, { isOperatorsWord: true });
    expect(await resolved(dialing, wish)).toEqual({ state: "no_address" });
  });
});

describe("Dialer's time", () => {
  test("ends with the deadline while the resolver is silent", async () => {
    const clock = createStoppedClock();
    const dialing = await createDialing({ clock, script: () => "silence" });
    const pending = reach(dialing, target("www.example.com", 80, { timeoutMs: 100 }));
    await until(() => dialing.dns.questions.length === 2);
    clock.advance(100);
    expect(await pending).toMatch(/^timeout: /);
  });

  test("ends with the deadline while the system's resolver is silent", async () => {
    const clock = createStoppedClock();
    let asked = false;
    const systemLookup = () => {
      asked = true;
      return new Promise<string[]>(() => undefined);
    };
    const dialing = await createDialing({ clock, systemLookup });
    const wish = target("feeds", 80, { timeoutMs: 100, isOperatorsWord: true });
    const pending = resolved(dialing, wish);
    await until(() => asked);
    clock.advance(100);
    expect(await pending).toEqual({ state: "no_address" });
  });

  test("ends at once when the caller leaves", async () => {
    const dialing = await createDialing({ script: () => "silence" });
    const hurry = new AbortController();
    const pending = reach(dialing, target("www.example.com", 80, { signal: hurry.signal }));
    await until(() => dialing.dns.questions.length === 2);
    hurry.abort();
    expect(await pending).toMatch(/^timeout: /);
    const server = await startTcpServer();
    const wish = target("127.0.0.1", server.port, { signal: hurry.signal });
    expect(await reach(dialing, wish)).toMatch(/^timeout: No connection/);
    expect(server.connections).toEqual([]);
  });

  test("leaves the connection open when its own time is over", async () => {
    const clock = createStoppedClock();
    const server = await startTcpServer();
    const { dialer } = await createDialing({ clock });
    const answer = await dialer.connect(target("127.0.0.1", server.port, { timeoutMs: 100 }));
    clock.advance(200);
    expect(answer.state === "answered" && answer.value.socket.destroyed).toBe(false);
    if (answer.state === "answered") answer.value.socket.destroy();
  });
});
