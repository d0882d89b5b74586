import { InvalidValue } from "../../failure.ts";
import { readCidr } from "../../targets/cidr.ts";
import { parseDomain } from "../../targets/domain.ts";
import { readIp, refang } from "../../targets/ip.ts";
import { parseUrl } from "../../targets/url.ts";
import type { ToolName } from "./page-shapes.ts";

/** What a text is about: the tool that takes it, and the text in a spelling that the tool takes. */
export type Recognised = { readonly tool: ToolName; readonly value: string };

/**
 * The tool for an address, a range, an AS number, a URL, an e-mail address or a name; defanged spellings too. Throws
 * InvalidValue where it is none of them.
 */
export function recognise(input: string): Recognised {
  const text = refang(input.trim());
  const ip = readIp(text.replace(/^\[(.*)\]$/, "$1"));
  if (ip !== null) return { tool: "ip", value: ip.text };
  if (/^[\da-f.:]+\/\d+$/i.test(text) && readCidr(text, { hostBits: "drop" }) !== null) {
    return { tool: "whois", value: text };
  }
  const asn = /^asn? ?(\d{1,10})$/i.exec(text)?.[1];
  if (asn !== undefined) return { tool: "whois", value: `AS${asn}` };
  if (/^https?:/i.test(text)) return { tool: "url", value: parseUrl(text).text };
  if (/^[^\s/@]+@[^\s/@]+$/.test(text)) return { tool: "email", value: text };
  if (/^[^\s/@]+(:\d{1,5})?\/./.test(text)) return { tool: "url", value: parseUrl(`http://${text}`).text };
  return { tool: "domain", value: nameOf(text.replace(/\/$/, "")) };
}

function nameOf(text: string): string {
  try {
    return parseDomain(text).name;
  } catch (cause) {
    if (!(cause instanceof InvalidValue)) throw cause;
    throw new InvalidValue(
      cause.reason,
      "This is no address, network, name, URL, e-mail address or AS number",
    );
  }
}
