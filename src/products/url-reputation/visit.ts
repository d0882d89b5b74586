import type { Deps } from "../../deps.ts";
import type { ReadResponse, ResponseBody } from "../../enrichment/page/read-response.ts";
import { type Answer, unavailable } from "../../failure.ts";
import { startDeadline } from "../../net/deadline.ts";
import type { FetchedPage, PageResponse } from "../../net/fetch-types.ts";
import type { LookupContext } from "../product.ts";

/** A page, and what its octets say; null: there was no response. */
export type Visit = { readonly fetched: FetchedPage; readonly read: Answer<ReadResponse> | null };

/** Kept back of a call's time for reading the page and for what is asked about its server. */
const AFTERWARDS_MS = 4000;

/** Fetches a URL by the rules of design 7.3 and reads the last response. */
export async function visitPage(
  url: URL,
  { pageFetch, pageAnalysis, clock }: Pick<Deps, "pageFetch" | "pageAnalysis" | "clock">,
  { signal, deadlineMs }: LookupContext,
): Promise<Visit> {
  // A page is read once, for its refresh and for its facts.
  let last: { readonly body: Uint8Array; readonly read: Answer<ReadResponse> } | null = null;
  const read = async (response: ResponseBody) => {
    if (last?.body !== response.body) {
      last = { body: response.body, read: await pageAnalysis.read(response, { signal, deadlineMs }) };
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
    const { response, finalUrl } = fetched;
    if (response === null) return { fetched, read: null };
    return { fetched, read: isUnread(response) ? UNREAD : await read(bodyOf(response, finalUrl)) };
  } finally {
    deadline.end();
  }
}

/** Nothing of the body could be read: its coding is unknown or broken, or it never came. */
export const isUnread = ({ body, truncated }: PageResponse): boolean => truncated && body.length === 0;

const UNREAD = unavailable("page", "error", "No octet of the body could be read");

const bodyOf = ({ body, contentType }: PageResponse, url: string): ResponseBody => ({
  body,
  contentType,
  url,
});
