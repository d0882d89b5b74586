import type { Clock } from "../base/clock.ts";
import { HOUR_MS } from "../base/durations.ts";
import { createFailureLog } from "../base/failure-log.ts";
import type { Log } from "../base/log.ts";
import { nextTurn } from "../base/next-turn.ts";
import type { Database } from "../db/database.ts";
import type { NamedStatement, Postgres, PostgresRow } from "../db/postgres.ts";
import type { Sqlite } from "../db/sqlite.ts";
import { bearerFrom, type TokenBearer } from "./access-tokens.ts";
import { createExpiries } from "./expired-keys.ts";
import { hashKey, hasTokenShape } from "./keys.ts";
import { integerOrNullOf, textOf, textOrNullOf } from "./rows.ts";
import { MAX_TOKEN_AGE_MS } from "./token-store.ts";

/** Finds tokens that work, and notes when each was used last. */
export type TokenReader = {
  /**
   * The bearer of a token's text; null for malformed, unknown, revoked, expired, or an account that is disabled or not proved.
   * At once where that is known in memory. A token that was known goes on for an hour while the database is away; of any
   * other it rejects then.
   */
  readonly find: (text: string) => Promise<TokenBearer | null> | TokenBearer | null;
  /**
   * Until `signal`, keeps what is known from growing old: while the database is away none goes on that was revoked before, also
   * where this process stood still meanwhile.
   */
  readonly watch: (signal: AbortSignal) => Promise<void>;
};

type Known = { readonly bearer: TokenBearer; readonly expiresAtMs: number | null };

const COLUMNS = "t.id, t.account_id, t.prefix, t.scopes, t.networks, t.expires_at";
const ALIVE = "t.revoked_at is null and a.disabled_at is null and a.email_proved_at is not null";
const FROM = "from access_tokens t join accounts a on a.id = t.account_id";
const FIND_SQLITE = `select ${COLUMNS} ${FROM} where t.hash = ? and ${ALIVE}`;
const FIND_POSTGRES: NamedStatement = {
  name: "find_token",
  text: `select ${COLUMNS} ${FROM} where t.hash = $1 and ${ALIVE}`,
};
const FIND_MANY_POSTGRES: NamedStatement = {
  name: "find_tokens",
  text: `select t.hash, ${COLUMNS} ${FROM} where t.hash = any($1) and ${ALIVE}`,
};

/** How often those are looked for that are half as old as they may be: as long again before they are too old. */
const LOOK_EVERY_MS = MAX_TOKEN_AGE_MS / 4;
/** Tokens of one statement. */
const MAX_READ = 1_000;
/** Tokens in memory; with more than that all are read anew. */
const MAX_KNOWN = 10_000;
/** How long a token that was known goes on while the database does not answer. */
const MAX_WITHOUT_DATABASE_MS = HOUR_MS;
/** How long a call waits for a database that is slow, where the token was known: what was known may be of hours ago. */
const MAX_WAIT_MS = 1_000;
/** The same once a call waited in vain, until the database answers again. */
const SHORT_WAIT_MS = 200;
const TOUCH_EVERY_MS = 60_000;

type ReaderDeps = { readonly db: Database; readonly clock: Clock; readonly log: Pick<Log, "warn"> };

/** Over an open database. */
export function createTokenReader({ db, clock, log }: ReaderDeps): TokenReader {
  const { find, watch } =
    db.dialect === "sqlite" ? createSqliteSource(db.sqlite) : createPostgresSource(db.postgres, clock);
  const expiries = createExpiries();
  const touch = createTouches({ db, clock, log });
  const judge = (known: Known | null): TokenBearer | null => {
    if (known === null) return null;
    const { bearer, expiresAtMs } = known;
    if (expiresAtMs !== null && expiries.isOver(bearer.tokenId, expiresAtMs, clock.now().getTime()))
      return null;
    touch(bearer.tokenId);
    return bearer;
  };
  return {
    find: (text) => {
      const known = find(text);
      return known instanceof Promise ? known.then(judge) : judge(known);
    },
    watch,
  };
}

type Source = Pick<TokenReader, "watch"> & {
  /** The token of a text; what is kept is kept by the text, so that a known one is not hashed again. */
  readonly find: (text: string) => Promise<Known | null> | Known | null;
};

