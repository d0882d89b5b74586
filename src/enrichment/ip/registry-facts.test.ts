import { describe, expect, test } from "vitest";
import { systemClock } from "../../base/clock.ts";
import { answeredLookup, failedLookup, type RegistryLookup } from "../../registry-data/outcome.ts";
import { readRdapAutnum } from "../../registry-data/rdap/asn.ts";
import { readRdapNetwork } from "../../registry-data/rdap/ip.ts";
import type { AsnRegistration, IpRegistration } from "../../registry-data/types.ts";
import { parseIp } from "../../targets/ip.ts";
import type { IpFacts } from "../facts.ts";
import { monthly } from "../table-age.ts";
import { UNKNOWN_SYSTEM } from "./asn/asn.ts";
import { asnFactsOf, unknownAsnFields } from "./asn-facts.ts";
import { createIpEnrichment, type IpEnrichmentParts } from "./enrich-ip.ts";
import { createNetworks } from "./networks.ts";
import { ageOfRegistries, type RegistryAnswers, withRegistries } from "./registry-facts.ts";

const NOW = new Date("2026-11-21T00:00:00Z");
const url = "https://rdap.arin.net/registry/";
const from = { source: "rdap", fetchedAt: new Date("2026-11-20T23:00:00Z"), provenance: {} } as const;
const failed = failedLookup<never>("unreachable", "away");

const card = (...properties: readonly (readonly unknown[])[]) => ["vcard", properties];
const system: RegistryLookup<AsnRegistration> = answeredLookup(
  readRdapAutnum(
    64500,
    {
      objectClassName: "autnum",
      name: "EXAMPLE-AS",
      country: "NL",
      events: [{ eventAction: "registration", eventDate: "2026-11-01T12:00:00Z" }],
      entities: [
        {
          roles: ["registrant"],
          vcardArray: card(
            ["fn", {}, "text", "Example BV"],
            ["adr", { label: "Street 1\nTown" }, "text", ""],
          ),
        },
        { roles: ["abuse"], vcardArray: card(["email", {}, "text", "abuse@as.example"]) },
      ],
    },
    url,
  ),
  from,
);
const network: RegistryLookup<IpRegistration> = answeredLookup(
  readRdapNetwork(
    {
      objectClassName: "ip network",
      startAddress: "198.41.0.0",
      endAddress: "198.41.0.255",
      entities: [
        { roles: ["registrant"], vcardArray: card(["fn", {}, "text", "Example Net"]) },
        { roles: ["abuse"], vcardArray: card(["email", {}, "text", "abuse@net.example"]) },
      ],
    },
    url,
  ),
  from,
);
const nothing = answeredLookup<never>(null, from);

const silent: IpEnrichmentParts["registrations"] = {
  ip: async () => failed,
  asn: async () => failed,
  registryOfAsn: () => null,
};

const address = "198.41.0.4";
const enrich = async (fields: Partial<IpEnrichmentParts>, ip = parseIp(address)): Promise<IpFacts> => {
  const enrichment = createIpEnrichment({
    geo: () => null,
    asn: () => ({
      find: () => ({ asn: 64500, org: "", origins: [64500] }),
      routeOf: () => null,
      systemOf: () => UNKNOWN_SYSTEM,
      dates: { v4: monthly(null), v6: monthly(null) },
    }),
    listings: () => null,
    operatorGeo: null,
    operatorAsn: null,
    networks: createNetworks([], []),
    dns: {
      configured: false,
      recall: () => null,
      query: async () => ({ state: "unavailable", upstream: "", reason: "error", detail: "" }),
    },
    registrations: silent,
    records: null,
    clock: { ...systemClock, now: () => NOW },
    options: { dnsTimeoutMs: 100, asnListingZone: null },
    ...fields,
  });
  const context = { signal: new AbortController().signal, deadlineMs: systemClock.monotonicMs() + 1e9 };
  return (await enrichment.enrich(ip, null, context)).facts;
};

