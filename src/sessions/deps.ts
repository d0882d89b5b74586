import type { StoreDeps } from "../accounts/account-rows.ts";
import type { Log } from "../base/log.ts";
import type { SignInMetrics } from "../base/metrics.ts";
import type { SignInAttempts } from "./attempts.ts";
import type { SignInFailures } from "./failed-sign-in-audit.ts";
import type { DashboardOptions } from "./options.ts";
import type { Passwords } from "./passwords.ts";

/** What the ways into an account are made of. */
export type SignInDeps = StoreDeps & {
  readonly passwords: Passwords;
  readonly attempts: SignInAttempts;
  readonly options: DashboardOptions;
  readonly failures: Pick<SignInFailures, "note">;
  /** Null: not counted. */
  readonly metrics: SignInMetrics | null;
  readonly log: Pick<Log, "info" | "warn">;
};
