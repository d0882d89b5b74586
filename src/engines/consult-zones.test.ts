import { afterAll, describe, expect, test } from "vitest";
import { client, serve } from "../../test/servers/dns-client.ts";
import type { TestScript } from "../../test/servers/dns-server.ts";
import { listedAs, NOT_LISTED, wellKept } from "../../test/zones.ts";
import { readZoneCatalogue } from "./dnsbl/builtin-zones.ts";
import type { Consultation } from "./kind.ts";
import { detectionRate } from "./report.ts";
import { tallyOf } from "./tally.ts";
import type { EngineTarget } from "./target.ts";
import { ask, domain, feed, ipTarget, open, removeWorlds } from "./test-world.ts";

afterAll(removeWorlds);

const zone = (key: string, more: Record<string, unknown> = {}) => ({
  key,
  target: "ip",
  zone: `${key.replace("_", "-")}.example`,
  ...more,
});

/** What zones named after what they do answer. */
const laboratory: TestScript = (question) => {
  const name = question.name.toLowerCase();
  const does = (what: string) => name.endsWith(`.${what}.example`);
  if (does("b-lists") || does("d-names")) return wellKept(() => listedAs("127.0.0.2"))(question);
  if (does("f-clean")) return wellKept(() => NOT_LISTED)(question);
  if (does("g-refuses")) return { rcode: 5 };
  if (does("h-fails")) return { rcode: 2 };
  if (does("i-parked")) return listedAs("127.0.0.2");
  if (does("j-rewrites")) return listedAs("198.51.100.9");
  return "silence";
};

const openLaboratory = async (more: Record<string, unknown> = {}, timePasses = false) => {
  const server = await serve(laboratory);
  const lists = { "a_feed.txt": "20.0.0.7\n", "e_feed.txt": "20.0.0.0/24\n", "k_feed.txt": "9.9.9.9\n" };
  const world = await open({
    engines: {
      feeds: [feed("a_feed"), feed("e_feed"), feed("k_feed")],
      dnsbl: [
        zone("b_lists"),
        zone("c_off", { enabled: false }),
        zone("d_names", { target: "domain" }),
        zone("f_clean", { ipv6: true }),
        zone("g_refuses"),
        zone("h_fails"),
        zone("i_parked"),
        zone("j_rewrites"),
      ],
      ...more,
    },
    lists,
    dns: client([server]),
    timePasses,
  });
  return { world, server };
};

const summary = ({ verdicts, absences }: Consultation) => ({
  verdicts: verdicts.map(({ engine, detected }) => `${engine.key} ${detected}`),
  absences: absences.map(({ engine, status }) => `${engine.key} ${status}`),
});

