import { isUtf8 } from "node:buffer";
import { printable } from "../../base/clean-text.ts";
import type { ResponseHead } from "../http/http-exchange.ts";
import type { PageResponse } from "./fetch-types.ts";

const MAX_VALUE_BYTES = 1024;

/** A response as a report shows it. Source: design 7.2. */
export function pageResponse(
  head: ResponseHead,
  { body, truncated }: { readonly body: Buffer; readonly truncated: boolean },
): PageResponse {
  const { status, statusText, httpVersion, headers } = head;
  const [contentType = ""] = headers.get("content-type") ?? [];
  return {
    status,
    statusLine: shown(`HTTP/${httpVersion} ${status} ${statusText}`).trim(),
    httpVersion,
    headers: new Map([...headers].map(([name, values]) => [name, shownValue(name, values)])),
    contentType: shown(contentType),
    contentLengthBytes: lengthOf(headers),
    body,
    bodyBytes: body.length,
    truncated,
  };
}

function shownValue(name: string, values: readonly string[]): string {
  return shown((name === "set-cookie" ? values.map(masked) : values).join(", "));
}

/** `session=***; Path=/`: a cookie's value may be a secret. */
const masked = (cookie: string): string => cookie.replace(/^([^=;]*)=[^;]*/, "$1=***");

/** What the server says that the body has, in coded octets; null: it does not say. */
export function lengthOf(headers: ResponseHead["headers"]): number | null {
  const [text = ""] = headers.get("content-length") ?? [];
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** Header octets (Latin-1) as text: UTF-8 where they are, without control characters, at most 1 KiB. */
function shown(value: string): string {
  const octets = Buffer.from(value.slice(0, MAX_VALUE_BYTES), "latin1");
  const text = isUtf8(octets) ? octets.toString("utf8") : octets.toString("latin1");
  return printable(text).replaceAll("\n", "");
}
