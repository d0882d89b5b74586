import { describe, expect, test } from "vitest";
import { client, serve } from "../../../test/servers/dns-client.ts";
import { listedAs, wellKept } from "../../../test/zones.ts";
import { systemClock } from "../../base/clock.ts";
import { formatIpv4 } from "../../targets/ip.ts";
import { defineEngines } from "../definitions.ts";
import { enginesOptionsSchema } from "../options.ts";
import type { EngineTarget } from "../target.ts";
import { domain, ipTarget } from "../test-world.ts";
import { isListed } from "./answer-table.ts";
import { readZoneCatalogue } from "./builtin-zones.ts";
import { doNotUseList, doNotUseReason } from "./do-not-use.ts";
import { zoneKey } from "./zone-definition.ts";
import { namesFor } from "./zone-questions.ts";
import { createZones, type ZoneEngine, zoneEnginesOf, zoneTestNames } from "./zones.ts";

const entries = readZoneCatalogue();
const define = (engines: Record<string, unknown> = {}) =>
  defineEngines({ engines: enginesOptionsSchema.parse(engines), allowlists: [] });
const reasonsOf = (engines: Record<string, unknown>) =>
  new Map(define(engines).map(({ engine }) => [engine.key, engine.disabled]));

const keyNames = entries.flatMap(({ auth }) => auth?.key ?? []);
const keys = Object.fromEntries(keyNames.map((name) => [name, "abcdefghijklmnop1234"]));
const everyZone = zoneEnginesOf(define({ enable: entries.map(({ key }) => key), keys }));
const builtins = everyZone.filter(({ engine }) => engine.kind === "dnsbl");

const askable = builtins.filter(({ engine }) => engine.disabled === null);