/** Good until anything writes to the file; what another process writes counts from the next turn of the event loop. */
function createSqliteSource(sqlite: Sqlite): Source {
  const known = new Map<string, Known>();
  let version = Number.NaN;
  const find = (text: string): Known | null => {
    const current = sqlite.versionInTurn();
    if (current !== version || known.size >= MAX_KNOWN) known.clear();
    version = current;
    const kept = known.get(text);
    if (kept !== undefined) return kept;
    if (!hasTokenShape(text)) return null;
    const row = sqlite.prepare(FIND_SQLITE).get(hashKey(text));
    if (row === undefined) return null;
    const found = knownFrom(row);
    known.set(text, found);
    return found;
  };
  return {
    find: (text) => (sqlite.mutex.isHeld() ? sqlite.exclusive(() => find(text)) : find(text)),
    // Nothing is kept while the database is away.
    watch: () => Promise.resolve(),
  };
}

type Read = {
  readonly known: Known | null;
  /** When its reading began. */
  readonly atMs: number;
};
type Kept = { read: Read; reading: Promise<Read> | null; askAgainMs: number };
/** What calls of all tokens know of the database. */
type Patience = { isShort: boolean };

/** Good for a second from when its reading began, and read anew beside the calls after half of it (`watch`). */
function createPostgresSource(postgres: Pick<Postgres, "read">, clock: Clock): Source {
  const kept = new Map<string, Kept>();
  const pulse = createPulse(kept, clock);
  const patience: Patience = { isShort: false };
  const read = async (text: string): Promise<Read> => {
    const atMs = clock.monotonicMs();
    const [row] = await postgres.read(FIND_POSTGRES, [hashKey(text)]);
    patience.isShort = false;
    return { known: row === undefined ? null : knownFrom(row), atMs };
  };
  const refresh = (text: string, one: Kept): Promise<Read> => {
    one.reading ??= read(text)
      .then((made) => {
        one.read = made;
        if (made.known === null) kept.delete(text);
        return made;
      })
      .finally(() => {
        one.reading = null;
      });
    return one.reading;
  };
  const first = async (text: string): Promise<Known | null> => {
    const made = await read(text);
    if (kept.size >= MAX_KNOWN) kept.clear();
    if (made.known !== null) kept.set(text, { read: made, reading: null, askAgainMs: 0 });
    return made.known;
  };
  const find = (text: string): ReturnType<Source["find"]> => {
    const one = kept.get(text);
    const nowMs = clock.monotonicMs();
    if (one === undefined || pulse.missed(one, nowMs)) return hasTokenShape(text) ? first(text) : null;
    const ageMs = nowMs - one.read.atMs;
    if (ageMs >= MAX_WITHOUT_DATABASE_MS) return refresh(text, one).then(({ known }) => known);
    if (ageMs < MAX_TOKEN_AGE_MS || nowMs < one.askAgainMs) return one.read.known;
    return withinPatience(refresh(text, one), one, { patience, clock });
  };
  return { find, watch: (signal) => keepFresh({ kept, pulse, postgres, clock }, signal) };
}

type Fresh = {
  readonly kept: Map<string, Kept>;
  readonly pulse: Pulse;
  readonly postgres: Pick<Postgres, "read">;
  readonly clock: Clock;
};

async function keepFresh({ kept, pulse, postgres, clock }: Fresh, signal: AbortSignal): Promise<void> {
  // Who asks while the database is away is told so, and the log is.
  const readAnew = () => readOldAnew(kept, postgres, clock).catch(() => undefined);
  pulse.beat();
  // Each by itself: the pulse goes on while a reading waits for the database.
  await Promise.all([regularly(pulse.beat, clock, signal), regularly(readAnew, clock, signal)]);
}

async function regularly(work: () => unknown, clock: Clock, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(LOOK_EVERY_MS, signal).catch(() => undefined);
    if (!signal.aborted) await work();
  }
}

type Pulse = {
  /** Whether it cannot be told if this was revoked while this process stood still. */
  readonly missed: (one: Kept, nowMs: number) => boolean;
  /** Forgets what was missed. */
  readonly beat: () => void;
};

/**
 * Notices that this process stood still. What was fresh when it stopped, and is too old when it goes on, may have been revoked
 * meanwhile, so that no outage found by then excuses it. What was too old before had not been read for an outage of that time.
 */
