import type { Directory } from "../../accounts/account-search.ts";
import type { Accounts } from "../../accounts/account-store.ts";
import type { DeletionRules } from "../../accounts/delete-account.ts";
import type { EngineSwitch } from "../../accounts/engine-switches.ts";
import type { Activity } from "../../accounts/ledger/activity.ts";
import type { UsageReader } from "../../accounts/ledger/usage.ts";
import type { Team } from "../../accounts/team.ts";
import type { UsageHours } from "../../accounts/usage-hours.ts";
import type { Alerts } from "../../alerts/alerts.ts";
import type { Wire } from "../../base/wire.ts";
import type { Billing } from "../../billing/billing.ts";
import type { Guard } from "../../db/guard.ts";
import type { Results } from "../../results/results.ts";
import type { Runs } from "../../runs/runs.ts";
import type { InvitationMail } from "../../sessions/invitations.ts";
import type { ResetMail, Sessions } from "../../sessions/sessions.ts";
import type { SignUpMail } from "../../sessions/sign-up.ts";
import type { FeedTrialView, FeedView } from "./shapes.ts";

/** What owners do with one engine; `key` is one of `feeds`. */
type Sources = {
  /** Rejects when the disk fails. */
  readonly try: (key: string) => Promise<Wire<typeof FeedTrialView>>;
  /** Retrieves a list now. Rejects when it could not even be tried. */
  readonly update: (key: string) => Promise<void>;
  /** Writes the switch and puts it into force. Throws NOT_SIGNED_IN. */
  readonly switch: (change: EngineSwitch) => Promise<void>;
};

/** What the pages' own interface is wired to. */
export type DashboardParts = {
  readonly sessions: Sessions;
  readonly accounts: Accounts;
  /** Makes the key that a session pays by, unless it has one. Throws NOT_SIGNED_IN. */
  readonly makeSessionKey: (wish: {
    readonly accountId: string;
    readonly sessionId: string;
    readonly actor: string;
  }) => Promise<void>;
  /** Refuses a change of a session that has ended since it was admitted. */
  readonly guardBySession: (session: { readonly accountId: string; readonly sessionId: string }) => Guard;
  readonly team: Team;
  readonly directory: Directory;
  readonly usage: UsageReader;
  /** One day of an account by the hour, read from its history at most once in five seconds. */
  readonly usageHoursOf: (accountId: string, day: string) => Promise<UsageHours>;
  /** What an account has done lately, read at most once a second. */
  readonly activityOf: (accountId: string) => Promise<Activity>;
  readonly results: Results;
  readonly runs: Runs;
  readonly alerts: Pick<Alerts, "settings" | "change" | "signedIn">;
  /** Says that a run was started. */
  readonly wakeRuns: () => void;
  readonly feeds: () => readonly (Wire<typeof FeedView> & { readonly own: boolean })[];
  readonly sources: Sources;
  readonly signup: "open" | "closed";
  readonly keySignIn: "read" | "off";
  readonly billing: Billing;
  readonly deletion: DeletionRules;
  /** Deletes the call history of accounts that were deleted. */
  readonly forgetDeleted: () => Promise<unknown>;
  /** Sends the service's mails. Null: there is no mail. */
  readonly post: {
    readonly reset: (mail: ResetMail) => Promise<void>;
    readonly signUp: (mail: SignUpMail) => Promise<void>;
    /** Null: the invitation has ended meanwhile. */
    readonly invite: (issue: () => Promise<InvitationMail | null>) => Promise<void>;
  } | null;
  /** Work that goes on when its answer has left; waited for at the end, logged when it fails. */
  readonly afterwards: (work: () => Promise<unknown>) => void;
};
