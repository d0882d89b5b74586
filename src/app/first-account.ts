import type { Accounts } from "../accounts/account-store.ts";
import { systemRandom } from "../base/clock.ts";
import type { Config } from "../config/config.ts";
import type { Database } from "../db/database.ts";
import { issueResetToken, resetLink } from "../sessions/reset.ts";

/** The account of the very first start: its key and the link that sets its password are shown once and never again (design 14). */
export type FirstAccount = {
  /** Of the service. */
  readonly address: string;
  readonly email: string;
  readonly key: string;
  readonly link: string;
};

type FirstStart = {
  readonly db: Database;
  readonly accounts: Accounts;
  readonly config: Config;
  readonly address: string;
};

/** Makes the account; null when this is not the first start. */
export async function createFirstAccount(start: FirstStart): Promise<FirstAccount | null> {
  const { db, accounts, config, address } = start;
  const owner = await accounts.bootstrapOwner();
  if (owner === null) return null;
  // The first person of an account has its id.
  const { id: personId, email } = owner.account;
  const deps = { db, clock: db.clock, random: systemRandom };
  const token = await issueResetToken({ personId, endsTotp: true, actor: "service" }, deps);
  const link = resetLink(config.file.server.public_url ?? address, token);
  return { address, email, key: owner.text, link };
}

/** A first call, in the parts that may stand on lines of their own. */
export const firstCall = ({ address, key }: FirstAccount): readonly string[] => [
  `curl -s ${address}/api/check-ip`,
  `-H 'X-API-Key: ${key}'`,
  "-H 'Content-Type: application/json'",
  `-d '{"ip":"8.8.8.8"}'`,
];

/** Plain lines, for where no person waits at a terminal. */
export const firstAccountLines = (first: FirstAccount): readonly string[] => [
  `Created the account ${first.email} for ${first.address}/app and the API. Its API key, shown this once: ${first.key}`,
  firstCall(first).join(" "),
  `Set the password of ${first.email}, once, within an hour: ${first.link} (later: repute account reset-password ${first.email})`,
];
