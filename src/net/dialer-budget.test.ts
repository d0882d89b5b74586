import { describe, expect, test } from "vitest";
import { a, createDialing, type Dialing, target } from "../../test/servers/dialing.ts";
import { until } from "../../test/servers/dns-client.ts";
import { startWebServer, TEST_CA_FILE } from "../../test/servers/web-server.ts";
import { systemClock } from "../base/clock.ts";
import type { Budget } from "./budget.ts";
import { createConnectionBudget } from "./dialer.ts";
import { FREE_CALLERS, onBehalfOf, type Party, partyOfAccount } from "./party.ts";
import { createTlsLook } from "./tls/tls.ts";
import { createTrust } from "./tls/tls-trust.ts";

const MANY = 100;
const [HOSTILE, VICTIM] = [partyOfAccount("hostile"), partyOfAccount("victim")];

/** Every name below example.com is the one machine; one.example has three addresses of it. */
const script: Parameters<typeof createDialing>[0] = {
  script: ({ name, type }) => {
    const records =
      name === "one.example" ? [a("127.0.0.1"), a("127.0.0.2"), a("127.0.0.3")] : [a("127.0.0.1")];
    return { answers: records.filter((record) => record.type === type) };
  },
};

type World = Dialing & { readonly budget: Budget };

async function open(): Promise<World> {
  const budget = createConnectionBudget();
  return { ...(await createDialing({ ...script, budget })), budget };
}

/** Connections that stay open, and those that still wait, which end with the signal. */
function connectAll(world: World, party: Party, hosts: readonly string[], port: number, signal: AbortSignal) {
  return hosts.map((host) => onBehalfOf(party, () => world.dialer.connect(target(host, port, { signal }))));
}

describe("connections to one destination", () => {
  test.each([
    ["by many names of one machine", Array.from({ length: MANY }, (_, i) => `n${i}.example.com`)],
    ["by one name of one machine", Array.from({ length: MANY }, () => "www.example.com")],
    ["by one name of several machines", Array.from({ length: MANY }, () => "one.example")],
    ["by its address", Array.from({ length: MANY }, () => "127.0.0.1")],
  ])("are eight at once from one account %s, and another account has its own", async (_, hosts) => {
    const server = await startWebServer(() => undefined, { host: "0.0.0.0" });
    const world = await open();
    const left = new AbortController();
    const waiting = connectAll(world, HOSTILE, hosts, server.port, left.signal);
    await until(() => world.budget.use().waiting === MANY - 8);
    const [victims = null] = connectAll(world, VICTIM, ["www.example.com"], server.port, left.signal);
    const [free = null] = connectAll(world, FREE_CALLERS, ["www.example.com"], server.port, left.signal);
    expect([(await victims)?.state, (await free)?.state]).toEqual(["answered", "answered"]);
    expect(world.budget.use()).toMatchObject({ held: 10, waiting: MANY - 8 });
    left.abort();
    const answers = await Promise.all([...waiting, victims, free]);
    expect(answers.filter((answer) => answer?.state === "answered")).toHaveLength(10);
    await until(() => server.connections.length === 10);
    for (const answer of answers) if (answer?.state === "answered") answer.value.socket.destroy();
    await until(() => world.budget.use().held === 0);
  });

  test("follow one another as they are closed: each of a hundred has its turn", async () => {
    const server = await startWebServer(() => undefined);
    const world = await open();
    let most = 0;
    const all = connectAll(
      world,
      HOSTILE,
      new Array(MANY).fill("www.example.com"),
      server.port,
      new AbortController().signal,
    );
    await Promise.all(
      all.map(async (one) => {
        const answer = await one;
        most = Math.max(most, world.budget.use().held);
        if (answer.state === "answered") answer.value.socket.destroy();
      }),
    );
    await until(() => server.connections.length === MANY);
    await until(() => world.budget.use().held === 0);
    expect(most).toBe(8);
  });

  test("of the operator's own servers are not counted", async () => {
    const server = await startWebServer(() => undefined);
    const world = await open();
    const all = Array.from({ length: 20 }, () =>
      onBehalfOf(HOSTILE, () =>
        world.dialer.connect(target("www.example.com", server.port, { isOperatorsWord: true })),
      ),
    );
    for (const answer of await Promise.all(all)) {
      expect(answer.state).toBe("answered");
      if (answer.state === "answered") answer.value.socket.destroy();
    }
    expect(world.budget.use().held).toBe(0);
  });
});

describe("a connection gives its place back", () => {
  test.each([
    ["refused", "127.0.0.1", 1],
    ["forbidden", "127.200.0.1", 80],
    ["to a name without address", "nothing.invalid", 80],
  ])("when it is %s", async (_, host, port) => {
    const world = await open();
    const answer = await onBehalfOf(HOSTILE, () => world.dialer.connect(target(host, port)));
    expect(answer.state).toBe("unavailable");
    await until(() => world.budget.use().held === 0);
  });

  test.each([
    ["good", { certificate: "good" } as const],
    ["a certificate of its own", { certificate: "self" } as const],
    ["no TLS", {}],
    ["silence", null],
  ])("after a look at a server with %s", async (_, options) => {
    const server = await startWebServer(
      () => (options === null ? undefined : "HTTP/1.1 400 X\r\n\r\n"),
      options ?? {},
    );
    const world = await open();
    const look = createTlsLook({
      dialer: world.dialer,
      clock: systemClock,
      trust: createTrust(TEST_CA_FILE),
    });
    const hurry = AbortSignal.timeout(options === null ? 100 : 30_000);
    await onBehalfOf(HOSTILE, () => look({ host: "www.example.com", port: server.port, signal: hurry }));
    await until(() => world.budget.use().held === 0);
  });
});
