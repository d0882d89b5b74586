import { canonicalUrlOf, isHostPort } from "../targets/url.ts";
import { refangRow } from "./addresses.ts";

/**
 * The spelling under which a list's URL is compared: `canonicalUrlOf`. A text without a scheme is read as `http://`,
 * as lists write it. Null: no http(s) URL. Source: design 3.3.
 */
export function canonicalUrl(text: string): string | null {
  const clean = refangRow(text.trim());
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:/i.test(clean) && !isHostPort(clean) ? clean : `http://${clean}`);
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === "") return null;
  return canonicalUrlOf(url);
}
