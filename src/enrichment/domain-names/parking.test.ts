import { expect, test } from "vitest";
import { type Ip, parseIp } from "../../targets/ip.ts";
import { createNetworks, loadNetworkLists } from "../ip/networks.ts";
import { createNameLists, loadNameLists } from "./name-lists.ts";
import { addressFlagsOf, parkedBy } from "./parking.ts";
import { openNamesWorld } from "./test-world.ts";

const NOW_MS = Date.parse("2026-08-22T12:00:00Z");
const nameLists = createNameLists(loadNameLists());
const networks = createNetworks(loadNetworkLists(), []);
const listings = await openNamesWorld();

type Hosts = { nameServers?: readonly string[]; addresses?: readonly Ip[] };

const parked = ({ nameServers = [], addresses = [] }: Hosts, isForSale = false) => {
  const sources = {
    addresses: addressFlagsOf({ networks }, listings, { addresses }, NOW_MS),
    names: nameLists.coverage(listings, NOW_MS).flags,
    nowMs: NOW_MS,
  };
  return parkedBy({ nameLists }, listings, { nameServers, isForSale }, sources);
};

test.each<Hosts>([
  { nameServers: ["dns1.registrar-servers.com", "dns2.registrar-servers.com"] },
  { nameServers: ["ns1.wordpress.com"] },
  { addresses: [parseIp("198.51.100.8")] },
])("%o, which serve many sites, park no name by themselves", (hosts) => {
  const { nameServers = [], addresses = [] } = hosts;
  expect(parked(hosts)).toEqual({ by: null, isKnown: true });
  const more = [...nameServers, "ns.parking.namecheap.com"];
  expect(parked({ nameServers: more, addresses }).by).toBe("parking.namecheap.com");
  expect(parked({ nameServers, addresses: [...addresses, parseIp("198.51.100.9")] }).by).toBe(
    "parking address",
  );
  expect(parked(hosts, true).by).toBe("sale page");
});
