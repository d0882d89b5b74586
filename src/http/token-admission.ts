import type { TokenBearer } from "../accounts/access-tokens.ts";
import { KEY_START, TOKEN_START } from "../accounts/keys.ts";
import type { TokenScope } from "../accounts/token-scopes.ts";
import { Refusal } from "../base/failure.ts";
import type { HttpParts, Request, RequestState } from "./context.ts";
import { credentialOf, passwordOf } from "./credential.ts";

/** The refusal of a lookup's credential that is no key that works. Keys and tokens are told apart by their beginning. */
export const refusalOfKey = (credential: string): Refusal =>
  credential.startsWith(TOKEN_START)
    ? new Refusal("UNAUTHORIZED", {
        message: `This is an access token, for exports, decisions and the gate; lookups take an API key (${KEY_START}…)`,
      })
    : new Refusal("UNAUTHORIZED");

/**
 * The bearer of the token that a request carries, in `X-API-Key`, as Bearer, as the password of Basic, or, where a route takes
 * it there, in its path. Throws UNAUTHORIZED for none, one that does not work, and an API key; FORBIDDEN for a token of
 * another scope or from another network. At once where that is known in memory.
 */
export function admitToken(
  { tokens }: Pick<HttpParts, "tokens">,
  { headers, state }: Pick<Request, "headers"> & { readonly state: Pick<RequestState, "clientAddress"> },
  scope: TokenScope,
  inPath: string | null = null,
): Promise<TokenBearer> | TokenBearer {
  const text = inPath ?? credentialOf(headers) ?? passwordOf(headers);
  if (text === null || text === "") throw noToken(scope);
  if (text.startsWith(KEY_START)) throw isKey(scope);
  const found = tokens.find(text);
  const judge = (bearer: TokenBearer | null): TokenBearer => {
    if (bearer === null)
      throw new Refusal("UNAUTHORIZED", { message: "Unknown, expired or revoked access token" });
    if (!bearer.scopes.has(scope)) throw otherScope(bearer, scope);
    if (!bearer.allowsAddress(state.clientAddress)) throw otherNetwork(state.clientAddress?.text ?? null);
    return bearer;
  };
  return found instanceof Promise ? found.then(judge) : judge(found);
}

const howToGet = (scope: TokenScope): string => `repute token create --scope ${scope}`;

const noToken = (scope: TokenScope): Refusal =>
  new Refusal("UNAUTHORIZED", {
    message: `Send an access token (${TOKEN_START}…) as X-API-Key, Bearer or Basic password; make one with: ${howToGet(scope)}`,
  });

const isKey = (scope: TokenScope): Refusal =>
  new Refusal("UNAUTHORIZED", {
    message: `This is an API key, for lookups; here an access token (${TOKEN_START}…) is needed, made with: ${howToGet(scope)}`,
  });

const otherScope = ({ scopes }: TokenBearer, scope: TokenScope): Refusal =>
  new Refusal("FORBIDDEN", {
    message: `This access token has no scope "${scope}", but: ${[...scopes].join(", ")}`,
    details: { scope },
  });

const otherNetwork = (address: string | null): Refusal =>
  new Refusal("FORBIDDEN", {
    message: `This access token may not be used from ${address ?? "an unknown address"}`,
    details: { client_address: address },
  });
