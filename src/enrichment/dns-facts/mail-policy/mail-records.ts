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
  const isThere = async (label: string, domain: string, version: RegExp) =>
    isPresent(await dnsRecords.resolve(`${label}.${domain}`, "TXT", time), version);
  const bimi = (domain: string) => isThere("default._bimi", domain, /^v=BIMI1[ \t]*(?:;|$)/);
  const [own, registered, mtaSts, tlsRpt] = await Promise.all([
    bimi(name),
    registeredDomain === null || registeredDomain === name ? false : bimi(registeredDomain),
    isThere("_mta-sts", name, /^v=STSv1[ \t]*(?:;|$)/),
    isThere("_smtp._tls", name, /^v=TLSRPTv1[ \t]*(?:;|$)/),
  ]);
  return { bimi: own === false ? registered : own, mtaSts, tlsRpt };
}

const isPresent = (txt: Resolved<"TXT">, version: RegExp): boolean | null =>
  isAnswered(txt) ? policyTexts(txt, (text) => version.test(text)).length > 0 : null;

/** Whether a domain says that it takes no mail; null where DNS gave no answer. Source: RFC 7505. */
export const isNullMx = (mx: Resolved<"MX">): boolean | null =>
  isAnswered(mx) ? mx.records.length === 1 && mx.records[0]?.exchange === "." : null;
