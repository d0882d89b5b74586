import { lockAccountRow, type StoreDeps } from "../accounts/account-rows.ts";
import { countAudit } from "../accounts/audit.ts";
import type { Log } from "../base/log.ts";
import { nextTurn } from "../base/next-turn.ts";

/** A sign-in that failed on an account that exists. */
type FailedSignIn = {
  readonly accountId: string;
  /** E-mail of the person; null: by a key. */
  readonly person: string | null;
  readonly by: "password" | "key";
  /** Address of the client. */
  readonly client: string;
};

export type SignInFailures = {
  /** Takes a failure down for the audit log, one row an hour and person; never throws. */
  readonly note: (failure: FailedSignIn) => void;
  /** Resolves when all that was noted is written. */
  readonly written: () => Promise<void>;
};

/** Failed sign-ins for the audit log. They are written when their answer has left: its time must not tell who has an account. */
export function createSignInFailures(deps: StoreDeps & { readonly log: Pick<Log, "warn"> }): SignInFailures {
  const pending = new Map<string, { times: number; last: FailedSignIn }>();
  let writing: Promise<void> | null = null;
  const write = async (): Promise<void> => {
    await nextTurn();
    await nextTurn();
    for (const [subject, { times, last }] of pending) {
      pending.delete(subject);
      await writeFailures(last, times, deps).catch((error) =>
        deps.log.warn(
          { err: error, account_id: last.accountId },
          "Cannot write failed sign-ins to the audit log",
        ),
      );
    }
    writing = null;
  };
  return {
    note: (failure) => {
      const subject = `${failure.accountId} ${failure.person}`;
      const times = (pending.get(subject)?.times ?? 0) + 1;
      pending.set(subject, { times, last: failure });
      writing ??= write();
    },
    written: async () => {
      await writing;
    },
  };
}

async function writeFailures(last: FailedSignIn, times: number, deps: StoreDeps): Promise<void> {
  const { accountId, person, by, client } = last;
  await deps.db.kysely.transaction().execute(async (trx) => {
    await lockAccountRow(trx, { accountId }, deps);
    const detail = { by, client, ...(person === null ? {} : { person }) };
    const entry = { actor: "sign-in", action: "session.sign_in_failed" as const, accountId, detail };
    await countAudit(trx, { ...entry, same: person ?? "", times }, deps);
  });
}
