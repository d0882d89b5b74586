import type { Scenario } from "./scenario.ts";
import { acrossProcesses, processesKilled } from "./scenarios/across-processes.ts";
import { behindBalancer } from "./scenarios/behind-balancer.ts";
import { bouncerStarts } from "./scenarios/bouncer-starts.ts";
import { bouncers } from "./scenarios/bouncers.ts";
import { bulkRuns } from "./scenarios/bulk-runs.ts";
import { clockJumps } from "./scenarios/clock.ts";
import { clocksApart } from "./scenarios/clocks-apart.ts";
import { idleConnections, slowloris } from "./scenarios/connections.ts";
import { exportBuilds } from "./scenarios/export-builds.ts";
import { exportDownloads } from "./scenarios/export-downloads.ts";
import { failover } from "./scenarios/failover.ts";
import { firstStarts } from "./scenarios/first-starts.ts";
import { fullDisk } from "./scenarios/full-disk.ts";
import { money, moneyOnPostgres } from "./scenarios/money.ts";
import { pausedProcess } from "./scenarios/paused-process.ts";
import { postgresAway } from "./scenarios/postgres.ts";
import { revokedTokens } from "./scenarios/revoked-tokens.ts";
import { slowDatabase } from "./scenarios/slow-database.ts";
import { tenants, tenantsOnPostgres } from "./scenarios/tenants.ts";
import { valkeyAway } from "./scenarios/valkey.ts";

/** Every scenario, in the order of `npm run chaos`. */
export const SCENARIOS: readonly Scenario[] = [
  acrossProcesses,
  processesKilled,
  firstStarts,
  behindBalancer,
  postgresAway,
  revokedTokens,
  failover,
  bulkRuns,
  valkeyAway,
  pausedProcess,
  slowDatabase,
  fullDisk,
  exportBuilds,
  exportDownloads,
  clockJumps,
  clocksApart,
  idleConnections,
  slowloris,
  money,
  moneyOnPostgres,
  tenants,
  tenantsOnPostgres,
  bouncers,
  bouncerStarts,
];
