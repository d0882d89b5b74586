import type { Clock } from "../../base/clock.ts";
import { InvalidValue } from "../../base/failure.ts";
import type { Ip } from "../../targets/ip.ts";
import { canonicalUrlOf } from "../../targets/url.ts";
import { startDeadline } from "../deadline.ts";
import type { Dialer, ResolvedHost } from "../dialer-types.ts";
import { type BodyEnd, readBody } from "../http/http-body.ts";
import type { OpenResponse } from "../http/http-exchange.ts";
import { bodyFault } from "../http/http-faults.ts";
import { brokenRedirect, redirectTarget, refreshTarget, resolveTarget } from "../http/http-redirect.ts";
import type { Trust } from "../tls/tls-trust.ts";
import { createCookieJar } from "./fetch-cookies.ts";
import { lengthOf, pageResponse } from "./fetch-response.ts";
import type { FetchedPage, FetchStatus, Hop, PageFetch, PageRequest, PageResponse } from "./fetch-types.ts";
import { type HopContext, type OpenedPage, type VisitFailure, visitUrl } from "./fetch-visit.ts";
import { createPageBuffer, createPageMemory, NoMemoryForPage, type PageMemory } from "./page-memory.ts";

export type PageFetchSettings = {
  readonly dialer: Dialer;
  readonly clock: Clock;
  readonly trust: Trust;
  readonly options: {
    readonly timeoutMs: number;
    readonly maxBytes: number;
    /** Default: that of a current desktop browser. */
    readonly userAgent?: string | undefined;
  };
  /** Default: memory of its own. */
  readonly memory?: PageMemory;
};

const MAX_HOPS = 10;
const BROWSER =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/154.0.0.0 Safari/537.36";

/** See `PageFetch`. Speaks HTTP/1.1. Source: design 7.1 to 7.3, security P1 to P4. */
export function createPageFetch({
  dialer,
  clock,
  trust,
  options,
  ...settings
}: PageFetchSettings): PageFetch {
  const { timeoutMs, maxBytes, userAgent = BROWSER } = options;
  const memory = settings.memory ?? createPageMemory(maxBytes);
  return async (request) => {
    const url = resolveTarget(request.url.href, request.url);
    if (url === null) throw new InvalidValue("invalid_url", "This is not an http: or https: URL");
    const deadline = startDeadline(clock, timeoutMs, request.signal);
    const resolutions: ResolvedHost[] = [];
    const chain: HopContext = {
      dialer,
      clock,
      trust,
      deadline,
      userAgent,
      cookies: createCookieJar(),
      counts: { requests: 0, bytesRead: 0 },
      page: createPageBuffer(memory, deadline.signal),
      onResolved: (host) => resolutions.push(host),
    };
    const startedAt = clock.now();
    const startedMs = clock.monotonicMs();
    try {
      const way = await follow(url, chain, { request, maxBytes });
      return {
        ...way.end,
        startedAt,
        elapsedMs: Math.round(clock.monotonicMs() - startedMs),
        userAgent,
        firstHost: firstHostOf(resolutions[0], way.firstIp),
        hops: way.hops,
        requestsCount: chain.counts.requests,
        bytesRead: chain.counts.bytesRead,
        release: chain.page.release,
      };
    } catch (error) {
      chain.page.release();
      throw error;
    } finally {
      deadline.end();
    }
  };
}

function firstHostOf(host: ResolvedHost | undefined, ip: Ip | null): FetchedPage["firstHost"] {
  if (host?.state === "addresses" || host?.state === "blocked") {
    const { addresses, silent } = host;
    return { resolution: host.state === "blocked" ? "blocked" : "ok", addresses, silent, ip };
  }
  const resolution = host?.state === "failed" ? host.reason : "no_address";
  return { resolution, addresses: [], silent: [], ip };
}

/** What the last URL came to. */
type End = Pick<
  FetchedPage,
  "status" | "finalUrl" | "unfollowedUrl" | "finalIp" | "response" | "tls" | "blockedReason" | "error"
>;

type Way = { readonly end: End; readonly hops: readonly Hop[]; readonly firstIp: Ip | null };

type Leg = Omit<Hop, "elapsedMs">;

type EndStep = {
  readonly state: "end";
  readonly end: End;
  /** A redirect that was seen and not followed, as it would go round in circles. */
  readonly hop?: Leg;
};

type Step = { readonly state: "next"; readonly url: URL; readonly hop: Leg; readonly ip: Ip } | EndStep;

type Reading = { readonly request: PageRequest; readonly maxBytes: number };

async function follow(first: URL, chain: HopContext, reading: Reading): Promise<Way> {
  const { clock } = chain;
  const hops: Hop[] = [];
  const visited = new Set<string>();
  let firstIp: Ip | null = null;
  for (let url = first; ; ) {
    visited.add(keyOf(url));
    const startedMs = clock.monotonicMs();
    const judge = (target: URL) => judgeTarget(target, visited, hops.length);
    const step = await visitUrl(url, chain, (visit) => takeStep(visit, chain, { ...reading, judge }));
    const hop = "hop" in step ? step.hop : undefined;
    if (hop) hops.push({ ...hop, elapsedMs: Math.round(clock.monotonicMs() - startedMs) });
    if (step.state !== "next") {
      const end = step.state === "end" ? step.end : failedEnd(url, step);
      return { end, hops, firstIp: firstIp ?? end.finalIp };
    }
    firstIp ??= step.ip;
    url = step.url;
  }
}

