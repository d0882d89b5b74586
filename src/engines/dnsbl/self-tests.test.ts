import { describe, expect, test } from "vitest";
import type { TestScript } from "../../../test/servers/dns-server.ts";
import { listedAs, NOT_LISTED, openZones, said, wellKept } from "../../../test/zones.ts";
import { MINUTE_MS } from "../../base/durations.ts";
import { ipTarget } from "../test-world.ts";

const target = ipTarget("192.0.2.7");
const STARTED = "2027-01-15T08:00:00Z";

const zoneOfTest = {
  zone: "bl.example",
  target: "ip",
  prefix: "",
  hash: null,
  ipv4: true,
  ipv6: false,
  table: { listed: null, listedBits: null, refused: null, neutral: [] },
  codes: new Map(),
  testPoints: null,
} as const;

describe("the self-test", () => {
  const everything: TestScript = () => listedAs("127.0.0.2");
  const nothing: TestScript = () => NOT_LISTED;

  test.each<[string, TestScript, string]>([
    ["lists the world", everything, "self_test_failed: A test entry that no list may hold is listed"],
    ["has lost its entries", nothing, "self_test_failed: A test entry that it must hold is not listed"],
    [
      "is rewritten",
      () => listedAs("198.51.100.9"),
      "error: 198.51.100.9 is not an answer of this blacklist",
    ],
    [
      "refuses by a code",
      () => listedAs("127.255.255.254"),
      "refused: The zone refuses this resolver: 127.255.255.254",
    ],
    ["refuses by rcode", () => ({ rcode: 5 }), "refused: The resolver answered REFUSED"],
    ["fails", () => ({ rcode: 2 }), "error: The resolver answered SERVFAIL"],
  ])("silences a zone that %s, since the test", async (_, script, expected) => {
    const world = await openZones(script);
    const answers = await world.ask(target);
    expect(said(answers)).toEqual([expected]);
    expect(answers.absences[0]?.since).toBe(STARTED);
  });

  test("asks an IPv4 zone for 127.0.0.2 and 127.0.0.1, a name zone for test and invalid", async () => {
    const world = await openZones(
      wellKept(() => NOT_LISTED),
      [{}, { target: "domain", zone: "dbl.example" }],
    );
    await world.zones.test(world.engines);
    expect(world.server.questions.map(({ name }) => name.toLowerCase()).sort()).toEqual([
      "1.0.0.127.bl.example",
      "2.0.0.127.bl.example",
      "invalid.dbl.example",
      "test.dbl.example",
    ]);
  });

  test("of IPv6 is one of its own: a zone may hold good for IPv4 only", async () => {
    const world = await openZones(
      wellKept(({ name }) => (name.split(".").length > 20 ? NOT_LISTED : listedAs("127.0.0.2"))),
      [{ ipv6: true }],
    );
    const script = wellKept(() => listedAs("127.0.0.2"));
    world.server.use((question) => (question.name.length > 60 ? NOT_LISTED : script(question)));
    expect(said(await world.ask(target))).toEqual(["listed 127.0.0.2"]);
    expect(said(await world.ask(ipTarget("2001:db8::1")))).toEqual([
      "self_test_failed: A test entry that it must hold is not listed",
    ]);
    expect(world.zones.standing({ ...zoneOfTest, ipv6: true })?.condition).toBe("self_test_failed");
  });

  test("takes any code of the zone at its test entry", async () => {
    const world = await openZones(
      wellKept(() => listedAs("127.0.0.9")),
      [{ listed: ["127.0.0.9"] }],
    );
    expect(said(await world.ask(target))).toEqual(["listed 127.0.0.9"]);
  });

  test("asks for the publisher's own points where it has others, and for none with `off`", async () => {
    const own = { test_points: { listed: ["192.0.2.200"], not_listed: [] } };
    const world = await openZones(
      () => listedAs("127.0.0.2"),
      [own, { zone: "off.example", self_test: "off" }],
    );
    expect(said(await world.ask(target))).toEqual(["listed 127.0.0.2", "listed 127.0.0.2"]);
    const asked = new Set(
      world.server.questions.filter(({ type }) => type === "A").map(({ name }) => name.toLowerCase()),
    );
    expect([...asked].sort()).toEqual([
      "200.2.0.192.bl.example",
      "7.2.0.192.bl.example",
      "7.2.0.192.off.example",
    ]);
  });

  test("is made once for all who ask at first, and again after 15 minutes", async () => {
    const world = await openZones(wellKept(() => NOT_LISTED));
    const tests = () => world.server.questions.length - world.asked().length;
    await Promise.all([world.ask(target), world.ask(ipTarget("192.0.2.8"))]);
    expect(tests()).toBe(2);
    world.clock.advance(15 * MINUTE_MS - 1);
    await world.ask(target);
    expect(tests()).toBe(2);
    world.clock.advance(1);
    await world.ask(target);
    expect(tests()).toBe(4);
  });

  test("that fails later silences the zone, forgets what it said, and a later one that passes revives it", async () => {
    const world = await openZones(wellKept(() => NOT_LISTED));
    expect(said(await world.ask(target))).toEqual(["not listed"]);
    world.clock.advance(14 * MINUTE_MS);
    world.server.use(everything);
    const wrong = ipTarget("192.0.2.8");
    expect(said(await world.ask(wrong))).toEqual(["listed 127.0.0.2"]);
    world.clock.advance(MINUTE_MS);
    const failed = await world.ask(wrong);
    expect(said(failed)).toEqual(["self_test_failed: A test entry that no list may hold is listed"]);
    expect(failed.absences[0]?.since).toBe("2027-01-15T08:15:00Z");
    const before = world.asked().length;
    world.clock.advance(10 * MINUTE_MS);
    expect((await world.ask(target)).absences[0]).toMatchObject({ since: "2027-01-15T08:15:00Z" });
    expect(world.asked().length).toBe(before);
    world.server.use(wellKept(() => NOT_LISTED));
    world.clock.advance(5 * MINUTE_MS);
    expect(said(await world.ask(wrong))).toEqual(["not listed"]);
  });

  test("without a result leaves a zone that has passed as it was, and one that has not gets the next with the next question", async () => {
    const world = await openZones(() => ({ rcode: 2 }));
    expect(said(await world.ask(target))).toEqual(["error: The resolver answered SERVFAIL"]);
    world.server.use(wellKept(() => NOT_LISTED));
    expect(said(await world.ask(target))).toEqual(["error: The resolver answered SERVFAIL"]);
    world.clock.advance(5000);
    expect(said(await world.ask(target))).toEqual(["not listed"]);
    world.clock.advance(15 * MINUTE_MS);
    world.server.use(({ name }) => (name.startsWith("7.") ? NOT_LISTED : { rcode: 2 }));
    expect(said(await world.ask(target))).toEqual(["not listed"]);
  });
});
