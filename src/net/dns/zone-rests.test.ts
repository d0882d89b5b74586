import { describe, expect, test } from "vitest";
import { createStoppedClock } from "../../../test/servers/dns-client.ts";
import { zoneOfName } from "./dns-zone.ts";
import { createZoneRests, type ZoneOutcome, type ZoneRests } from "./zone-rests.ts";

const REST_MS = 30_000;

/** One question from beginning to end; false: the zone rests. */
function ask(rests: ZoneRests, zone: string, outcome: ZoneOutcome, holder = "a"): boolean {
  const question = rests.begin(zone, holder);
  if (question !== null) rests.end(question, outcome);
  return question !== null;
}

const times = (count: number, act: () => unknown) => Array.from({ length: count }, act);

/** Silent in the midst of answers of others. */
function silence(rests: ZoneRests, zone: string, holder = "a"): boolean {
  const question = rests.begin(zone, holder);
  ask(rests, "well.example", "answered", holder);
  if (question !== null) rests.end(question, "silent");
  return question !== null;
}

describe("createZoneRests()", () => {
  test("lets a zone rest 30 seconds after five silences in a row, then tries it with one question", () => {
    const clock = createStoppedClock();
    const rests = createZoneRests(clock);
    expect(times(6, () => silence(rests, "z.example"))).toEqual([true, true, true, true, true, false]);
    clock.advance(REST_MS - 1);
    expect(rests.begin("z.example", "a")).toBeNull();
    clock.advance(1);
    const probe = rests.begin("z.example", "a");
    expect(rests.begin("z.example", "a")).toBeNull();
    if (probe !== null) rests.end(probe, "silent");
    expect(rests.begin("z.example", "a")).toBeNull();
    clock.advance(REST_MS);
    expect(ask(rests, "z.example", "answered")).toBe(true);
    expect(times(5, () => silence(rests, "z.example"))).not.toContain(false);
  });

  test("a try whose asker left is made again by the next", () => {
    const clock = createStoppedClock();
    const rests = createZoneRests(clock);
    times(5, () => silence(rests, "z.example"));
    clock.advance(REST_MS);
    expect(times(3, () => ask(rests, "z.example", "nothing"))).toEqual([true, true, true]);
  });

  test("an answer between them begins the count anew; another zone's does not", () => {
    const rests = createZoneRests(createStoppedClock());
    times(4, () => silence(rests, "z.example"));
    ask(rests, "z.example", "answered");
    expect(times(5, () => silence(rests, "z.example"))).not.toContain(false);
    expect(silence(rests, "z.example")).toBe(false);
  });

  test("who met no silence of his own asks all the same, and an answer to him ends the rest", () => {
    const rests = createZoneRests(createStoppedClock());
    times(5, () => silence(rests, "z.example", "hostile"));
    expect(rests.begin("z.example", "hostile")).toBeNull();
    expect(times(3, () => ask(rests, "z.example", "nothing", "victim"))).not.toContain(false);
    ask(rests, "z.example", "answered", "victim");
    expect(rests.begin("z.example", "hostile")).not.toBeNull();
  });

  test("the silence of the resolver itself is forgotten with its first answer", () => {
    const rests = createZoneRests(createStoppedClock());
    const zones = ["a.example", "b.example", "c.example"];
    for (const zone of zones) times(5, () => ask(rests, zone, "silent"));
    expect(zones.map((zone) => rests.begin(zone, "a"))).toEqual([null, null, null]);
    ask(rests, "new.example", "answered");
    expect(zones.map((zone) => ask(rests, zone, "answered"))).toEqual([true, true, true]);
  });

  test("a zone that is silent while another answers between its questions does rest", () => {
    const rests = createZoneRests(createStoppedClock());
    for (let i = 0; i < 5; i++) {
      expect(ask(rests, "z.example", "silent")).toBe(true);
      ask(rests, "well.example", "answered");
    }
    expect(rests.begin("z.example", "a")).toBeNull();
  });

  test("keeps no more zones than it can hold", () => {
    const rests = createZoneRests(createStoppedClock());
    times(5, () => silence(rests, "oldest.example"));
    for (let i = 0; i < 5000; i++) silence(rests, `n${i}.example`);
    expect(rests.begin("oldest.example", "a")).not.toBeNull();
  });
});

test.each([
  ["www.shop.example.com", "example.com"],
  ["example.com", "example.com"],
  ["com", "com"],
  ["_dmarc.deep.example.co.uk", "example.co.uk"],
  ["a.mine.github.io", "mine.github.io"],
  ["localhost", "localhost"],
])("zoneOfName() counts %s with %s", (name, zone) => {
  expect(zoneOfName(name)).toEqual({ share: zone, rest: zone });
});

test.each([
  ["4.3.2.1.in-addr.arpa", "2.1.in-addr.arpa", "3.2.1.in-addr.arpa"],
  ["1.in-addr.arpa", "1.in-addr.arpa", "1.in-addr.arpa"],
  [
    `${"0.".repeat(20)}c.b.a.9.8.7.6.5.4.3.2.1.ip6.arpa`,
    "8.7.6.5.4.3.2.1.ip6.arpa",
    "c.b.a.9.8.7.6.5.4.3.2.1.ip6.arpa",
  ],
])("zoneOfName() counts %s with its network", (name, share, rest) => {
  expect(zoneOfName(name)).toEqual({ share, rest });
});
