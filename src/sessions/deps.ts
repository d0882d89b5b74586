import type { StoreDeps } from "../accounts/account-rows.ts";
import type { Log } from "../log.ts";
import type { SignInMetrics } from "../metrics.ts";
import type { Attempts } from "./attempts.ts";
import type { DashboardOptions } from "./options.ts";
import type { Passwords } from "./passwords.ts";
import type { SignInFailures } from "./sign-in-failures.ts";

/** What the ways into an account are made of. */
export type SignInDeps = StoreDeps & {
  readonly passwords: Passwords;
  readonly attempts: Attempts;
  readonly options: DashboardOptions;
  readonly failures: Pick<SignInFailures, "note">;
  /** Null: not counted. */
  readonly metrics: SignInMetrics | null;
  readonly log: Pick<Log, "info" | "warn">;
};
