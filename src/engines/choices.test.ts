import { describe, expect, test } from "vitest";
import { client, serve } from "../../test/servers/dns-client.ts";
import { listedAs, NOT_LISTED } from "../../test/zones.ts";
import { systemClock } from "../base/clock.ts";
import { CATALOGUE_FILES, defineEngines, readCatalogue } from "./definitions.ts";
import { DISABLED_CLASSES } from "./disabled.ts";
import { readZoneCatalogue } from "./dnsbl/builtin-zones.ts";
import { namesFor } from "./dnsbl/zone-questions.ts";
import { createZones, zoneEnginesOf } from "./dnsbl/zones.ts";
import { enginesOptionsSchema } from "./options.ts";
import { domain } from "./test-world.ts";

const define = (engines: Record<string, unknown> = {}, switches: ReadonlyMap<string, boolean> = new Map()) =>
  defineEngines({ engines: enginesOptionsSchema.parse(engines), allowlists: [], switches });
const offOf = (key: string, engines: Record<string, unknown>, switches?: ReadonlyMap<string, boolean>) =>
  define(engines, switches).find(({ engine }) => engine.key === key)?.engine.disabled;
const countOn = (target: string, engines: Record<string, unknown>) =>
  define(engines).filter(
    ({ engine }) => engine.kind !== "allow" && engine.target === target && engine.disabled === null,
  ).length;

const rows = [...CATALOGUE_FILES.flatMap(({ file }) => readCatalogue(file)), ...readZoneCatalogue()];

describe("the catalogue", () => {
  test("gives every row that is off a class, and every row a licence", () => {
    expect(rows.length).toBeGreaterThan(300);
    for (const { key, off, disabled_class: found, licence } of rows) {
      expect(found !== undefined, key).toBe(off !== undefined);
      if (found === "non_commercial") expect(licence.commercial, key).toBe("no");
      if (found === "unstated_terms") expect(licence.commercial, key).toBe("unknown");
    }
    const used = new Set(rows.flatMap((row) => row.disabled_class ?? []));
    expect([...used].sort()).toEqual([...DISABLED_CLASSES].sort());
  });

  test("names engines of its own as replacements", () => {
    const keys = new Set(rows.map(({ key }) => key));
    for (const { replaced_by: other } of rows) if (other !== undefined) expect(keys).toContain(other);
  });
});

describe("engines.accept", () => {
  const three = ["non_commercial", "unstated_terms", "low_volume"];
  test.each([
    ["ip", three, 98],
    ["domain", three, 37],
    ["ip", [...three, "little_known"], 110],
    ["domain", [...three, "little_known"], 45],
  ])("of %s targets, with %j, asks at least %i engines", (target, accept, least) => {
    expect(countOn(target, { accept })).toBeGreaterThanOrEqual(least);
  });

  test("leaves what needs a key or cannot be asked where it is", () => {
    const accept = [...DISABLED_CLASSES];
    expect(offOf("abuseipdb_api", { accept })).toContain("key");
    expect(offOf("rspamd_uribl", { accept })).toContain("hashes");
    expect(offOf("spamcop", { accept, disable: ["spamcop"] })).toContain("configuration");
  });
});

describe("engines.keys", () => {
  const keys = { abuseipdb: "canary-0123456789", spamhaus_dqs: "canarydqs0123456789" };
  test("switches on the rows that name a key, and puts it into a zone's name and nowhere else", () => {
    const definitions = define({ keys });
    const on = definitions.filter(({ auth, engine }) => auth !== null && engine.disabled === null);
    expect(on.map(({ engine }) => engine.key)).toEqual(
      expect.arrayContaining(["abuseipdb_api", "spamhaus_dqs_zen", "spamhaus_zrd"]),
    );
    const lists = definitions.map(({ engine, feed }) => ({ engine, feed }));
    expect(JSON.stringify(lists)).not.toMatch(/canary/i);
    const zen = definitions.find(({ engine }) => engine.key === "spamhaus_dqs_zen");
    expect(zen?.zone?.zone).toBe("canarydqs0123456789.zen.dq.spamhaus.net");
  });

  test("a list that is fetched without a key too is switched on by one that it takes", () => {
    expect(offOf("threatfox_ips", {})).toContain("key");
    expect(offOf("threatfox_ips", { enable: ["threatfox_ips"] })).toBeNull();
    expect(offOf("threatfox_ips", { keys: { abusech: "canary-0123456789" } })).toBeNull();
    expect(offOf("urlhaus_full", { keys: { abusech: "canary-0123456789" } })).toContain("Repeats");
  });

  test.each(["two\nlines", "with a blank", "abc", "", "x".repeat(513), "ümlaut-key"])(
    "refuses %j without repeating it",
    (key) => {
      const fault = enginesOptionsSchema.safeParse({ keys: { abuseipdb: key } }).error;
      expect(fault?.issues[0]?.path).toEqual(["keys", "abuseipdb"]);
      if (key !== "") expect(fault?.message).not.toContain(key);
    },
  );
});

describe("an owner's switch", () => {
  const on = (key: string) => new Map([[key, true]]);
  const off = (key: string) => new Map([[key, false]]);
  test.each([
    ["on, what the catalogue switches off", "openphish", {}, on("openphish"), null],
    ["on, what the file disables", "spamcop", { disable: ["spamcop"] }, on("spamcop"), null],
    ["off, what the file enables", "openphish", { enable: ["openphish"] }, off("openphish"), "an owner"],
    ["off, what is on by default", "spamcop", {}, off("spamcop"), "an owner"],
    ["on, what has no key", "abuseipdb_api", {}, on("abuseipdb_api"), "key"],
    ["on, what cannot be asked", "rspamd_uribl", {}, on("rspamd_uribl"), "hashes"],
  ])("switches %s", (_, key, engines, switches, reason) => {
    const found = offOf(key, engines, switches);
    if (reason === null) expect(found).toBeNull();
    else expect(found).toContain(reason);
  });
});

// By md5sum and sha1sum, and by `openssl dgst -sha256 -binary | base32`, of bad@bad.example.
test.each([
  ["md5", "b370e40b79e5310a7a39d7dc8e8c42f0"],
  ["sha1", "e6ba1bc8de3fa1e8d5d5bc9665946d2e233adc1c"],
  ["sha256", "fg6cagtp6isqqoctog3sfb3347mkgvm5pjswkne6u2kmtti6gkia"],
] as const)("a zone of %s hashes is asked for the hash of the normalised mailbox", async (hash, expected) => {
  const entry = { key: "mails", target: "email", zone: "{key}.ebl.example", hash, self_test: "off" };
  const engines = {
    builtin: false,
    keys: { lab: "labkey0123456789" },
    dnsbl: [{ ...entry, auth: { key: "lab" } }],
  };
  const [first] = zoneEnginesOf(define(engines));
  if (first === undefined) throw new Error("no zone");
  const email = "bad@bad.example";
  const target = { kind: "email", email, domain: domain("bad.example") } as const;
  expect(namesFor(first.zone, target).map(({ name }) => name)).toEqual([expected]);
  const server = await serve(({ name }) =>
    name.toLowerCase() === `${expected}.labkey0123456789.ebl.example` ? listedAs("127.0.0.2") : NOT_LISTED,
  );
  const dns = client([server], { timeoutMs: 2000 });
  const zones = createZones([first], { dns, clock: systemClock, timeoutMs: 2000 });
  const patience = { signal: new AbortController().signal, withinMs: 30_000 };
  const { verdicts } = await zones.ask([first], target, patience);
  expect(verdicts).toMatchObject([{ detected: true, matched: { value: email, level: "email" } }]);
});
