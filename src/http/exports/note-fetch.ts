import type { IncomingMessage, ServerResponse } from "node:http";
import type { TokenBearer } from "../../accounts/access-tokens.ts";
import type { ExportShelf } from "../../exports/shelf.ts";
import type { Ip } from "../../targets/ip.ts";
import type { FileQuestion } from "./question.ts";

/** Who fetches, what, and of which generation. */
export type Fetching = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly question: FileQuestion;
  readonly bearer: Pick<TokenBearer, "prefix">;
  readonly address: Ip | null;
  readonly generation: () => number;
};

/** Notes who has which generation, once the whole answer left. */
export function noteFetch(
  { fetches }: Pick<ExportShelf, "fetches">,
  { request, response, question, bearer, address, generation }: Fetching,
): void {
  if (request.method === "HEAD") return;
  response.once("finish", () => {
    const { statusCode: status } = response;
    if (status !== 200 && status !== 304) return;
    fetches.note(question.name, {
      token: bearer.prefix,
      address: address?.text ?? null,
      user_agent: request.headers["user-agent"] ?? null,
      format: question.ext,
      generation: generation(),
      unchanged: status === 304,
    });
  });
}
