import { describe, expect, test } from "vitest";
import { patiently, world } from "../../test/registries.ts";
import { bootstrapFile, type TestRdapBehaviour } from "../../test/servers/rdap-server.ts";
import { readCidr } from "../targets/cidr.ts";

const ADDRESS = readCidr("41.1.2.3");

const networkOf = (members: object) => ({
  objectClassName: "ip network",
  handle: "41.1.0.0 - 41.1.255.255",
  startAddress: "41.1.0.0",
  endAddress: "41.1.255.255",
  status: ["active"],
  ...members,
});

/** What is said of an address, and of an AS number, by a registry that answers with these members. */
async function lookUp(members: object) {
  if (ADDRESS === null) throw new Error("The address is none");
  const autnum = { startAutnum: 1000, endAutnum: 1000, ...members, objectClassName: "autnum" };
  const { registrations } = await world(({ url }) => ({
    "/ipv4.json": bootstrapFile({ "41.0.0.0/8": url }),
    "/asn.json": bootstrapFile({ "1-64000": url }),
    "/ip/41.1.2.3": { json: networkOf(members) },
    "/autnum/1000": { json: autnum },
  }));
  return [await registrations.ip(ADDRESS, patiently()), await registrations.asn(1000, patiently())] as const;
}

const entity = (roles: readonly string[], handle: string, name: string, ...properties: unknown[]) => ({
  objectClassName: "entity",
  handle,
  roles,
  vcardArray: ["vcard", [["version", {}, "text", "4.0"], ["fn", {}, "text", name], ...properties]],
});
const mailbox = (address: string) => ["email", {}, "text", address];
const remark = (title: string | null, ...description: readonly string[]) =>
  title === null ? { description } : { title, description };

describe("a number without a holder", () => {
  test.each([
    "unallocated",
    "Unallocated",
    "not allocated",
    "not-assigned",
    "unassigned",
    "available",
    "reserved",
    "free",
  ])("is not registered, by the status %j, and the registry's words are kept", async (status) => {
    for (const lookup of await lookUp({ status: [status], name: "POOL" })) {
      expect(lookup).toMatchObject({
        status: "not_found",
        source: "rdap",
        registration: { registered: false, statuses: [status.toLowerCase()] },
      });
    }
  });

  test.each(["active", "allocated", "assigned", "validated", "administrative"])(
    "is another one than that of status %j",
    async (status) => {
      for (const lookup of await lookUp({ status: [status] })) expect(lookup.status).toBe("ok");
    },
  );
});

describe("an entry that stands for what other registries hold", () => {
  const everything = { startAddress: "0.0.0.0", endAddress: "255.255.255.255" };
  const iana = entity(["registrant", "abuse"], "IANA1-RIPE", "IANA", mailbox("abuse@iana.example"));
  test.each<[string, object]>([
    ["RIPE's", { name: "NON-RIPE-NCC-MANAGED-ADDRESS-BLOCK", country: "EU" }],
    ["RIPE's of old", { name: "EU-ZZ-41" }],
    [
      "RIPE's by its description",
      { remarks: [remark(null, "IPv4 address block not managed by the RIPE NCC")] },
    ],
    ["APNIC's of all addresses", { ...everything, name: "IANA-BLOCK" }],
    ["a nameless one of all addresses", everything],
    ["APNIC's of another registry", { name: "IANA-NETBLOCK-41" }],
    ["APNIC's of early registrations", { name: "ERX-NETBLOCK" }],
    ["APNIC's of what went elsewhere", { name: "STUB-41-1SLASH16" }],
    [
      "APNIC's by its description",
      {
        remarks: [
          remark("remarks", "---"),
          remark("description", "This network range is not allocated to APNIC"),
        ],
      },
    ],
    ["AFRINIC's of what went there", { name: "AFRINIC-NET-TRANSFERRED-20050223" }],
    ["ARIN's of another registry", { name: "AFRINIC-41", type: "Allocated to AFRINIC" }],
    ["ARIN's of early registrations", { type: "Early Registrations, Transferred to RIPE NCC" }],
  ])("%s is not an answer and names no holder", async (_what, members) => {
    const [lookup] = await lookUp({ entities: [iana], ...members });
    expect(lookup).toMatchObject({ status: "error", registration: null, error: { code: "other_registry" } });
    expect(lookup.error?.message).toMatch(/other registries hold, and names no holder$/);
  });

  test.each([
    { name: "IANA-BLOCKCHAIN-LTD" },
    { name: "STUB-HOUSE" },
    { name: "NET-TRANSFERRED" },
    { type: "ALLOCATED PA" },
    { type: "DIRECT ALLOCATION" },
    { type: "REASSIGNED" },
    { remarks: [remark("description", "Early Registration Ltd", "not managed by the RIPE NCC")] },
    { startAddress: "41.0.0.0", endAddress: "41.255.255.255" },
  ])("is none of %j", async (members) => {
    const [lookup] = await lookUp({ entities: [iana], ...members });
    expect(lookup).toMatchObject({ status: "ok", registration: { organization: "IANA" } });
  });
});