const answers = (fields: Partial<RegistryAnswers>): RegistryAnswers => ({
  network: failed,
  system: failed,
  registry: null,
  ...fields,
});

describe("withRegistries()", () => {
  const row = { asn: 64500, org: "", origins: [64500] };
  const origin = {
    row,
    isKnown: true,
    route: null,
    system: { ...UNKNOWN_SYSTEM, ipv4Addresses: 1 },
    date: null,
  };
  const bare = async (): Promise<IpFacts> => {
    const asn = asnFactsOf(origin);
    return { ...(await enrich({})), asn, unknownFields: unknownAsnFields(asn, origin) };
  };

  test("fills what only a registry knows, the network's abuse address first", async () => {
    const facts = withRegistries(await bare(), answers({ network, system }), NOW);
    expect(facts.asn).toMatchObject({
      asname: "EXAMPLE-AS",
      org: "Example BV",
      country_code: "NL",
      created: "2026-11-01",
      days_since_created: 19,
      updated: "",
      days_since_updated: 0,
      address: "Street 1 Town",
      abuse_email: "abuse@net.example",
      rir: "ARIN",
    });
    expect(facts.information.isp).toBe("Example BV");
    expect(facts.unknownFields.filter((field) => /asname|created|updated|rir|abuse|isp/.test(field))).toEqual(
      [],
    );
    expect(ageOfRegistries(answers({ network, system }), NOW).dataAgeS).toBe(3600);
    expect(ageOfRegistries(null, NOW)).toEqual({ dataAgeS: null, stale: false, cached: false });
  });

  test("takes the AS's abuse address, and the network's holder, where the other has none", async () => {
    const withSystem = withRegistries(await bare(), answers({ network: nothing, system }), NOW);
    expect(withSystem.asn.abuse_email).toBe("abuse@as.example");
    const withNetwork = withRegistries(await bare(), answers({ network, system: nothing }), NOW);
    expect(withNetwork.information.isp).toBe("Example Net");
  });

  test("calls what no registry answered unknown, and what was answered with nothing known", async () => {
    const silence = withRegistries(await bare(), answers({}), NOW);
    expect(silence.unknownFields).toEqual(
      expect.arrayContaining(["asn.asname", "asn.rir", "asn.abuse_email"]),
    );
    const nobodys = withRegistries(await bare(), answers({ network: nothing, system: nothing }), NOW);
    expect(nobodys.asn.asname).toBe("");
    expect(nobodys.unknownFields).not.toContain("asn.asname");
    expect(nobodys.unknownFields).not.toContain("asn.abuse_email");
    const half = withRegistries(await bare(), answers({ network: nothing }), NOW);
    expect(half.unknownFields).toContain("asn.abuse_email");
  });

  test("knows the regional registry by its ranges when it is silent", async () => {
    const facts = withRegistries(await bare(), answers({ registry: "ripe" }), NOW);
    expect(facts.asn.rir).toBe("RIPE");
    expect(facts.unknownFields).not.toContain("asn.rir");
  });
});

describe("enrich()", () => {
  test("waits for a silent registry no longer than its time", async () => {
    const never = new Promise<never>(() => undefined);
    const waits: number[] = [];
    const registrations: IpEnrichmentParts["registrations"] = {
      ip: async (_network, { deadlineMs }) => {
        waits.push(deadlineMs - systemClock.monotonicMs());
        return failed;
      },
      asn: async (_number, { isAside }) => (isAside === true ? failed : never),
      registryOfAsn: () => null,
    };
    await enrich({ registrations });
    expect(Math.max(...waits)).toBeLessThanOrEqual(1500);
  });

  test("asks about the address alone", async () => {
    const asked: string[] = [];
    const registrations: IpEnrichmentParts["registrations"] = {
      ...silent,
      ip: async ({ text }) => {
        asked.push(text);
        return failed;
      },
    };
    await enrich({ registrations });
    expect(asked).toEqual(["198.41.0.4/32"]);
  });
});
