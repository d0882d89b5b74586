import { InvalidValue } from "../../base/failure.ts";
import { MAX_ASN } from "../../targets/asn.ts";
import { type Cidr, readCidr } from "../../targets/cidr.ts";
import { type Domain, icannDomainOf, parseDomain } from "../../targets/domain.ts";
import { parseIp } from "../../targets/ip.ts";
import { refang } from "../../targets/recognise.ts";

export const KINDS = ["domain", "ip", "asn"] as const;

/** What a registry is asked about; `input` is what was sent, `query` its one spelling. */
export type WhoisTarget = { readonly input: string; readonly query: string } & (
  | {
      readonly kind: "domain";
      readonly domain: Domain;
      /** The registration described; null of a public suffix, which is asked for itself. */
      readonly registeredDomain: string | null;
    }
  | { readonly kind: "ip"; readonly network: Cidr }
  | { readonly kind: "asn"; readonly asn: number }
);

/** Longer texts are no address with a fault. */
const MAX_NUMBER = 1024;

/**
 * An address, a network (host bits cleared), an AS number (`AS64500`, `ASN 64500`, digits), else a domain, in this
 * order. Throws InvalidValue. Source: design 10.
 */
export function parseWhoisQuery(input: string): WhoisTarget {
  const text = refang(input.trim());
  const ip = addressOf(text);
  if (ip !== null) return { kind: "ip", input, query: ip.network.text, network: ip };
  const network = text.includes("/") ? readCidr(text, { hostBits: "drop" }) : null;
  if (network !== null) return { kind: "ip", input, query: network.text, network };
  if (text.length <= MAX_NUMBER && /^[\d.]+$|^[\da-f:.]+\/\d*$/i.test(text) && /[.:]/.test(text))
    throw invalidNumber();
  const digits = /^(?:ASN? ?)?(\d{1,20})$/i.exec(text)?.[1];
  if (digits !== undefined) return { kind: "asn", input, ...asnOf(digits) };
  const domain = parseDomain(input);
  const registeredDomain = icannDomainOf(domain.name);
  if ((registeredDomain ?? domain.name).includes("_")) throw notRegistrable(registeredDomain ?? domain.name);
  return { kind: "domain", input, query: domain.name, domain, registeredDomain };
}

/** Registries take letters, digits and hyphens (RFC 1123, section 2.1); a host below a registered domain may have `_`. */
const notRegistrable = (name: string): InvalidValue =>
  new InvalidValue(
    "invalid_label",
    `No registry holds "${name}": a name with an underscore cannot be registered`,
  );

const invalidNumber = (): InvalidValue =>
  new InvalidValue("invalid_ip", "This is neither an IP address nor a CIDR range");

function addressOf(text: string): Cidr | null {
  try {
    return readCidr(parseIp(text).text);
  } catch (error) {
    if (error instanceof InvalidValue) return null;
    throw error;
  }
}

function asnOf(digits: string): { readonly query: string; readonly asn: number } {
  const asn = Number(digits);
  if (asn > MAX_ASN) throw new InvalidValue("invalid_asn", `An AS number is at most ${MAX_ASN}`);
  return { query: `AS${asn}`, asn };
}

/** The member that is asked for: `query`, else `domain`, its older name; null when both are absent or blank. */
export function queryMemberOf(body: {
  readonly query?: string | null | undefined;
  readonly domain?: string | null | undefined;
}): { readonly member: "query" | "domain"; readonly text: string } | null {
  const { query, domain } = body;
  if (typeof query === "string" && query.trim() !== "") return { member: "query", text: query };
  return typeof domain === "string" && domain.trim() !== "" ? { member: "domain", text: domain } : null;
}
