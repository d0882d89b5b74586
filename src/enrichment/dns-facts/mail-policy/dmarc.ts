import { type DnsRecords, isAnswered, type LookupTime, type Resolved } from "../resolve.ts";
import { isDmarc, isTriedOut, parseDmarcRecord } from "./dmarc-record.ts";
import { policyTexts } from "./policy-text.ts";
import type { Dmarc, DmarcPolicy } from "./shapes.ts";

/** A name, and the domain that it is registered under. */
export type MailDomain = { readonly name: string; readonly registeredDomain: string | null };

const NONE: Dmarc = {
  present: false,
  record: null,
  policy: null,
  subdomain_policy: null,
  pct: null,
  rua: [],
  from: null,
  valid: false,
};

/** The DMARC policy of a name: its own, else that of the registered domain. Source: RFC 7489 6.6.3, design 6.1. */
export async function lookUpDmarc(
  { name, registeredDomain }: MailDomain,
  { dnsRecords }: { readonly dnsRecords: DnsRecords },
  time: LookupTime,
): Promise<Dmarc> {
  const names = [...new Set([name, registeredDomain ?? name])].map(policyNameOf);
  const found = await Promise.all(names.map((one) => dnsRecords.resolve(one, "TXT", time)));
  for (const [i, txt] of found.entries()) {
    if (!isAnswered(txt)) return { ...NONE, present: null, valid: null };
    const dmarc = readDmarc(names[i] ?? "", txt);
    if (dmarc !== null) return dmarc;
  }
  return NONE;
}

/**
 * What a name's record asks for the name itself: of a record at its parent, the policy of names below. Where it holds for no
 * message (`pct=0`) or is tried out (`t=y`), the next milder one holds for all. Source: RFC 7489, 6.3 and 6.6.4; DMARCbis, 4.7.
 */
export function policyInForce(
  name: string,
  { record, policy, subdomain_policy, from, pct }: Omit<Dmarc, "present" | "rua" | "valid">,
): DmarcPolicy | null {
  const named = from === policyNameOf(name) ? policy : subdomain_policy;
  const isMilder = pct === 0 || isTriedOut(record ?? "");
  return named !== null && isMilder ? MILDER[named] : named;
}

const MILDER: Readonly<Record<DmarcPolicy, DmarcPolicy>> = {
  none: "none",
  quarantine: "none",
  reject: "quarantine",
};

const policyNameOf = (name: string): string => `_dmarc.${name}`;

function readDmarc(from: string, found: Resolved<"TXT">): Dmarc | null {
  const texts = policyTexts(found, isDmarc);
  const [text] = texts;
  if (text === undefined) return null;
  const record = text.shown;
  // Of several none is applied (RFC 7489, 6.6.3).
  if (texts.length > 1) return { ...NONE, present: true, record, from };
  // Of a record that is cut the last tag may be half a tag: it is left out.
  const whole = text.isCut ? record.slice(0, record.lastIndexOf(";")) : record;
  const { policy, subdomainPolicy, pct, rua, valid } = parseDmarcRecord(whole);
  const isValid = text.isCut && valid ? null : valid;
  return { present: true, record, policy, subdomain_policy: subdomainPolicy, pct, rua, from, valid: isValid };
}
