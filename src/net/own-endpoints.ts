import { networkInterfaces } from "node:os";
import { parseCidr, readCidr } from "../targets/cidr.ts";
import { readIp } from "../targets/ip.ts";
import type { Endpoint } from "./guard.ts";
import { portOf } from "./http-redirect.ts";

/** Where a listener on all addresses, or on a name, may be reached on any machine: all of loopback, and 0.0.0.0. */
const EVERYWHERE = ["127.0.0.0/8", "0.0.0.0/32", "::1/128", "::/128"].map(parseCidr);

/**
 * The endpoints of a service that listens at `address` (`http://HOST:PORT`) because of `host`, the address or name that
 * it was told. One address is that address; all addresses, or a name, is all of loopback and every interface.
 */
export function ownEndpoints({
  host,
  address,
}: {
  readonly host: string;
  readonly address: string;
}): Endpoint[] {
  const port = portOf(new URL(address));
  const ip = readIp(host);
  const isOne = ip !== null && ip.text !== "0.0.0.0" && ip.text !== "::";
  const networks = isOne ? [parseCidr(ip.text)] : [...EVERYWHERE, ...interfaceAddresses()];
  return networks.map((network) => ({ network, port }));
}

const interfaceAddresses = () =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .map(({ address }) => readCidr(address.split("%", 1)[0] ?? ""))
    .filter((network) => network !== null);
