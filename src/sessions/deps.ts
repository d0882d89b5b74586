import type { StoreDeps } from "../accounts/account-rows.ts";
import type { Log } from "../log.ts";
import type { Attempts } from "./attempts.ts";
import type { DashboardOptions } from "./options.ts";
import type { Passwords } from "./passwords.ts";

/** What the ways into an account are made of. */
export type SignInDeps = StoreDeps & {
  readonly passwords: Passwords;
  readonly attempts: Attempts;
  readonly options: DashboardOptions;
  readonly log: Pick<Log, "info" | "warn">;
};