/** A fragment makes no other page. */
const keyOf = ({ href, hash }: URL): string => href.slice(0, href.length - hash.length);

type Judgement = "follow" | "too_many_redirects" | "redirect_loop";

function judgeTarget(target: URL, visited: ReadonlySet<string>, hopsCount: number): Judgement {
  if (visited.has(keyOf(target))) return "redirect_loop";
  return hopsCount === MAX_HOPS ? "too_many_redirects" : "follow";
}

type StepReading = Reading & { readonly judge: (target: URL) => Judgement };

/** Where a response leads, or what it is when it leads nowhere that may be followed. */
async function takeStep(visit: OpenedPage, chain: HopContext, reading: StepReading): Promise<Step> {
  const { url, response } = visit;
  const { judge, request } = reading;
  const target = redirectTarget(response.head, url);
  const judgement = target && judge(target);
  if (target && judgement === "follow") return nextStep(visit, target, "http");
  const page = await readPage(visit, chain, reading);
  if (target && judgement && judgement !== "follow")
    return circling(visit, page, judgement, [target, "http"]);
  if (brokenRedirect(response.head, url) !== null)
    return endStep(visit, { ...page, error: NOWHERE }, "invalid_response");
  if (page.status === "timeout" || page.status === "invalid_response")
    return endStep(visit, page, page.status);
  const { body, contentType } = page.response;
  const refresh = refreshTarget(response.head, await request.refreshOf(body, contentType, url), url);
  if (refresh === null) return endStep(visit, page, page.status);
  // A server may redirect to the canonical spelling of a URL; a page that refreshes to it shows itself again.
  const judged = canonicalUrlOf(refresh) === canonicalUrlOf(url) ? "redirect_loop" : judge(refresh);
  if (judged !== "follow") return circling(visit, page, judged, [refresh, "meta"]);
  chain.page.release();
  return nextStep(visit, refresh, "meta");
}

const NOWHERE = { code: "invalid_redirect", message: "The redirect leads to no page of the web" };

/** A loop shows the redirect that closes it; one redirect too many is no hop, as hops are ten at most. */
function circling(
  visit: OpenedPage,
  page: Page,
  status: Exclude<Judgement, "follow">,
  [target, type]: readonly [URL, Hop["type"]],
): Step {
  const { end } = endStep(visit, page, status);
  return status === "redirect_loop"
    ? { state: "end", end, hop: legOf(visit, target, type) }
    : { state: "end", end: { ...end, unfollowedUrl: target.href } };
}

const legOf = ({ url, response, ip, tls }: OpenedPage, target: URL, type: Hop["type"]): Leg => ({
  url: url.href,
  status: response.head.status,
  location: target.href,
  type,
  ip: ip.text,
  tls: tls?.protocol ?? null,
});

const nextStep = (visit: OpenedPage, target: URL, type: Hop["type"]): Step => ({
  state: "next",
  url: target,
  hop: legOf(visit, target, type),
  ip: visit.ip,
});

type Page = {
  readonly status: FetchStatus;
  readonly response: PageResponse;
  readonly error: FetchedPage["error"];
};

async function readPage({ response }: OpenedPage, chain: HopContext, { maxBytes }: Reading): Promise<Page> {
  const { head } = response;
  const end = await readInto(chain, response, maxBytes);
  const page = pageResponse(head, { body: chain.page.finish(), truncated: end.state !== "whole" });
  switch (end.state) {
    case "whole":
      return { status: head.status < 400 ? "ok" : "http_error", response: page, error: null };
    case "too_large":
      return { status: "too_large", response: page, error: null };
    case "broken":
      return chain.deadline.signal.aborted
        ? { status: "timeout", response: page, error: { code: "timeout", message: "The time was over" } }
        : {
            status: "invalid_response",
            response: page,
            error: { code: end.code, message: bodyFault(end.code) },
          };
    case "no_memory":
      return { status: "timeout", response: page, error: TOO_MANY };
    default:
      return end satisfies never;
  }
}

const TOO_MANY = { code: "too_many_pages", message: "Too many large pages were read at the same time" };

/** Reads the body as far as the memory for pages goes, for which it waits. */
async function readInto(
  { page }: HopContext,
  response: OpenResponse,
  maxBytes: number,
): Promise<BodyEnd | { readonly state: "no_memory" }> {
  const { headers } = response.head;
  const announcedBytes = headers.has("content-encoding") ? null : lengthOf(headers);
  if (!(await page.open({ maxBytes, announcedBytes }))) return { state: "no_memory" };
  try {
    return await readBody(response, maxBytes, page.add, { asBrowsers: true });
  } catch (error) {
    if (error instanceof NoMemoryForPage) return { state: "no_memory" };
    throw error;
  }
}

const endStep = ({ url, ip, tls }: OpenedPage, { response, error }: Page, status: FetchStatus): EndStep => ({
  state: "end",
  end: {
    ...{ status, finalUrl: url.href, unfollowedUrl: null, finalIp: ip },
    ...{ response, tls, blockedReason: null, error },
  },
});

const failedEnd = (url: URL, { status, code, message, blockedReason }: VisitFailure): End => ({
  status,
  finalUrl: url.href,
  unfollowedUrl: null,
  finalIp: null,
  response: null,
  tls: null,
  blockedReason,
  error: status === "blocked" ? null : { code, message },
});
