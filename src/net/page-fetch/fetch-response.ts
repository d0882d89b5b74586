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
  const contentType = typeOf(headers.get("content-type") ?? []);
  return {
    status,
    statusLine: shown(`HTTP/${httpVersion} ${status} ${statusText}`).trim(),
    httpVersion,
    headers: new Map([...headers].map(([name, values]) => [name, shownValue(name, values)])),
    contentType: shown(contentType),
    disposition: (headers.get("content-disposition") ?? []).join(";"),
    contentLengthBytes: lengthOf(headers),
    body,
    bodyBytes: body.length,
    truncated,
  };
}

const TYPE = /^[\w!#$%&'*+.^`|~-]{1,127}\/[\w!#$%&'*+.^`|~-]{1,127}[\t ]*(?:;|$)/;
const essenceOf = (type: string): string => (type.split(";", 1)[0] ?? "").trim().toLowerCase();
const saysCharset = (type: string): boolean => /;[\t ]{0,8}charset=/i.test(type);

/**
 * What a browser takes a response for: of several types, on lines of their own or after commas, the last one that is a
 * type, with the encoding that was said before where it says none. Source: Fetch, "extract a MIME type".
 */
function typeOf(values: readonly string[]): string {
  let found: string | null = null;
  for (const text of values.flatMap((value) => value.slice(0, MAX_VALUE_BYTES).split(","))) {
    const type = text.trim();
    if (!TYPE.test(type) || essenceOf(type) === "*/*") continue;
    const isSame = found !== null && essenceOf(found) === essenceOf(type);
    if (!isSame || saysCharset(type) || !saysCharset(found ?? "")) found = type;
  }
  return found ?? values[0] ?? "";
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