describe("the holder", () => {
  const rule = "*".repeat(40);
  const mirrored = remark("remarks", rule, "KRNIC is not an ISP but a National Internet Registry", rule);
  const description = remark("description", "LG DACOM Corporation", "Seoul");
  test.each<[string, object, string | null]>([
    ["is described behind other remarks", { remarks: [mirrored, description] }, "LG DACOM Corporation"],
    ["is not in remarks of another kind", { remarks: [mirrored] }, null],
    [
      "is not in a note about a contact",
      { remarks: [remark("Unvalidated POC", "ARIN has attempted")] },
      null,
    ],
    ["is not a rule of dashes", { remarks: [remark(null, "-----", rule, "Some ISP")] }, "Some ISP"],
    ["is no mailbox", { remarks: [remark(null, "abuse@isp.example", "Some ISP")] }, "Some ISP"],
    ["is no web page", { remarks: [remark(null, "see https://isp.example")] }, null],
    [
      "is not the maintainer who stands before it",
      { entities: [entity(["registrant"], "AS-MNT", "AS-MNT"), entity(["registrant"], "ORG-1", "Some ISP")] },
      "Some ISP",
    ],
    [
      "is described where only a maintainer is named",
      { entities: [entity(["registrant"], "MNT-ISP", "MNT-ISP")], remarks: [remark(null, "Some ISP")] },
      "Some ISP",
    ],
    ["is not the maintainer alone", { entities: [entity(["registrant"], "ISP-MNT", "ISP-MNT")] }, null],
    ["may be known by its handle", { entities: [entity(["registrant"], "DTAG", "DTAG")] }, "DTAG"],
  ])("%s", async (_what, members, organization) => {
    for (const lookup of await lookUp(members)) expect(lookup.registration).toMatchObject({ organization });
  });
});

describe("the mailbox for abuse", () => {
  const noc = entity(["technical"], "N1", "NOC", mailbox("noc@isp.example"));
  const desk = entity(["abuse"], "A1", "Desk", mailbox("desk@isp.example"));
  const denied = "Not for abuse: noc@isp.example";
  test.each<[string, object, string | null]>([
    [
      "is the role's before any other",
      { entities: [noc, desk], remarks: [remark(null, "abuse@isp.example")] },
      "desk@isp.example",
    ],
    ["is in a remark", { remarks: [remark("remarks", "Abuse: reports@isp.example")] }, "reports@isp.example"],
    [
      "is the one that is called so",
      { remarks: [remark("remarks", "Abuse: noc@isp.example or abuse@isp.example")] },
      "abuse@isp.example",
    ],
    [
      "may be another role's",
      { entities: [entity(["technical"], "N1", "NOC", mailbox("abuse-team@isp.example"))] },
      "abuse-team@isp.example",
    ],
    ["is not one that is meant for other things", { entities: [noc], remarks: [remark(null, denied)] }, null],
    ["is not any mailbox", { entities: [noc], remarks: [remark(null, "peering@isp.example")] }, null],
  ])("%s", async (_what, members, abuseEmail) => {
    for (const lookup of await lookUp(members)) expect(lookup.registration).toMatchObject({ abuseEmail });
  });
});

describe("the regional registry", () => {
  test.each([
    ["whois.nic.ad.jp", "apnic"],
    ["whois.kisa.or.kr", "apnic"],
    ["whois.twnic.tw", "apnic"],
    ["whois.twnic.net.tw", "apnic"],
    ["ipwhois.cnnic.cn", "apnic"],
    ["whois.vnnic.vn", "apnic"],
    ["whois.idnic.net", "apnic"],
    ["whois.irinn.in", "apnic"],
    ["whois.registro.br", "lacnic"],
    ["whois.nic.mx", "lacnic"],
    ["whois.notapnic.example", null],
    ["xapnic.net", null],
  ])("is known by the country's %s", async (port43, registry) => {
    for (const lookup of await lookUp({ port43 })) expect(lookup.registration).toMatchObject({ registry });
  });
});

describe("an error that says it is none", () => {
  test.each<[TestRdapBehaviour, string]>([
    [{ json: { errorCode: 429, title: "Rate Limit Exceeded" } }, "rate_limited"],
    [{ json: { errorCode: 503, title: "Service Unavailable" } }, "server_error"],
    [{ json: { errorCode: 403, title: "Forbidden" } }, "refused"],
    [{ json: ["Rate Limit Exceeded"] }, "invalid_response"],
  ])("is the error that it is in truth: %j", async (behaviour, code) => {
    const { registrations } = await world(({ url }) => ({
      "/asn.json": bootstrapFile({ "1-64000": url }),
      "/autnum/1000": behaviour,
    }));
    const lookup = await registrations.asn(1000, patiently());
    expect(lookup).toMatchObject({ status: "error", error: { code }, provenance: { rdap_status: 200 } });
  });
});

test.each(["latin1", "utf8"] as const)("reads accents in %s", async (charset) => {
  const holder = entity(["registrant"], "X", "Société Müller");
  const body = Buffer.from(JSON.stringify(networkOf({ entities: [holder] })), charset);
  if (ADDRESS === null) throw new Error("The address is none");
  const { registrations } = await world(({ url }) => ({
    "/ipv4.json": bootstrapFile({ "41.0.0.0/8": url }),
    "/ip/41.1.2.3": { body },
  }));
  const lookup = await registrations.ip(ADDRESS, patiently());
  expect(lookup.registration?.organization).toBe("Société Müller");
});