describe.each(builtins.map((one) => [one.engine.key, one] as const))("the zone %s", (_, { engine, zone }) => {
  test("has a page about it, a rating, and is not one of those that must not be asked", () => {
    expect(engine.reference ?? engine.homepage).toMatch(/^https?:\/\//);
    expect(engine.name).not.toBe(engine.key);
    expect(doNotUseReason(zone.zone)).toBeNull();
    expect(engine.category === "policy" ? engine.confidence : "low").toBe("low");
  });

  test("names what it lists, and codes only for that", () => {
    expect(zone.table.listed !== null || zone.table.listedBits !== null).toBe(true);
    for (const value of zone.codes.keys()) expect(isListed(zone.table, value)).toBe(true);
  });

  test("never means a listing by an error code", () => {
    for (let last = 0; last < 256; last++) expect(isListed(zone.table, 0x7fffff00 + last)).toBe(false);
  });
});

describe("the zones of the catalogue", () => {
  test("have keys of their own, and a reason when they cannot be asked", () => {
    expect(new Set(entries.map(({ key }) => key)).size).toBe(entries.length);
    for (const { key, zone, off, unaskable, target, auth, hash } of entries) {
      if (unaskable) expect(off, key).toBeDefined();
      expect(zone.includes("{key}"), key).toBe(auth !== undefined);
      if (target === "url" || target === "email") expect(hash, key).toBeDefined();
    }
  });

  test("that share a name never list by the same answer, and are tested alike", () => {
    for (const group of Map.groupBy(builtins, ({ zone }) => zoneKey(zone)).values()) {
      for (let value = 0x7f000000; value <= 0x7f0002ff; value++) {
        expect(
          group.filter(({ zone }) => isListed(zone.table, value)).length,
          formatIpv4(value),
        ).toBeLessThanOrEqual(group[0]?.zone.table.listedBits === null ? 1 : group.length);
      }
      expect(new Set(group.map(({ zone }) => JSON.stringify(zone.testPoints))).size).toBe(1);
    }
  });

  test("are asked by default where nothing is said against it, of addresses and of names", () => {
    const on = define().filter(({ engine }) => engine.kind === "dnsbl" && engine.disabled === null);
    const free = entries.filter(({ off, auth, hash }) => [off, auth, hash].every((one) => one === undefined));
    expect(on.map(({ engine }) => engine.key)).toEqual(free.map(({ key }) => key).sort());
    expect(new Set(on.map(({ engine }) => engine.target))).toEqual(new Set(["ip", "domain"]));
    expect(on.length).toBeLessThan(entries.length);
  });

  test("are asked when the operator enables them, those that need more than that are not", () => {
    const reasons = reasonsOf({ enable: ["spamhaus_zen_sbl", "spamhaus_dqs_zen", "rspamd_uribl"] });
    expect(reasons.get("spamhaus_zen_sbl")).toBeNull();
    expect(reasons.get("spamhaus_zen_xbl")).toContain("non-commercial");
    expect(reasons.get("spamhaus_dqs_zen")).toContain("key");
    expect(reasons.get("rspamd_uribl")).toContain("hashes");
    expect(reasonsOf({ enable: ["psbl"], disable: ["psbl"] }).get("psbl")).toContain("configuration");
  });

  test("give way to an entry of the operator's with the same key", () => {
    const own = { key: "spamhaus_dqs_zen", target: "ip", zone: "abc.zen.dq.spamhaus.net", ipv6: true };
    const definition = define({ dnsbl: [own] }).find(({ engine }) => engine.key === own.key);
    expect(definition?.engine).toMatchObject({ builtin: false, disabled: null });
    expect(definition?.zone?.zone).toBe(own.zone);
  });
});

const zen = builtins.filter(({ engine }) => engine.key.startsWith("spamhaus_zen_"));

test("ZEN is one question for six engines", async () => {
  const server = await serve(wellKept(() => listedAs("127.0.0.2", "127.0.0.4", "127.0.0.9", "127.0.0.11")));
  const dns = client([server], { timeoutMs: 2000 });
  const zones = createZones(zen, { dns, clock: systemClock, timeoutMs: 2000 });
  const patience = { signal: new AbortController().signal, withinMs: 30_000 };
  const { verdicts } = await zones.ask(zen, ipTarget("192.0.2.7"), patience);
  expect(verdicts.map(({ engine, codes, category }) => [engine.key, category, codes])).toEqual([
    ["spamhaus_zen_bcl", "c2", []],
    ["spamhaus_zen_css", "spam", []],
    ["spamhaus_zen_drop", "hijacked", ["127.0.0.9"]],
    ["spamhaus_zen_pbl", "policy", ["127.0.0.11"]],
    ["spamhaus_zen_sbl", "spam", ["127.0.0.2"]],
    ["spamhaus_zen_xbl", "malware", ["127.0.0.4"]],
  ]);
  expect(new Set(verdicts.map(({ engine }) => engine.family))).toEqual(new Set(["policy", "spamhaus"]));
  const asked = server.questions.filter(({ name, type }) => type === "A" && name.startsWith("7.2.0.192."));
  expect(asked).toHaveLength(1);
});

const targetOf = ({ target, ipv4 }: ZoneEngine["zone"]): EngineTarget => {
  const host = domain("bad.example");
  if (target === "domain") return host;
  if (target === "email") return { kind: "email", email: "bad@bad.example", domain: host };
  if (target === "url") return { kind: "url", url: "https://bad.example/x?y", host };
  return ipTarget(ipv4 ? "192.0.2.7" : "2001:db8::7");
};

/** What a list whose test points are right makes of them and of an ordinary listing. */
describe.each(
  [...Map.groupBy(askable, ({ zone }) => zoneKey(zone))].map(([key, group]) => [key, group] as const),
)("a laboratory's %s", (_, group: readonly ZoneEngine[]) => {
  test("passes its self-test, and its first listed answer names the target", async () => {
    const [first] = group;
    if (first === undefined) throw new Error("no engine");
    const { listed, listedBits } = first.zone.table;
    const code = formatIpv4(listed?.[0]?.[0] ?? 0x7f000000 + (listedBits ?? 0));
    const own = zoneTestNames(first.zone);
    const server = await serve((question) => {
      const name = question.name.toLowerCase();
      const isOwn = own.includes(name);
      const plain = { ...question, name: name.replace(first.zone.prefix, "") };
      return isOwn ? listedAs(code) : wellKept(() => listedAs(code))(plain);
    });
    const zones = createZones(group, {
      dns: client([server], { timeoutMs: 2000 }),
      clock: systemClock,
      timeoutMs: 2000,
    });
    const target = targetOf(first.zone);
    expect(namesFor(first.zone, target)).toHaveLength(1);
    const patience = { signal: new AbortController().signal, withinMs: 30_000 };
    const { verdicts, absences } = await zones.ask(group, target, patience);
    expect(absences).toEqual([]);
    expect(verdicts.find(({ engine }) => engine.key === first.engine.key)).toMatchObject({
      detected: true,
      codes: [code],
    });
  });
});

describe("a zone that must not be asked", () => {
  test.each([...doNotUseList()].map(([zone, reason]) => [zone, reason] as const))(
    "%s is refused, and whatever is under it",
    (zone, reason) => {
      for (const name of [zone, `${zone.toUpperCase()}.`, `x.y.${zone}`]) {
        const result = enginesOptionsSchema.safeParse({ dnsbl: [{ key: "a", target: "ip", zone: name }] });
        expect(result.error?.issues).toMatchObject([
          { path: ["dnsbl", 0, "zone"], message: `This zone must not be asked: ${reason}` },
        ]);
      }
    },
  );

  test.each(["notsorbs.net", "sorbs.net.example", "spamrbl.swinog.ch", "bl.example"])(
    "%s is another",
    (zone) => {
      expect(doNotUseReason(zone)).toBeNull();
    },
  );
});