function createPulse(kept: Map<string, Kept>, clock: Clock): Pulse {
  let beatMs = Number.POSITIVE_INFINITY;
  const missed: Pulse["missed"] = ({ read }, nowMs) =>
    nowMs - beatMs >= MAX_TOKEN_AGE_MS &&
    nowMs - read.atMs >= MAX_TOKEN_AGE_MS &&
    beatMs - read.atMs < MAX_TOKEN_AGE_MS;
  const beat = (): void => {
    const nowMs = clock.monotonicMs();
    for (const [text, one] of kept) if (missed(one, nowMs)) kept.delete(text);
    beatMs = nowMs;
  };
  return { missed, beat };
}

/** Those of half the age that is allowed, the oldest first: whatever their number, none waits for all others. */
async function readOldAnew(
  kept: Map<string, Kept>,
  postgres: Pick<Postgres, "read">,
  clock: Clock,
): Promise<void> {
  const beforeMs = clock.monotonicMs() - MAX_TOKEN_AGE_MS / 2;
  const old = [...kept]
    .filter(([, { read }]) => read.atMs <= beforeMs)
    .toSorted(([, a], [, b]) => a.read.atMs - b.read.atMs)
    .map(([text]) => text);
  for (let from = 0; from < old.length; from += MAX_READ) {
    await readTogether(old.slice(from, from + MAX_READ), kept, { postgres, clock });
  }
}

async function readTogether(
  texts: readonly string[],
  kept: Map<string, Kept>,
  { postgres, clock }: { readonly postgres: Pick<Postgres, "read">; readonly clock: Clock },
): Promise<void> {
  const atMs = clock.monotonicMs();
  const byHash = new Map(texts.map((text) => [hashKey(text), text]));
  const rows = await postgres.read(FIND_MANY_POSTGRES, [[...byHash.keys()]]);
  const found = new Map(rows.map((row) => [byHash.get(textOf(row, "hash")), knownFrom(row)]));
  for (const text of texts) {
    const one = kept.get(text);
    // A call may have read it later.
    if (one === undefined || one.read.atMs > atMs) continue;
    const known = found.get(text) ?? null;
    one.read = { known, atMs };
    if (known === null) kept.delete(text);
  }
}

type Waiting = { readonly patience: Patience; readonly clock: Clock };

/** What the database says, or, where it is away or slow, what it said before. */
async function withinPatience(
  reading: Promise<Read>,
  one: Kept,
  { patience, clock }: Waiting,
): Promise<Known | null> {
  const { read } = one;
  const stop = new AbortController();
  // Where this process stood still meanwhile, the time is over before the answer that came is read.
  const tooLong = clock
    .sleep(patience.isShort ? SHORT_WAIT_MS : MAX_WAIT_MS, stop.signal)
    .then(nextTurn, () => undefined)
    .then(() => null);
  const made = await Promise.race([reading.catch(() => null), tooLong]);
  stop.abort();
  if (made !== null) return made.known;
  patience.isShort = true;
  one.askAgainMs = clock.monotonicMs() + MAX_TOKEN_AGE_MS;
  return read.known;
}

const knownFrom = (row: PostgresRow): Known => ({
  bearer: bearerFrom({
    id: textOf(row, "id"),
    account_id: textOf(row, "account_id"),
    prefix: textOf(row, "prefix"),
    scopes: textOf(row, "scopes"),
    networks: textOrNullOf(row, "networks"),
  }),
  expiresAtMs: integerOrNullOf(row, "expires_at"),
});

/** Writes when a token was used, once a minute for each. Nothing waits for it. */
function createTouches({ db, clock, log }: ReaderDeps): (tokenId: string) => void {
  const touched = new Map<string, number>();
  const failures = createFailureLog(log, "Cannot write when tokens were used; trying again");
  return (tokenId) => {
    const nowMs = clock.monotonicMs();
    if (nowMs - (touched.get(tokenId) ?? Number.NEGATIVE_INFINITY) < TOUCH_EVERY_MS) return;
    if (touched.size >= MAX_KNOWN) touched.clear();
    touched.set(tokenId, nowMs);
    const writing = db.kysely
      .updateTable("access_tokens")
      .set({ last_used_at: clock.now().getTime() })
      .where("id", "=", tokenId)
      .execute();
    void failures(writing);
  };
}
