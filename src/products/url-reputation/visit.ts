import { createHash } from "node:crypto";
import { type Answer, unavailable } from "../../base/failure.ts";
import { fileTypeOf } from "../../enrichment/page/file-type.ts";
import { extensionOf } from "../../enrichment/page/links.ts";
import type { ReadResponse, ResponseBody } from "../../enrichment/page/read-response.ts";
import { startDeadline } from "../../net/deadline.ts";
import type { FetchedPage, PageResponse } from "../../net/page-fetch/fetch-types.ts";
import { turn } from "../../net/turns.ts";
import type { Deps } from "../deps.ts";
import type { LookupContext } from "../product.ts";

/** A page without its octets, which are forgotten as soon as they were read. */
export type VisitedPage = Omit<FetchedPage, "response" | "release"> & {
  readonly response: Omit<PageResponse, "body"> | null;
};

/** A page, and what its octets say. */
export type PageVisit = {
  readonly fetched: VisitedPage;
  /** Null: there was no response. */
  readonly read: Answer<ReadResponse> | null;
  /** Of a response that could not be read whole. */
  readonly octets: Pick<ReadResponse, "bodySha256" | "fileType"> | null;
};

/** Kept back of a call's time for reading the page and for what is asked about its server. */
const AFTERWARDS_MS = 4000;

/** Fetches a URL by the rules of design 7.3 and reads the last response. */
export async function visitPage(
  url: URL,
  { pageFetch, pageAnalysis, clock }: Pick<Deps, "pageFetch" | "pageAnalysis" | "clock">,
  { signal, deadlineMs }: LookupContext,
): Promise<PageVisit> {
  // A page is read once, for its refresh and for its facts; it is not kept for that.
  let last: { readonly body: WeakRef<Uint8Array>; readonly read: Answer<ReadResponse> } | null = null;
  const read = async (response: ResponseBody) => {
    if (last?.body.deref() !== response.body) {
      const answer = await pageAnalysis.read(response, { signal, deadlineMs });
      last = { body: new WeakRef(response.body), read: answer };
    }
    return last.read;
  };
  const withinMs = deadlineMs - AFTERWARDS_MS - clock.monotonicMs();
  const deadline = startDeadline(clock, Math.max(0, withinMs), signal);
  try {
    const fetched = await pageFetch({
      url,
      refreshOf: async (body, contentType, { href }) => {
        const answer = await read({ body, contentType, url: href });
        return answer.state === "answered" ? answer.value.refresh : null;
      },
      signal: deadline.signal,
    });
    return await readFetched(fetched, read).finally(fetched.release);
  } finally {
    deadline.end();
  }
}

async function readFetched(
  { release: _, ...fetched }: FetchedPage,
  readBody: (response: ResponseBody) => Promise<Answer<ReadResponse>>,
): Promise<PageVisit> {
  const { response, finalUrl } = fetched;
  if (response === null) return { fetched: { ...fetched, response }, read: null, octets: null };
  const { body, ...shown } = response;
  const read = isUnread(response) ? UNREAD : await readBody(bodyOf(response, finalUrl));
  const octets = read.state === "answered" ? null : await octetsOf(response, finalUrl);
  return { fetched: { ...fetched, response: shown }, read, octets };
}

const octetsOf = async (response: PageResponse, url: string): Promise<NonNullable<PageVisit["octets"]>> => ({
  bodySha256: isUnread(response) ? "" : await sha256Of(response.body),
  fileType: fileTypeOf(extensionOf(new URL(url)), response.contentType, response.body),
});

/** Piece by piece: megabytes take milliseconds of the event loop, and a copy for another thread would take more. */
async function sha256Of(octets: Uint8Array): Promise<string> {
  const hash = createHash("sha256");
  for (let from = 0; from < octets.length; from += PIECE_BYTES) {
    await turn();
    hash.update(octets.subarray(from, from + PIECE_BYTES));
  }
  return hash.digest("hex");
}

const PIECE_BYTES = 262_144;

/** Nothing of the body could be read: its coding is unknown or broken, or it never came. */
export const isUnread = ({ bodyBytes, truncated }: Omit<PageResponse, "body">): boolean =>
  truncated && bodyBytes === 0;

const UNREAD = unavailable("page", "error", "No octet of the body could be read");

const bodyOf = ({ body, contentType }: PageResponse, url: string): ResponseBody => ({
  body,
  contentType,
  url,
});
