import type { StoreDeps } from "../accounts/account-rows.ts";
import type { Account, Ledger } from "../accounts/accounts.ts";
import type { DeletionRules } from "../accounts/delete-account.ts";
import { exportAccount } from "../accounts/export-account.ts";
import type { Log } from "../log.ts";
import { type Attempts, accountSubject, addressSubject, createAttempts } from "./attempts.ts";
import { type ClosingWish, closeAccount, refuseKeySession } from "./close-account.ts";
import { findByEmail, readCredentials } from "./credentials.ts";
import type { SignInDeps } from "./deps.ts";
import type { DashboardOptions } from "./options.ts";
import type { Passwords } from "./passwords.ts";
import { issueResetToken, type ResetWish, resetPassword } from "./reset.ts";
import { confirmTotp, removeTotp, type SecurityWish, setPassword, startTotp } from "./security.ts";
import { type Client, createSessionStore, type Session, type SessionStore } from "./session-store.ts";
import { type SignInWish, signIn } from "./sign-in.ts";
import { isOwnersEmail, signUp } from "./sign-up.ts";
import type { TotpSetUp } from "./totp.ts";

/** Everything about signing in. Tokens are what cookies and links hold; nobody keeps them. Source: security P15. */
export type Sessions = SessionStore & {
  readonly signIn: (wish: SignInWish) => Promise<string>;
  readonly signUp: (wish: {
    readonly email: string;
    readonly password: string;
    readonly client: Client;
  }) => Promise<void>;
  readonly setPassword: (
    wish: SecurityWish & { readonly currentPassword: string | null; readonly newPassword: string },
  ) => Promise<void>;
  readonly resetPassword: (wish: ResetWish) => Promise<string | null>;
  /** The token of a link for an e-mail's account, or null where there is none. Throws RATE_LIMIT_EXCEEDED. */
  readonly requestReset: (wish: { readonly email: string; readonly client: Client }) => Promise<{
    /** To be called when the answer has left: its time would tell. */
    readonly issue: () => Promise<{ readonly token: string; readonly email: string } | null>;
  }>;
  readonly startTotp: (
    wish: SecurityWish & { readonly currentPassword: string | null },
  ) => Promise<TotpSetUp>;
  readonly confirmTotp: (wish: SecurityWish & { readonly code: string }) => Promise<void>;
  readonly removeTotp: (wish: SecurityWish & { readonly code: string }) => Promise<void>;
  /** Deletes the account of a session on its own wish. */
  readonly closeAccount: (wish: ClosingWish, rules: DeletionRules) => Promise<void>;
  /**
   * Everything that is stored of a session's account, as pieces of one JSON object. Throws FORBIDDEN for a session opened by a
   * key, RATE_LIMIT_EXCEEDED after ten in 15 minutes: the whole history is read.
   */
  readonly exportAccount: (session: Session) => Promise<AsyncGenerator<string>>;
  readonly waysIn: (accountId: string) => Promise<{ readonly password: boolean; readonly totp: boolean }>;
  /** By its own flag, or by the configuration where the operator made the account. */
  readonly isOwner: (account: Pick<Account, "email" | "isOwner" | "isSignedUp">) => boolean;
};

export type SessionsDeps = StoreDeps & {
  readonly ledger: Pick<Ledger, "findCaller">;
  readonly passwords: Passwords;
  readonly options: DashboardOptions;
  readonly log: Pick<Log, "info" | "warn">;
};

/** Sessions over an open database; several processes may have them on one. */
export function createSessions(parts: SessionsDeps): Sessions {
  const attempts = createAttempts(parts);
  const deps: SignInDeps & SessionsDeps = { ...parts, attempts };
  const store = createSessionStore(deps);
  return {
    ...store,
    prune: async () => {
      await store.prune();
      await attempts.prune();
    },
    signIn: (wish) => signIn(wish, deps),
    signUp: (wish) => signUp(wish, deps),
    setPassword: (wish) => setPassword(wish, deps),
    resetPassword: (wish) => resetPassword(wish, deps),
    requestReset: (wish) => requestReset(wish, attempts, deps),
    startTotp: (wish) => startTotp(wish, deps),
    confirmTotp: (wish) => confirmTotp(wish, deps),
    removeTotp: (wish) => removeTotp(wish, deps),
    closeAccount: (wish, rules) => closeAccount(wish, rules, deps),
    exportAccount: async (session) => {
      refuseKeySession(session);
      await attempts.begin([`export ${session.account.id}`]);
      return exportAccount({ accountId: session.account.id }, deps);
    },
    waysIn: async (accountId) => {
      const { passwordHash, totpSecret } = await readCredentials(deps.db.kysely, accountId);
      return { password: passwordHash !== null, totp: totpSecret !== null };
    },
    // A stranger may have signed up by an address before the configuration named it.
    isOwner: ({ email, isOwner, isSignedUp }) => isOwner || (!isSignedUp && isOwnersEmail(email, deps)),
  };
}

async function requestReset(
  { email, client }: { readonly email: string; readonly client: Client },
  attempts: Attempts,
  deps: SignInDeps,
) {
  // Whoever asks for many is refused, and so is whoever has one mailbox filled from many places.
  await attempts.begin([
    `reset ${addressSubject(client.bucket)}`,
    `reset ${accountSubject(email.trim().toLowerCase())}`,
  ]);
  return {
    issue: async () => {
      const found = await findByEmail(deps.db.kysely, email, deps.clock.now());
      if (found === null || found.account.disabledAt !== null) return null;
      const wish = { accountId: found.account.id, endsTotp: false, actor: "reset request" };
      return { token: await issueResetToken(wish, deps), email: found.account.email };
    },
  };
}