describe("consult() of lists and zones", () => {
  test("sorts what each said by key, and counts no silent engine as clean", async () => {
    const { world } = await openLaboratory();
    const consultation = await ask(world, ipTarget("20.0.0.7"));
    expect(summary(consultation)).toEqual({
      verdicts: ["a_feed true", "b_lists true", "e_feed true", "f_clean false", "k_feed false"],
      absences: ["g_refuses refused", "h_fails error", "i_parked self_test_failed", "j_rewrites error"],
    });
    expect(consultation.absences.at(-1)?.detail).toContain("198.51.100.9");
    expect(tallyOf(consultation).total).toBe(9);
    expect(detectionRate(3, consultation.verdicts.length)).toBe("60%");
    expect(consultation.verdicts[1]).toMatchObject({
      engine: { kind: "dnsbl" },
      matched: { value: "20.0.0.7", level: "ip" },
      codes: ["127.0.0.2"],
      dataAgeS: 0,
      stale: false,
      seed: false,
    });
  });

  test("says whether a zone's answer came from the cache", async () => {
    const { world } = await openLaboratory();
    expect((await ask(world, ipTarget("20.0.0.7"))).cached).toBe(false);
    world.clock.ms += 30_000;
    const again = await ask(world, ipTarget("20.0.0.7"));
    expect(again.cached).toBe(true);
    expect(again.verdicts[1]?.dataAgeS).toBe(30);
    expect((await ask(world, domain("unlisted.example"))).cached).toBe(false);
  });

  // The zone itself may take 30 s.
  test("goes out at the deadline, a zone that hangs being a time-out", { timeout: 25_000 }, async () => {
    const { world } = await openLaboratory({ dnsbl: [zone("b_lists"), zone("z_hangs")] }, true);
    const context = { signal: new AbortController().signal, deadlineMs: world.clock.ms + 60 };
    const { verdicts, absences } = await world.engines.consult(ipTarget("20.0.0.7"), context);
    expect(verdicts.map(({ engine }) => engine.key)).toEqual(
      expect.arrayContaining(["a_feed", "e_feed", "k_feed"]),
    );
    expect(absences.at(-1)).toMatchObject({
      engine: { key: "z_hangs" },
      status: "timeout",
      since: "2026-11-21T09:00:00Z",
    });
  });

  test.each<[string, EngineTarget, readonly string[]]>([
    ["an IPv4 address", ipTarget("20.0.0.7"), ["b_lists", "f_clean"]],
    ["an IPv6 address", ipTarget("2600::7"), ["f_clean"]],
    ["a name", domain("bad.example"), ["d_names"]],
    ["a URL", { kind: "url", url: "http://bad.example/", host: domain("bad.example") }, ["d_names"]],
    [
      "a URL on an address",
      { kind: "url", url: "http://20.0.0.7/", host: ipTarget("20.0.0.7") },
      ["b_lists", "f_clean"],
    ],
    ["a mailbox", { kind: "email", email: "a@bad.example", domain: domain("bad.example") }, ["d_names"]],
  ])("asks of %s only the zones that apply", async (_, target, keys) => {
    const { world } = await openLaboratory();
    const { verdicts } = await ask(world, target);
    const zones = verdicts.filter(({ engine }) => engine.kind === "dnsbl");
    expect(zones.map(({ engine }) => engine.key)).toEqual(keys);
  });

  test("asks no built-in zone about a bogon, an operator's about every address", async () => {
    const server = await serve(wellKept(() => NOT_LISTED));
    const world = await open({
      engines: { builtin: true, dnsbl: [zone("mine")] },
      dns: client([server]),
    });
    const bogon = await ask(world, ipTarget("10.1.2.3", { isBogon: true }));
    expect(summary(bogon)).toEqual({ verdicts: ["mine false"], absences: [] });
    const zonesAsked = new Set(
      server.questions.map(({ name }) => name.toLowerCase().split(".").slice(4).join(".")),
    );
    expect([...zonesAsked]).toEqual(["mine.example"]);
    const ordinary = await ask(world, ipTarget("20.0.0.7"));
    const builtinZones = readZoneCatalogue().flatMap(({ key, target, off }) =>
      target === "ip" && off === undefined ? [key] : [],
    );
    expect(builtinZones.length).toBeGreaterThan(0);
    expect(
      ordinary.verdicts.filter(({ engine }) => engine.kind === "dnsbl").map(({ engine }) => engine.key),
    ).toEqual(["mine", ...builtinZones].sort());
  });
});

test("feeds list has a row for every zone, by its last self-test", async () => {
  const { world } = await openLaboratory();
  const rows = () => world.engines.list().filter(({ kind }) => kind === "dnsbl");
  expect(rows().map(({ key, status }) => `${key} ${status}`)).toEqual([
    "b_lists never",
    "c_off disabled",
    "d_names never",
    "f_clean never",
    "g_refuses never",
    "h_fails never",
    "i_parked never",
    "j_rewrites never",
  ]);
  await world.engines.testZones();
  expect(rows().map(({ key, status }) => `${key} ${status}`)).toEqual([
    "b_lists ok",
    "c_off disabled",
    "d_names ok",
    "f_clean ok",
    "g_refuses refused",
    "h_fails error",
    "i_parked self_test_failed",
    "j_rewrites error",
  ]);
  const date = "2026-11-21T09:00:00Z";
  expect(rows()[0]).toMatchObject({
    entries: 0,
    data_age_s: 0,
    last_success: date,
    last_attempt: date,
    last_error: null,
    next_attempt: "2026-11-21T09:15:00Z",
  });
  expect(rows()[6]).toMatchObject({
    data_age_s: null,
    last_success: null,
    last_attempt: date,
    last_error: "A test entry that no list may hold is listed",
    next_attempt: "2026-11-21T09:15:00Z",
  });
});
