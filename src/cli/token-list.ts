import type { AccessToken } from "../accounts/access-tokens.ts";
import { isoDay, isoSeconds, isoSecondsOrNull } from "../base/clock.ts";
import { noAccounts, withAccounts } from "./accounts.ts";
import { defineCommand, JSON_OPTION } from "./command.ts";
import { table } from "./table.ts";

const COLUMNS = [
  { title: "TOKEN", width: 12 },
  { title: "NAME", width: 18 },
  { title: "SCOPES", width: 24 },
  { title: "EXPIRES", width: 10 },
  { title: "LAST USED", width: 10 },
];

/** `repute token list`. */
export const command = defineCommand({
  help: { examples: ["repute token list"], page: "tokens.md" },
  options: [
    { flags: "--account <email>", summary: "E-mail of the account (default: all accounts)" },
    JSON_OPTION,
  ],
  run: async ({ option, has }, context) => {
    const email = option("account");
    const { tokens, isEmpty } = await withAccounts(context, async (accounts) => ({
      tokens: await accounts.listTokens(email === null ? undefined : { email }),
      isEmpty: (await accounts.listAccounts()).length === 0,
    }));
    if (has("json")) context.printJson(tokens.map(tokenJson));
    else if (isEmpty) context.print(noAccounts(await context.config()));
    else if (tokens.length === 0) context.print("There is no token yet");
    else context.print(table(COLUMNS, tokens.map(tokenRow), context.style));
    return 0;
  },
});

/** A token without itself. */
const tokenJson = (token: AccessToken) => ({
  id: token.id,
  account_id: token.accountId,
  name: token.name,
  prefix: token.prefix,
  state: token.state,
  scopes: token.scopes,
  networks: token.networks,
  created_at: isoSeconds(token.createdAt),
  expires_at: isoSecondsOrNull(token.expiresAt),
  last_used_at: isoSecondsOrNull(token.lastUsedAt),
  revoked_at: isoSecondsOrNull(token.revokedAt),
});

const tokenRow = ({ prefix, name, scopes, state, expiresAt, lastUsedAt }: AccessToken): readonly string[] => [
  prefix,
  name,
  scopes.join(", "),
  expiresAt === null ? "never" : isoDay(expiresAt),
  state !== "active" ? state : lastUsedAt === null ? "never" : isoDay(lastUsedAt),
];
