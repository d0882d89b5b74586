import type { StoreDeps } from "../accounts/account-rows.ts";
import type { Account, Ledger } from "../accounts/accounts.ts";
import type { DeletionRules } from "../accounts/delete-account.ts";
import { exportAccount } from "../accounts/export-account.ts";
import { DAY_MS, HOUR_MS } from "../base/durations.ts";
import { Refusal } from "../base/failure.ts";
import type { Log } from "../base/log.ts";
import type { SignInMetrics } from "../base/metrics.ts";
import { accountSubject, createAttempts, type SignInAttempts } from "./attempts.ts";
import { type ClosingWish, closeAccount, personOf } from "./close-account.ts";
import { findByEmail, readCredentials } from "./credentials.ts";
import type { SignInDeps } from "./deps.ts";
import { createSignInFailures } from "./failed-sign-in-audit.ts";
import { createInvitations, type Invitations } from "./invitations.ts";
import type { DashboardOptions } from "./options.ts";
import type { Passwords } from "./passwords.ts";
import { countRecoveryCodes } from "./recovery-codes.ts";
import {
  issueResetToken,
  PROOF_MS,
  RESET_MS,
  type ResetView,
  type ResetWish,
  resetPassword,
  viewReset,
} from "./reset.ts";
import {
  confirmTotp,
  removeTotp,
  renewCodes,
  type SecurityWish,
  setPassword,
  startTotp,
} from "./security.ts";
import { type Client, createSessionStore, type Session, type SessionStore } from "./session-store.ts";
import { type SignInWish, signIn } from "./sign-in.ts";
import {
  clientAllowances,
  isOwnersEmail,
  openAccount,
  requestSignUp,
  type SignUpMail,
  viewSignUp,
} from "./sign-up.ts";
import type { TotpSetUp } from "./totp.ts";

/** A link that sets a new password, and the address it is mailed to. `lifeMs`: how long it opens. */
export type ResetMail = { readonly token: string; readonly email: string; readonly lifeMs: number };

/** Everything about signing in. Tokens are what cookies and links hold; they are not stored. Source: security P15. */
export type Sessions = SessionStore &
  Invitations & {
    readonly signIn: (wish: SignInWish) => Promise<string>;
    /** Resolves when the failed sign-ins of so far are in the audit log. */
    readonly failuresWritten: () => Promise<void>;
    readonly requestSignUp: (wish: {
      readonly email: string;
      readonly client: Client;
    }) => Promise<{ readonly issue: () => Promise<SignUpMail | null> }>;
    readonly viewSignUp: (token: string) => Promise<{ readonly email: string }>;
    readonly openAccount: (wish: {
      readonly token: string;
      readonly password: string;
      readonly client: Client;
    }) => Promise<string>;
    readonly setPassword: (
      wish: SecurityWish & { readonly currentPassword: string | null; readonly newPassword: string },
    ) => Promise<void>;
    readonly viewReset: (token: string) => Promise<ResetView>;
    readonly resetPassword: (wish: ResetWish) => Promise<string | null>;
    /** The token of a link for an e-mail's account, or null where there is none. Throws RATE_LIMIT_EXCEEDED. */
    readonly requestReset: (wish: { readonly email: string; readonly client: Client }) => Promise<{
      /** To be called when the answer has left: its time would tell. */
      readonly issue: () => Promise<ResetMail | null>;
    }>;
    readonly startTotp: (
      wish: SecurityWish & { readonly currentPassword: string | null },
    ) => Promise<TotpSetUp>;
    readonly confirmTotp: (wish: SecurityWish & { readonly code: string }) => Promise<readonly string[]>;
    readonly renewCodes: (wish: SecurityWish & { readonly code: string }) => Promise<readonly string[]>;
    readonly removeTotp: (wish: SecurityWish & { readonly code: string }) => Promise<void>;
    /** Deletes the account of a session on its own wish. */
    readonly closeAccount: (wish: ClosingWish, rules: DeletionRules) => Promise<void>;
    /**
     * Everything that is stored of a session's account, as pieces of one JSON object. Throws FORBIDDEN for a session of no
     * owner, RATE_LIMIT_EXCEEDED after ten in 15 minutes: the whole history is read.
     */
    readonly exportAccount: (session: Session) => Promise<AsyncGenerator<string>>;
    /** `recoveryCodes`: how many are left; null without an authenticator. */
    readonly waysIn: (personId: string) => Promise<{
      readonly password: boolean;
      readonly totp: boolean;
      readonly recoveryCodes: number | null;
    }>;
    /** By its own flag, or by the configuration where the operator made the account. */
    readonly isOwner: (account: Pick<Account, "email" | "isOwner" | "isSignedUp">) => boolean;
    /**
     * Whether a session may do what owners of the installation do: its person is an owner of such an account, and where the
     * configuration made it one, the person it names. A session that a key opened may not.
     */
    readonly isOperator: (session: Pick<Session, "account" | "person">) => boolean;
  };

