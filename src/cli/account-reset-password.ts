import { unknownAccount } from "../accounts/account-rows.ts";
import type { Config } from "../config/config.ts";
import { withAccounts } from "./accounts.ts";
import { defineCommand, JSON_OPTION } from "./command.ts";

/** `repute account reset-password`. */
export const command = defineCommand({
  help: {
    examples: ["repute account reset-password ann@example.com"],
    page: "operations.md#accounts-and-passwords",
  },
  arguments: [
    {
      name: "email",
      summary: "E-mail of the person who signs in: the account's, or that of another person of it",
    },
  ],
  options: [JSON_OPTION],
  run: async ({ argument, has }, context) => {
    const config = await context.config();
    const { issueResetToken, resetLink } = await import("../sessions/reset.ts");
    const { findByEmail } = await import("../sessions/credentials.ts");
    const base = config.file.server.public_url ?? (await runningAddress(config));
    const { token, isProved } = await withAccounts(context, async (_accounts, db) => {
      const found = await findByEmail(db.kysely, argument("email"), db.clock.now());
      if (found === null) throw unknownAccount({ email: argument("email") });
      const wish = { personId: found.person.id, endsTotp: true, actor: "cli" };
      const token = await issueResetToken(wish, { db, clock: db.clock, random: context.random });
      return { token, isProved: found.account.emailProvedAt !== null };
    });
    const link = resetLink(base, token);
    if (has("json")) context.printJson({ link });
    else {
      context.print(link);
      context.print("It sets a new password, once, within an hour; an authenticator is taken off.");
      if (!isProved) context.print("It proves the address as well, and revokes all keys made before that.");
    }
    return 0;
  },
});

/** Where the service on this data folder listens; where it would by its configuration when none runs here. */
async function runningAddress(config: Config): Promise<string> {
  const { readFile } = await import("node:fs/promises");
  const { addressFileOf } = await import("../config/config.ts");
  const { host, port } = config;
  const written = await readFile(addressFileOf(config), "utf8").catch(() => "");
  const address = /^http:\/\/[\w.:[\]-]+$/.test(written)
    ? new URL(written)
    : new URL(`http://${inUrl(host)}:${port}`);
  // One that listens everywhere is reached here.
  if (["0.0.0.0", "[::]"].includes(address.hostname)) address.hostname = "127.0.0.1";
  return address.origin;
}

const inUrl = (host: string): string => (host.includes(":") && !host.startsWith("[") ? `[${host}]` : host);
