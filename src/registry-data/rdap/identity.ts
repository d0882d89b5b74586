import { type Cidr, readCidr } from "../../targets/cidr.ts";
import { hostOf } from "../emails.ts";
import type { IpRegistration } from "../types.ts";
import { type Json, naturalOf, textOf } from "./json.ts";

/**
 * Whether a domain object (RFC 9083 5.3) is about this domain (A-labels): its `ldhName`, else its `unicodeName`, both
 * compared as A-labels. Null when it has neither. A registry's answer without a name is taken, because the registry was
 * asked for this domain alone; an answer behind a link is not.
 */
export function isOfDomain(object: Json, domain: string): boolean | null {
  const names = ["ldhName", "unicodeName"]
    .map((member) => textOf(object, member))
    .filter((name) => name !== null);
  if (names.length === 0) return null;
  const [name = null] = names.map(hostOf).filter((host) => host !== null);
  return name === domain;
}

/**
 * Whether a network's registration holds all of the asked network (RFC 9082 3.1.1: the most specific one that does). One
 * that shows no addresses is taken.
 */
export function isOfNetwork({ cidrs }: Pick<IpRegistration, "cidrs">, asked: Cidr): boolean {
  return cidrs.length === 0 || cidrs.some((text) => holds(readCidr(text), asked));
}

/** An aligned block inside a range is always inside one of the range's own blocks. */
const holds = (block: Cidr | null, asked: Cidr): boolean =>
  block !== null &&
  block.version === asked.version &&
  block.prefix <= asked.prefix &&
  readCidr(`${asked.network.text}/${block.prefix}`, { hostBits: "drop" })?.text === block.text;

/** Whether an autnum object (RFC 9083 5.5) holds the asked number. One that shows no numbers is taken. */
export function isOfNumber(object: Json, asked: number): boolean {
  const [first, last] = [naturalOf(object, "startAutnum"), naturalOf(object, "endAutnum")];
  if (first === null && last === null) return true;
  return (first ?? asked) <= asked && asked <= (last ?? first ?? asked);
}
