import { type DnsRecords, isAnswered, type LookupTime, type Resolved } from "../resolve.ts";
import type { MailDomain } from "./dmarc.ts";
import { policyTexts } from "./policy-text.ts";

/** Which of the newer mail standards a domain takes part in; null where DNS gave no answer. Source: design 6.1. */
export type MailRecords = {
  readonly bimi: boolean | null;
  readonly mtaSts: boolean | null;
  readonly tlsRpt: boolean | null;
};

/** Source: draft-brand-indicators-for-message-identification 4; RFC 8461 3.1; RFC 8460 3. */
export async function lookUpMailRecords(
  { name, registeredDomain }: MailDomain,
  { dnsRecords }: { readonly dnsRecords: DnsRecords },
  time: LookupTime,
): Promise<MailRecords> {
  const ask = async (label: string, domain: string, policy: Policy) =>
    valueIn(await dnsRecords.resolve(`${label}.${domain}`, "TXT", time), policy);
  const bimi = (domain: string): Promise<Value> => ask("default._bimi", domain, BIMI);
  const [own, registered, mtaSts, tlsRpt] = await Promise.all([
    bimi(name),
    registeredDomain === null || registeredDomain === name ? NONE : bimi(registeredDomain),
    ask("_mta-sts", name, MTA_STS),
    ask("_smtp._tls", name, TLS_RPT),
  ]);
  return { bimi: isSaid(own === false ? registered : own), mtaSts: isSaid(mtaSts), tlsRpt: isSaid(tlsRpt) };
}

/** How a record begins, and the tag without which it says nothing. */
type Policy = { readonly version: RegExp; readonly tag: string };

/** Without an `l` that names a logo, a domain declines to take part. */
const BIMI: Policy = { version: /^v=BIMI1[ \t]*(?:;|$)/, tag: "l" };
const MTA_STS: Policy = { version: /^v=STSv1[ \t]*(?:;|$)/, tag: "id" };
const TLS_RPT: Policy = { version: /^v=TLSRPTv1[ \t]*(?:;|$)/, tag: "rua" };

/**
 * The value of the policy's tag, `""` of a record without it, and of several, of which senders take none: also for BIMI they do not
 * go on to the registered domain then. False: no record. Null where DNS gave no answer.
 */
type Value = string | false | null;

const NONE: Value = false;

function valueIn(txt: Resolved<"TXT">, { version, tag }: Policy): Value {
  if (!isAnswered(txt)) return null;
  const [record, second] = policyTexts(txt, (text) => version.test(text));
  if (record === undefined) return NONE;
  if (second !== undefined) return "";
  for (const part of record.octets.split(";")) {
    const at = part.indexOf("=");
    if (at > 0 && part.slice(0, at).trim().toLowerCase() === tag) return part.slice(at + 1).trim();
  }
  return "";
}

const isSaid = (value: Value): boolean | null => (value === null ? null : value !== false && value !== "");

/** Whether a domain says that it takes no mail; null where DNS gave no answer. Source: RFC 7505. */
export const isNullMx = (mx: Resolved<"MX">): boolean | null =>
  isAnswered(mx) ? mx.records.length === 1 && mx.records[0]?.exchange === "." : null;
