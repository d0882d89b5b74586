import type { DmarcPolicy } from "./shapes.ts";

/** One DMARC record, read by itself. */
export type DmarcRecord = {
  /** What applies; `none` of a record that only asks for reports. */
  readonly policy: DmarcPolicy | null;
  /** Of names below: `sp`, else the policy. */
  readonly subdomainPolicy: DmarcPolicy | null;
  /** Share of the messages that the policy holds for. */
  readonly pct: number;
  /** Where reports go, without their size limits. */
  readonly rua: readonly string[];
  readonly valid: boolean;
};

const POLICIES: ReadonlyMap<string, DmarcPolicy> = new Map([
  ["none", "none"],
  ["quarantine", "quarantine"],
  ["reject", "reject"],
]);
const MAX_URIS = 20;
/** Characters of an address for reports. Source: security P9. */
const MAX_URI_LENGTH = 320;

/** Whether a TXT record is a DMARC record. Source: RFC 7489, 6.4. */
export const isDmarc = (text: string): boolean => /^v[ \t]*=[ \t]*DMARC1[ \t]*(?:;|$)/.test(text);

/** Reads the text of a DMARC record; never throws. Source: RFC 7489, 6.3 and 6.6.3. */
export function parseDmarcRecord(text: string): DmarcRecord {
  const { tags, isWellFormed } = tagsOf(text);
  const named = policyOf(tags.get("p"));
  const sub = tags.has("sp") ? policyOf(tags.get("sp")) : named;
  const rua = (tags.get("rua") ?? "")
    .split(",", MAX_URIS)
    .map(uriOf)
    .filter((uri) => uri !== "");
  const pct = tags.get("pct") ?? "100";
  const isPct = /^\d{1,3}$/.test(pct) && Number(pct) <= 100;
  // 6.6.3: without a policy that can be read, one who wants reports is treated as "none".
  const policy = named ?? (rua.length > 0 ? "none" : null);
  return {
    policy,
    subdomainPolicy: sub ?? policy,
    pct: isPct ? Number(pct) : 100,
    rua,
    valid: isWellFormed && named !== null && sub !== null && isPct && rua.every(isUri),
  };
}

/** Whether a record says that its policy is tried out: receivers apply the next milder one. Source: DMARCbis, 4.7, `t=y`. */
export const isTriedOut = (text: string): boolean => tagsOf(text).tags.get("t")?.toLowerCase() === "y";

const policyOf = (word: string | undefined): DmarcPolicy | null =>
  POLICIES.get(word?.toLowerCase() ?? "") ?? null;

function tagsOf(text: string): { tags: ReadonlyMap<string, string>; isWellFormed: boolean } {
  const tags = new Map<string, string>();
  let isWellFormed = true;
  for (const part of text.split(";")) {
    if (part.trim() === "") continue;
    const at = part.indexOf("=");
    const name = part.slice(0, Math.max(at, 0)).trim().toLowerCase();
    const value = part.slice(at + 1).trim();
    const present = tags.get(name);
    if (at < 0 || name === "" || present !== undefined) isWellFormed = false;
    // Receivers do not agree which of two counts, or whether any does (RFC 6376, 3.2): none protects.
    if (at >= 0 && name !== "") tags.set(name, present === undefined || present === value ? value : "");
  }
  return { tags, isWellFormed };
}

/** Cut before anything is matched (security P9). */
const uriOf = (text: string): string =>
  text
    .trim()
    .slice(0, MAX_URI_LENGTH + 1)
    .replace(/!\d+[kmgt]?$/i, "");

const isUri = (text: string): boolean =>
  text.length <= MAX_URI_LENGTH &&
  !/\s/.test(text) &&
  (/^https?:\/\/./i.test(text) || (/^mailto:/i.test(text) && isAddress(text.slice("mailto:".length))));

/** One `@` between a local part and a domain of two labels or more. */
function isAddress(text: string): boolean {
  const at = text.indexOf("@");
  const dot = text.indexOf(".", at + 2);
  return at > 0 && at === text.lastIndexOf("@") && dot > 0 && dot < text.length - 1;
}
