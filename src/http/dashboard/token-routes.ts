import type { z } from "zod";
import type { AccessToken } from "../../accounts/access-tokens.ts";
import { parseExpiry, parseNetworks } from "../../accounts/key-options.ts";
import { parseKeyName } from "../../accounts/key-rows.ts";
import { parseScopes } from "../../accounts/token-scopes.ts";
import { isoSeconds, isoSecondsOrNull } from "../../base/clock.ts";
import { ENDPOINTS } from "./endpoints.ts";
import { judgingField } from "./fields.ts";
import { askedBy, gives, signedIn, takes } from "./route.ts";
import type { TokensView } from "./token-shapes.ts";

/** The access tokens of an account. */
export const TOKEN_ROUTES = {
  tokens: gives(ENDPOINTS.tokens, async (call) => {
    const session = signedIn(call);
    const { account } = session;
    const tokens = await call.dashboard.accounts.listTokens({ accountId: account.id });
    return {
      tokens: tokens.map(viewToken),
      may_create: call.dashboard.sessions.isOperator(session),
    };
  }),
  createToken: takes(ENDPOINTS.createToken, async (call, body) => {
    const now = call.parts.calls.clock.now();
    const { expires_at: expiry = null, networks: texts = null } = body;
    const name = await judgingField("name", body, () => parseKeyName(body.name));
    const scopes = await judgingField("scopes", body, () => parseScopes(body.scopes));
    const expiresAt =
      expiry === null ? null : await judgingField("expires_at", body, () => parseExpiry(expiry, now));
    const networks = texts === null ? null : await judgingField("networks", body, () => parseNetworks(texts));
    const personId = signedIn(call).person?.id ?? null;
    const wish = { ...askedBy(call), personId, name, scopes, expiresAt, networks };
    const { token, text } = await call.dashboard.accounts.createToken(wish);
    return { id: token.id, name: token.name, prefix: token.prefix, token: text };
  }),
  revokeToken: gives(ENDPOINTS.revokeToken, async (call) => {
    await call.dashboard.accounts.revokeToken(call.param("id"), askedBy(call));
    return { done: true } as const;
  }),
};

const viewToken = (token: AccessToken): z.output<typeof TokensView>["tokens"][number] => ({
  id: token.id,
  name: token.name,
  prefix: token.prefix,
  state: token.state,
  scopes: [...token.scopes],
  networks: token.networks && [...token.networks],
  created_at: isoSeconds(token.createdAt),
  expires_at: isoSecondsOrNull(token.expiresAt),
  last_used_at: isoSecondsOrNull(token.lastUsedAt),
  revoked_at: isoSecondsOrNull(token.revokedAt),
});
