import { accounts } from "./0001-accounts.ts";
import { feeds } from "./0002-feeds.ts";
import { dashboard } from "./0003-dashboard.ts";
import { sessions } from "./0004-sessions.ts";
import { daySums } from "./0005-day-sums.ts";
import { creditsPerCycle } from "./0006-credits-per-cycle.ts";
import { sessionOpeners } from "./0007-session-openers.ts";
import { keyOptions } from "./0010-key-options.ts";
import { refusedCalls } from "./0011-refused-calls.ts";
import { signUps } from "./0012-sign-ups.ts";
import { recoveryCodes } from "./0013-recovery-codes.ts";
import { engineSwitches } from "./0014-engine-switches.ts";
import { accessTokens } from "./0015-access-tokens.ts";
import { results } from "./0016-results.ts";
import { bulkRuns } from "./0017-bulk-runs.ts";
import { sourceDays } from "./0018-source-days.ts";
import { alerts } from "./0019-alerts.ts";
import { people } from "./0020-people.ts";
import type { DatabaseMigration } from "./migration.ts";

/** Every step of the schema, oldest first. */
export const ALL_MIGRATIONS: readonly DatabaseMigration[] = [
  accounts,
  feeds,
  dashboard,
  sessions,
  daySums,
  creditsPerCycle,
  sessionOpeners,
  keyOptions,
  refusedCalls,
  signUps,
  recoveryCodes,
  engineSwitches,
  accessTokens,
  results,
  bulkRuns,
  sourceDays,
  alerts,
  people,
];
