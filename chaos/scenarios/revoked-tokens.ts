import { createAccounts } from "../../src/accounts/account-store.ts";
import { generateToken, hashKey, prefixOfKey } from "../../src/accounts/keys.ts";
import { createTokenReader, type TokenReader } from "../../src/accounts/token-reader.ts";
import { systemRandom } from "../../src/base/clock.ts";
import { MINUTE_MS } from "../../src/base/durations.ts";
import type { Database } from "../../src/db/database.ts";
import { createSteppedClock, type SteppedClock } from "../../test/stepped-clock.ts";
import type { Ground } from "../ground.ts";
import type { OwnServer } from "../own-servers.ts";
import type { Findings, Scenario } from "../scenario.ts";

/** More than one statement reads. */
const TOKENS = 2_300;

/** PostgreSQL dies at once when a token was revoked, and while one is. */
export const revokedTokens: Scenario = {
  name: "revoked-tokens",
  what: "kill -9 of PostgreSQL behind a revocation: no process accepts the token, and all others go on",
  needs: ["linux", "postgres"],
  run: async (ground, findings) => {
    const place = await openPlace(ground);
    const { texts, accounts, postgres, clock } = place;
    const [revoked = "", unanswered = "", ...kept] = texts;
    await accounts.revokeToken(revoked);
    ground.say("Killing PostgreSQL when a revocation has returned");
    await postgres.kill();
    await expectBearers(place, findings, { revoked: [revoked], works: [unanswered, ...kept] });
    await clock.pass(MINUTE_MS);
    await expectBearers(place, findings, { revoked: [revoked], works: [unanswered, ...kept] });
    await postgres.start();
    await clock.pass(2000);
    ground.say("Killing PostgreSQL while a revocation waits for the other process");
    place.atWait(() => postgres.kill());
    findings.expect(
      await failed(accounts.revokeToken(unanswered)),
      "a revocation does not return when the database went away before every process had read of it",
    );
    await postgres.start();
    await accounts.revokeToken(unanswered);
    await postgres.kill();
    await expectBearers(place, findings, { revoked: [revoked, unanswered], works: kept });
  },
};

type Place = {
  readonly postgres: OwnServer;
  readonly clock: SteppedClock;
  readonly accounts: ReturnType<typeof createAccounts>;
  readonly reader: TokenReader;
  readonly texts: readonly string[];
  /** What is done when the next revocation begins to wait, before time passes. */
  readonly atWait: (work: () => Promise<void>) => unknown;
};

/** A process that revokes, and another that knows all tokens; time passes while a revocation waits. */
async function openPlace(ground: Ground): Promise<Place> {
  const postgres = await ground.postgres();
  const stop = new AbortController();
  ground.later(() => stop.abort());
  const clock = createSteppedClock(stop.signal);
  const meanwhile: (() => Promise<void>)[] = [];
  const sleep = async (ms: number): Promise<void> => {
    await meanwhile.shift()?.();
    await clock.pass(ms);
  };
  const { db } = await ground.open(postgres.url);
  const accounts = createAccounts({ db, clock: { ...clock, sleep }, random: systemRandom });
  const { id } = await accounts.createAccount({ email: "tokens@example.org", plan: "Enterprise" });
  const texts = await insertTokens(db, id, clock);
  const other = await ground.open(postgres.url);
  const reader = createTokenReader({ db: other.db, clock, log: { warn: () => undefined } });
  for (const text of texts) await reader.find(text);
  void reader.watch(stop.signal);
  return { postgres, clock, accounts, reader, texts, atWait: meanwhile.push.bind(meanwhile) };
}

async function insertTokens(db: Database, accountId: string, clock: SteppedClock): Promise<string[]> {
  const texts = Array.from({ length: TOKENS }, () => generateToken(systemRandom));
  const rows = texts.map((text) => ({
    ...{ id: systemRandom.uuid(), account_id: accountId, name: "gate", scopes: "gate" },
    ...{ hash: hashKey(text), prefix: prefixOfKey(text), created_at: clock.now().getTime() },
  }));
  await db.kysely.insertInto("access_tokens").values(rows).execute();
  return texts;
}

async function expectBearers(
  { reader }: Place,
  findings: Findings,
  expected: { readonly revoked: readonly string[]; readonly works: readonly string[] },
): Promise<void> {
  for (const text of expected.revoked)
    findings.expect(
      // A text that is not known any more is asked for, which fails.
      (await Promise.resolve(reader.find(text)).catch(() => null)) === null,
      "a token whose revocation had returned is refused while the database is away",
    );
  const bearers = await Promise.all(expected.works.map(async (text) => reader.find(text)));
  findings.expect(!bearers.includes(null), "all other tokens go on while the database is away");
}

const failed = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => false,
    () => true,
  );
