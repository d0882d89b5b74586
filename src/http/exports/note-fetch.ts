import type { IncomingMessage, ServerResponse } from "node:http";
import type { TokenBearer } from "../../accounts/access-tokens.ts";
import type { ExportShelf } from "../../exports/shelf.ts";
import type { Ip } from "../../targets/ip.ts";
import type { FileQuestion } from "./question.ts";

/** Who fetches, and what. */
type Fetching = {
  readonly request: IncomingMessage;
  readonly question: FileQuestion;
  readonly bearer: Pick<TokenBearer, "prefix">;
  readonly address: Ip | null;
};

type Fetched = { readonly generation: number; readonly unchanged: boolean };

/** Notes who has which generation of a file. */
export function noteFetched(
  { fetches }: Pick<ExportShelf, "fetches">,
  { request, question, bearer, address }: Fetching,
  { generation, unchanged }: Fetched,
): void {
  if (request.method === "HEAD") return;
  fetches.note(question.name, {
    token: bearer.prefix,
    address: address?.text ?? null,
    user_agent: request.headers["user-agent"] ?? null,
    format: question.ext,
    ...{ generation, unchanged },
  });
}

/** Notes it of a file that is sent, or is there already, once all of the answer left. */
export function noteFetch(
  shelf: Pick<ExportShelf, "fetches">,
  { response, generation, ...fetching }: Fetching & Sending,
): void {
  response.once("finish", () => {
    const { statusCode } = response;
    if (statusCode !== 200 && statusCode !== 304) return;
    noteFetched(shelf, fetching, { generation: generation(), unchanged: statusCode === 304 });
  });
}

type Sending = { readonly response: ServerResponse; readonly generation: () => number };