export type SessionsDeps = StoreDeps & {
  readonly ledger: Pick<Ledger, "findCaller">;
  readonly passwords: Passwords;
  readonly options: DashboardOptions;
  /** Null: not counted. */
  readonly metrics: SignInMetrics | null;
  readonly log: Pick<Log, "info" | "warn">;
};

/** Sessions over an open database; several processes may have them on one. */
export function createSessions(parts: SessionsDeps): Sessions {
  const attempts = createAttempts(parts);
  const failures = createSignInFailures(parts);
  const deps: SignInDeps & SessionsDeps = { ...parts, attempts, failures };
  const store = createSessionStore(deps);
  return {
    ...store,
    ...createInvitations(deps),
    prune: async () => {
      await store.prune();
      await attempts.prune();
    },
    signIn: (wish) => signIn(wish, deps),
    failuresWritten: failures.written,
    requestSignUp: (wish) => requestSignUp(wish, deps),
    viewSignUp: (token) => viewSignUp(token, deps),
    openAccount: (wish) => openAccount(wish, deps),
    setPassword: (wish) => setPassword(wish, deps),
    viewReset: (token) => viewReset(token, deps),
    resetPassword: (wish) => resetPassword(wish, deps),
    requestReset: (wish) => requestReset(wish, attempts, deps),
    startTotp: (wish) => startTotp(wish, deps),
    confirmTotp: (wish) => confirmTotp(wish, deps),
    removeTotp: (wish) => removeTotp(wish, deps),
    renewCodes: (wish) => renewCodes(wish, deps),
    closeAccount: (wish, rules) => closeAccount(wish, rules, deps),
    exportAccount: async (session) => {
      const { role } = personOf(session);
      if (role !== "owner") throw new Refusal("FORBIDDEN", { message: EXPORT_BY_OWNERS });
      await attempts.begin([`export ${session.account.id}`]);
      return exportAccount({ accountId: session.account.id }, deps);
    },
    waysIn: async (personId) => {
      const { passwordHash, totpSecret } = await readCredentials(deps.db.kysely, personId);
      const recoveryCodes = totpSecret === null ? null : await countRecoveryCodes(deps.db.kysely, personId);
      return { password: passwordHash !== null, totp: totpSecret !== null, recoveryCodes };
    },
    // A stranger may have signed up by an address before the configuration named it.
    isOwner: ({ email, isOwner, isSignedUp }) => isOwner || (!isSignedUp && isOwnersEmail(email, deps)),
    isOperator: ({ account, person }) => {
      if (person?.role !== "owner") return false;
      // An account's owner may have invited an address before the configuration named it.
      const isNamed = !account.isSignedUp && !person.isInvited && isOwnersEmail(person.email, deps);
      return account.isOwner || isNamed;
    },
  };
}

const EXPORT_BY_OWNERS = "Only owners of this account may download all that is stored of it";

/** Links to one mailbox in an hour, which is their life: who is refused has as many there, and each still opens. */
const MAX_LINKS_AN_HOUR = 5;
/** Links a day to a mailbox that is not proved; each opens for a day. */
const MAX_PROOFS_A_DAY = 3;

async function requestReset(
  { email, client }: { readonly email: string; readonly client: Client },
  attempts: SignInAttempts,
  deps: SignInDeps,
) {
  // Many requests of one client are refused, and so are many for one mailbox from many clients. Wrong passwords are
  // counted elsewhere: a link can be had while strangers' failures lock the account.
  const mailbox = accountSubject(email.trim().toLowerCase());
  await attempts.begin([
    ...clientAllowances("reset", client),
    { subject: `reset ${mailbox}`, max: MAX_LINKS_AN_HOUR, windowMs: HOUR_MS },
  ]);
  return {
    issue: async (): Promise<ResetMail | null> => {
      const found = await findByEmail(deps.db.kysely, email, deps.clock.now());
      if (found === null || found.account.disabledAt !== null) return null;
      const { id: personId, email: to } = found.person;
      const { emailProvedAt } = found.account;
      const isProof = emailProvedAt === null;
      // The answer has left: a refusal here tells nothing.
      if (isProof && !(await mayProve(mailbox, attempts))) return null;
      const lifeMs = isProof ? PROOF_MS : RESET_MS;
      const wish = { personId, endsTotp: false, actor: "reset request", lifeMs };
      return { token: await issueResetToken(wish, deps), email: to, lifeMs };
    },
  };
}

async function mayProve(mailbox: string, attempts: SignInAttempts): Promise<boolean> {
  try {
    await attempts.begin([{ subject: `proof ${mailbox}`, max: MAX_PROOFS_A_DAY, windowMs: DAY_MS }]);
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.code === "RATE_LIMIT_EXCEEDED") return false;
    throw error;
  }
}
