import type { AccountRef } from "../accounts/account-rows.ts";
import type { Accounts } from "../accounts/account-store.ts";
import type { TokenScope } from "../accounts/token-scopes.ts";
import { isoSeconds } from "../base/clock.ts";
import { InvalidValue } from "../base/failure.ts";
import type { Config } from "../config/config.ts";
import { noAccounts, withAccounts } from "./accounts.ts";
import { type CliContext, defineCommand, JSON_OPTION } from "./command.ts";
import { knownExports } from "./exports.ts";
import { listed } from "./key-limits.ts";
import { labelled } from "./table.ts";

/** `repute token create`. */
export const command = defineCommand({
  help: {
    examples: [
      "repute token create --scope gate --networks 10.0.0.0/8 --name proxy",
      "repute token create --scope exports:edge,decisions --expires 365d",
    ],
    page: "tokens.md",
  },
  options: [
    { flags: "--scope <list>", summary: "gate, decisions, exports:NAME, with commas", isRequired: true },
    { flags: "--networks <list>", summary: "Networks that calls may come from, with commas, or any" },
    { flags: "--expires <time>", summary: "A day, a time with its zone, a duration such as 90d, or never" },
    { flags: "--name <name>", summary: "What the token is for (default: default)" },
    { flags: "--account <email>", summary: "E-mail of its account (default: the only owner's)" },
    JSON_OPTION,
  ],
  run: async ({ option, has }, context) => {
    const { parseExpiry, parseNetworks } = await import("../accounts/key-options.ts");
    const { parseScopes } = await import("../accounts/token-scopes.ts");
    const scopes = parseScopes(listed(option("scope") ?? ""));
    const [networks, expires, name, email] = [
      option("networks"),
      option("expires"),
      option("name"),
      option("account"),
    ];
    const wish = {
      scopes,
      networks: networks === null || networks === "any" ? null : parseNetworks(listed(networks)),
      ...(name === null ? {} : { name }),
    };
    const config = await context.config();
    const { token, text } = await withAccounts(context, async (accounts, { clock }) => {
      const expiresAt = expires === null || expires === "never" ? null : parseExpiry(expires, clock.now());
      const owner = email === null ? await onlyOwner(accounts, config) : { email };
      return accounts.createToken({ ...wish, expiresAt, ...owner });
    });
    for (const sentence of await slipsIn(scopes, context)) context.warn(`warning: ${sentence}`);
    if (has("json")) {
      context.printJson({ id: token.id, name: token.name, prefix: token.prefix, scopes, token: text });
      return 0;
    }
    const rows = [
      ["Token", text] as const,
      ["Name", token.name] as const,
      ["Id", token.id] as const,
      ["Scopes", scopes.join(", ")] as const,
      ...(token.networks === null ? [] : [["Networks", token.networks.join(", ")] as const]),
      ...(token.expiresAt === null ? [] : [["Expires", isoSeconds(token.expiresAt)] as const]),
    ];
    context.print(`${labelled(rows)}\nStore the token now: it is not shown again.`);
    return 0;
  },
});

/** Exports that the configuration has not: it may get them yet, and until then the token opens nothing there. */
async function slipsIn(scopes: readonly TokenScope[], context: CliContext): Promise<readonly string[]> {
  const config = await context.config();
  const names = config.file.exports.map(({ name }) => name);
  return scopes
    .filter((scope) => scope.startsWith("exports:") && !names.includes(scope.slice("exports:".length)))
    .map((scope) => `the configuration has no export for the scope "${scope}"; ${knownExports(config)}`);
}

/** The account of an installation with one owner. Throws InvalidValue where there are none or several. */
async function onlyOwner(
  accounts: Pick<Accounts, "listAccounts">,
  config: Pick<Config, "databaseUrl" | "dataDir">,
): Promise<AccountRef> {
  const all = await accounts.listAccounts();
  const owners = all.filter(({ isOwner, disabledAt }) => isOwner && disabledAt === null);
  const [first, second] = owners.length === 0 && all.length === 1 ? all : owners;
  if (first !== undefined && second === undefined) return { accountId: first.id };
  throw new InvalidValue(
    "account_missing",
    all.length === 0
      ? noAccounts(config)
      : `There ${first === undefined ? "is no owner" : "are several owners"}: name the account with --account`,
  );
}
