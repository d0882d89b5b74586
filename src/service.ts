import { type Accounts, createAccounts, type Subscription } from "./accounts/account-store.ts";
import { createLedger, type LedgerWithUpkeep } from "./accounts/ledger.ts";
import { isoSeconds, systemClock, systemRandom } from "./clock.ts";
import type { Config } from "./config.ts";
import { type Database, openDatabase } from "./db/database.ts";
import { isDatabaseUnavailable } from "./db/unavailable.ts";
import type { HttpParts } from "./http/context.ts";
import { createHttpServer } from "./http/server.ts";
import { createFreeLimits } from "./limits/free.ts";
import { createMemoryLimits } from "./limits/memory.ts";
import type { Log } from "./log.ts";
import { type Lookups, openLookups } from "./lookups.ts";
import { createNetworkSet } from "./targets/cidr.ts";
import { VERSION } from "./version.ts";

export type Service = {
  /** Where it listens: `http://HOST:PORT`. */
  readonly address: string;
  /** Refuses what is new, finishes and settles what runs, then lets go of everything. */
  readonly close: () => Promise<void>;
};

/** How often old history is taken away. */
const PRUNE_EVERY_MS = 3_600_000;

/**
 * The running service: database, lookups, HTTP, wired. Listens before the first start's data is prepared. `print`
 * writes the few plain lines that a person looks for. Throws when the port, the folder or the schema refuses.
 */
export async function startService(
  config: Config,
  { log, print }: { readonly log: Log; readonly print: (line: string) => void },
): Promise<Service> {
  const clock = systemClock;
  const db = await openDatabase({ url: config.databaseUrl, clock });
  try {
    return await startOver(db, config, { log, print });
  } catch (error) {
    await db.close();
    throw error;
  }
}

async function startOver(
  db: Database,
  config: Config,
  { log, print }: { readonly log: Log; readonly print: (line: string) => void },
): Promise<Service> {
  const clock = systemClock;
  const accounts = createAccounts({ db, clock, random: systemRandom });
  const ledger = createLedger({ db, clock, log, usage: config.file.usage });
  const lookups = await openLookups(config, { log, clock });
  const limits = createMemoryLimits({ clock });
  const server = createHttpServer(httpParts(config, { db, accounts, ledger, lookups, limits }));
  const address = await server.listen(config.host, config.port).catch(async (error: unknown) => {
    await lookups.close();
    throw error;
  });
  print(`Listening on ${address}`);
  if (config.bootstrap) await printBootstrap(accounts, address, print);
  const upkeep = new AbortController();
  const pruning = pruneRegularly(ledger, log, upkeep.signal);
  const close = async () => {
    await server.close();
    upkeep.abort();
    await Promise.allSettled([pruning, lookups.close(), limits.close(), ledger.flush()]);
    await db.close();
  };
  return { address, close };
}

type Wired = {
  readonly db: Database;
  readonly accounts: Accounts;
  readonly ledger: LedgerWithUpkeep;
  readonly lookups: Lookups;
  readonly limits: HttpParts["limits"];
};

function httpParts(config: Config, { db, accounts, ledger, lookups, limits }: Wired): HttpParts {
  const trusted = createNetworkSet(config.file.server.trust_proxy);
  return {
    calls: {
      deps: lookups.deps,
      clock: systemClock,
      ledger,
      missingParts: lookups.missingParts,
      storeTargets: config.file.usage.store_targets,
    },
    limits,
    freeLimits: createFreeLimits({ clock: systemClock, random: systemRandom }),
    subscriptionOf: async (accountId) => {
      const subscription = await accounts.subscriptionOf(accountId);
      return subscription === null ? null : reportSubscription(subscription);
    },
    isDatabaseReachable: db.isReachable,
    isTrustedProxy: (ip) => trusted.has(ip),
    isDatabaseUnavailable,
    randomUuid: systemRandom.uuid,
    version: VERSION,
    publicUrl: config.file.server.public_url ?? null,
  };
}

/** Interface 2.5, member by member. */
const reportSubscription = (subscription: Subscription) => ({
  plan: subscription.plan,
  billing_status: subscription.billingStatus,
  credits_remaining: subscription.creditsRemaining,
  credits_per_month: subscription.creditsPerMonth,
  credits_reset_at: isoSeconds(subscription.creditsResetAt),
  current_period_end:
    subscription.currentPeriodEnd === null ? null : isoSeconds(subscription.currentPeriodEnd),
  cancel_at_period_end: subscription.cancelAtPeriodEnd,
  rate_limit_per_second: subscription.rateLimitPerSecond,
  max_api_keys: subscription.maxApiKeys,
});

/** The first start's account: its key is shown here and never again (operating: Commands). */
async function printBootstrap(
  accounts: Accounts,
  address: string,
  print: (line: string) => void,
): Promise<void> {
  const owner = await accounts.bootstrapOwner();
  if (owner === null) return;
  print(`Created the account ${owner.account.email}. Its API key, shown this once: ${owner.text}`);
  print("Try it:");
  print(
    `  curl -s ${address}/api/check-ip -H 'X-API-Key: ${owner.text}' -H 'Content-Type: application/json' -d '{"ip":"8.8.8.8"}'`,
  );
}

async function pruneRegularly(ledger: LedgerWithUpkeep, log: Log, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const pruned = await ledger.pruneHistory(systemClock.now());
      if (pruned > 0) log.info({ pruned }, "Pruned the call history");
      await systemClock.sleep(PRUNE_EVERY_MS, signal);
    } catch (error) {
      if (signal.aborted) return;
      log.warn({ err: error }, "Cannot prune the call history; trying again later");
      await systemClock.sleep(PRUNE_EVERY_MS, signal).catch(() => undefined);
    }
  }
}
