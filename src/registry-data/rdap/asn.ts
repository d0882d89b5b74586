import type { AsnRegistration } from "../types.ts";
import { isOfNumber } from "./identity.ts";
import { type Json, naturalOf, textOf } from "./json.ts";
import { readNumberObject } from "./numbers.ts";

/** An autnum object of RFC 9083 5.5 about the number asked. Null when it is something else. */
export function readRdapAutnum(number: number, object: Json, askedUrl: string): AsnRegistration | null {
  const [first, last] = [naturalOf(object, "startAutnum"), naturalOf(object, "endAutnum")];
  const kind = textOf(object, "objectClassName")?.toLowerCase() ?? null;
  if (kind === null ? first === null : kind !== "autnum") return null;
  if (!isOfNumber(object, number)) return null;
  return {
    ...readNumberObject(object, askedUrl),
    asn: number,
    asnName: textOf(object, "name"),
    asnRange: first !== null && last !== null && first < last ? { first, last } : null,
  };
}
