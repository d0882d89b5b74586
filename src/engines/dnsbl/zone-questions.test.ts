import { describe, expect, test } from "vitest";
import { listedAs, NOT_LISTED, openZones, said, wellKept } from "../../../test/zones.ts";
import { domain, ipTarget } from "../test-world.ts";

const target = ipTarget("192.0.2.7");
const NAME = "7.2.0.192.bl.example";

describe("a zone that is asked about", () => {
  const six = ipTarget("2001:db8::1:2");
  const nibbles = "2.0.0.0.1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2";

  test("an IPv4 address gets its octets in reverse, TXT only after a hit", async () => {
    const { ask, asked } = await openZones(
      wellKept(({ type }) => (type === "A" ? listedAs("127.0.0.2") : {})),
    );
    await ask(target);
    expect(asked()).toEqual([`A ${NAME}`, `TXT ${NAME}`]);
    const other = await openZones(wellKept(() => NOT_LISTED));
    await other.ask(target);
    expect(other.asked()).toEqual([`A ${NAME}`]);
  });

  test("an IPv6 address gets its nibbles in reverse", async () => {
    const world = await openZones(
      wellKept(() => listedAs("127.0.0.2")),
      [{ ipv6: true }],
    );
    const { verdicts } = await world.ask(six);
    expect(world.asked()[0]).toBe(`A ${nibbles}.bl.example`);
    expect(verdicts[0]?.matched).toEqual({ value: "2001:db8::1:2", level: "ip" });
  });

  test("an address with an IPv4 address inside is asked by both, the closer one first", async () => {
    const embeddedIpv4 = ipTarget("192.0.2.7").ip;
    if (embeddedIpv4.version === "v6") throw new Error("no IPv4 address");
    const inner = ipTarget("2002:c000:207::1", { embeddedIpv4 });
    const onlyFour = await openZones(wellKept(() => listedAs("127.0.0.2")));
    expect((await onlyFour.ask(inner)).verdicts[0]?.matched).toEqual({
      value: "192.0.2.7",
      level: "embedded_ipv4",
    });
    expect(onlyFour.asked()[0]).toBe(`A ${NAME}`);
    const both = await openZones(
      wellKept(() => listedAs("127.0.0.2")),
      [{ ipv6: true }],
    );
    expect((await both.ask(inner)).verdicts[0]?.matched).toEqual({ value: "2002:c000:207::1", level: "ip" });
  });

  test.each<[string, readonly string[], unknown]>([
    ["the host", ["a.bad.example"], { value: "a.bad.example", level: "domain" }],
    ["its registered domain", ["bad.example"], { value: "bad.example", level: "registered_domain" }],
    ["both", ["a.bad.example", "bad.example"], { value: "a.bad.example", level: "domain" }],
    ["neither", [], null],
  ])("a host whose %s is listed matches at that level", async (_, listed, matched) => {
    const script = wellKept(({ name }) =>
      listed.some((host) => name.toLowerCase() === `${host}.dbl.example`)
        ? listedAs("127.0.0.2")
        : NOT_LISTED,
    );
    const world = await openZones(script, [{ target: "domain", zone: "dbl.example" }]);
    expect((await world.ask(domain("a.bad.example", "bad.example"))).verdicts[0]?.matched).toEqual(matched);
    expect(world.asked().filter((question) => question.startsWith("A "))).toHaveLength(2);
  });

  test("a host, while its registered domain gets no answer, is not called clean, and a hit still counts", async () => {
    const script = wellKept(({ name }) => {
      if (name.toLowerCase().startsWith("bad.")) return { rcode: 2 };
      return name.toLowerCase().startsWith("listed.") ? listedAs("127.0.0.2") : NOT_LISTED;
    });
    const world = await openZones(script, [{ target: "domain", zone: "dbl.example" }]);
    expect(said(await world.ask(domain("a.bad.example", "bad.example")))).toEqual([
      "error: The resolver answered SERVFAIL",
    ]);
    expect(said(await world.ask(domain("listed.bad.example", "bad.example")))).toEqual(["listed 127.0.0.2"]);
  });

  test("a public suffix is asked by its own name only", async () => {
    const world = await openZones(
      wellKept(() => NOT_LISTED),
      [{ target: "domain", zone: "dbl.example" }],
    );
    await world.ask(domain("github.io", null));
    expect(world.asked()).toEqual(["A github.io.dbl.example"]);
  });

  test("the host of a URL and the domain of a mailbox are asked like any other", async () => {
    const world = await openZones(
      wellKept(() => listedAs("127.0.0.2")),
      [{ target: "domain", zone: "dbl.example" }],
    );
    const host = domain("bad.example");
    const url = await world.ask({ kind: "url", url: "http://bad.example/x", host });
    const email = await world.ask({ kind: "email", email: "a@bad.example", domain: host });
    for (const { verdicts } of [url, email]) {
      expect(verdicts[0]?.matched).toEqual({ value: "bad.example", level: "domain" });
    }
  });

  test("a name that gets too long before the zone is an error, not a clean answer", async () => {
    const long = `${"a".repeat(60)}.`.repeat(4);
    const world = await openZones(
      wellKept(() => NOT_LISTED),
      [{ target: "domain", zone: "dbl.example" }],
    );
    expect(said(await world.ask(domain(`${long}example`)))).toEqual(["error: This name cannot be asked"]);
  });
});
