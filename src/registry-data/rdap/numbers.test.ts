import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { readRdapAutnum } from "./asn.ts";
import { readRdapNetwork } from "./ip.ts";
import { isJson, type Json } from "./json.ts";

const FOLDER = fileURLToPath(new URL("../../../test/fixtures/rdap", import.meta.url));
const recorded = (name: string): Json => {
  const json: unknown = JSON.parse(readFileSync(join(FOLDER, `${name}.json`), "utf8"));
  if (!isJson(json)) throw new Error(`${name} is no object`);
  return json;
};

describe("readRdapNetwork()", () => {
  const url = "https://rdap.example/ip/192.0.2.1";
  test.each([
    [
      "arin-network",
      {
        network: "8.8.8.0/24",
        cidrs: ["8.8.8.0/24"],
        networkName: "GOGL",
        organization: "Example Search LLC",
        registry: "arin",
        abuseEmail: "network-abuse@search.example",
        abusePhone: "+1-650-253-0000",
        parentHandle: "NET-8-0-0-0-0",
        registrationDate: "2023-12-28T22:24:33Z",
        updatedDate: "2023-12-28T22:24:56Z",
        networkType: "DIRECT ALLOCATION",
        statuses: ["active"],
        emails: ["arin-contact@search.example", "network-abuse@search.example"],
        termsOfServiceUrl: "https://www.arin.net/resources/registry/whois/tou/",
      },
    ],
    [
      "ripe-network",
      {
        network: "193.0.0.0/21",
        organization: "Reseaux IP Europeens Network Coordination Centre (RIPE NCC)",
        country: "NL",
        registry: "ripe",
        abuseEmail: "abuse@ripe.net",
        remarks: ["RIPE Network Coordination Centre\nAmsterdam, Netherlands"],
      },
    ],
    [
      "apnic-network",
      {
        organization: "APNIC and Example DNS Resolver project",
        country: "AU",
        registry: "apnic",
        abuseEmail: "helpdesk@apnic.net",
        termsOfServiceUrl: "http://www.apnic.net/db/dbcopyright.html",
      },
    ],
    [
      "lacnic-network",
      {
        network: "200.3.12.0/22",
        organization: "LACNIC - Registro de Direcciones",
        registry: "lacnic",
        abuseEmail: "abuse@lacnic.example",
        parentHandle: null,
      },
    ],
    ["afrinic-network", { network: "196.216.2.0/23", registry: "afrinic", registrationDate: null }],
    ["ripe-network-v6", { network: "2001:67c:2e8::/48", ipVersion: 6, startAddress: "2001:67c:2e8::" }],
    [
      "network-no-cidr",
      {
        network: "198.51.100.0 - 198.51.102.255",
        cidrs: ["198.51.100.0/23", "198.51.102.0/24"],
        registry: "arin",
        ipVersion: 4,
      },
    ],
  ])("reads %s", (name, expected) => {
    expect(readRdapNetwork(recorded(name), url)).toMatchObject(expected);
  });
});

describe("readRdapAutnum()", () => {
  test.each([
    [
      15169,
      "arin-autnum",
      {
        asnName: "GOOGLE",
        asnRange: null,
        registered: true,
        registrationDate: "2000-03-30T05:00:00Z",
        abuseEmail: "network-abuse@search.example",
      },
    ],
    [3333, "ripe-autnum", { organization: "RIPE NCC", registrationDate: null, registry: "ripe" }],
    [
      131_080,
      "apnic-autnum-block",
      { asn: 131_080, asnRange: { first: 131_072, last: 132_095 }, organization: "APNIC ASN block" },
    ],
    [400_001, "unallocated-block", { registered: false, registry: null }],
  ])("reads AS%i in %s", (number, name, expected) => {
    const read = readRdapAutnum(number, recorded(name), "https://rdap.example/autnum/1");
    expect(read).toMatchObject(expected);
  });
});
