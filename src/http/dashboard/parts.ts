import type { z } from "zod";
import type { Accounts } from "../../accounts/account-store.ts";
import type { DeletionRules } from "../../accounts/delete-account.ts";
import type { Directory } from "../../accounts/directory.ts";
import type { Usage } from "../../accounts/usage.ts";
import type { Billing } from "../../billing/billing.ts";
import type { Sessions } from "../../sessions/sessions.ts";
import type { FeedView } from "./shapes.ts";

/** What the pages' own interface is wired to. */
export type DashboardParts = {
  readonly sessions: Sessions;
  readonly accounts: Accounts;
  readonly directory: Directory;
  readonly usage: Usage;
  readonly feeds: () => readonly z.output<typeof FeedView>[];
  readonly signup: "open" | "closed";
  readonly billing: Billing;
  readonly deletion: DeletionRules;
  /** Deletes the call history of accounts that were deleted. */
  readonly forgetDeleted: () => Promise<unknown>;
  /** Sends a link that sets a new password. Null: there is no mail. */
  readonly sendResetLink: ((to: string, token: string) => Promise<void>) | null;
  /** Work that goes on when its answer has left; waited for at the end, logged when it fails. */
  readonly afterwards: (work: () => Promise<unknown>) => void;
};
