import { printable } from "../../base/clean-text.ts";
import { isoSeconds } from "../../base/clock.ts";
import { kindOfExtension } from "../../enrichment/page/file-type.ts";
import { extensionOf } from "../../enrichment/page/links.ts";
import { NO_HTML, type ReadResponse } from "../../enrichment/page/read-response.ts";
import type { Resources } from "../../enrichment/page/resources.ts";
import type { FileType, HtmlInfo } from "../../enrichment/page/shapes.ts";
import type { PageWire } from "./shape.ts";
import type { PageVisit, VisitedPage } from "./visit.ts";

/** What the octets of the last response say; of nothing where there are none, or none that could be read in time. */
export function readingOf({ fetched, read, octets }: PageVisit): ReadResponse {
  if (read?.state === "answered") return read.value;
  const { bodySha256, fileType } = octets ?? {
    bodySha256: "",
    fileType: typeByName(extensionOf(new URL(fetched.finalUrl))),
  };
  return { bodySha256, fileType, ...NO_HTML };
}

/** What a file is by its name alone. */
export const typeByName = (extension: string): FileType => ({
  extension: kindOfExtension(extension),
  headers: "",
  signature: "",
  mismatch: false,
});

/** The last response as it stands on the wire; pure. */
export function reportResponse(
  response: NonNullable<VisitedPage["response"]>,
  bodySha256: string,
): NonNullable<PageWire["response"]> {
  const header = (name: string) => response.headers.get(name) ?? null;
  return {
    code: response.status,
    status: response.statusLine,
    http_version: response.httpVersion,
    headers: Object.fromEntries(response.headers),
    server: header("server"),
    content_type: header("content-type"),
    content_length_bytes: response.contentLengthBytes,
    body_bytes: response.bodyBytes,
    body_sha256: bodySha256,
    security_headers: {
      hsts: header("strict-transport-security"),
      csp: header("content-security-policy"),
      x_frame_options: header("x-frame-options"),
      x_content_type_options: header("x-content-type-options"),
      referrer_policy: header("referrer-policy"),
    },
  };
}

/** A page's own words on the wire. */
export const reportHtmlInfo = (info: HtmlInfo): PageWire["html_info"] => ({
  ...info,
  title: printable(info.title),
  description: printable(info.description),
  keywords: printable(info.keywords),
  lang: printable(info.lang),
  generator: printable(info.generator),
  meta_robots: printable(info.meta_robots),
});

/** What a page loads, with how many lists name each domain. */
export const reportResources = (
  resources: Resources,
  detections: ReadonlyMap<string, number>,
): PageWire["resources"] => ({
  ...resources,
  domains: resources.domains.map((one) => ({ ...one, detections: detections.get(one.domain) ?? 0 })),
});

/** How the fetch went. A page that could not be read is said here, where nothing worse went wrong. */
export function reportFetch({ fetched, read }: PageVisit): PageWire["fetch"] {
  const unread =
    read?.state === "unavailable" ? { code: `analysis_${read.reason}`, message: read.detail } : null;
  return {
    started_at: isoSeconds(fetched.startedAt),
    elapsed_ms: fetched.elapsedMs,
    user_agent: fetched.userAgent,
    requests_count: fetched.requestsCount,
    bytes_read: fetched.bytesRead,
    truncated: fetched.response?.truncated ?? false,
    blocked_reason: fetched.blockedReason,
    error: fetched.error ?? unread,
  };
}
