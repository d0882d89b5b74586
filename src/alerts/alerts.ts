import { sql } from "kysely";
import {
  type AlertSettings,
  DEFAULT_ALERTS,
  readAlertSettings,
  writeAlertSettings,
} from "../accounts/alert-settings.ts";
import { CYCLE_MS } from "../accounts/refill.ts";
import { type Clock, isoDay } from "../base/clock.ts";
import { DAY_MS } from "../base/durations.ts";
import type { Log } from "../base/log.ts";
import type { Database } from "../db/database.ts";
import type { Guard } from "../db/guard.ts";
import type { SourceHistory } from "../feeds/retrieval/source-days.ts";
import type { Letter } from "../sessions/mails.ts";
import type { Client } from "../sessions/session-store.ts";
import { readCidr } from "../targets/cidr.ts";
import { readIp } from "../targets/ip.ts";
import { type AlertRef, claimAlert, forgetSource, markSent, noteSource } from "./claims.ts";
import { creditsLetter, type SourceTrouble, signInLetter, sourcesLetter } from "./letters.ts";

/** How a source is now, as the Feeds page has it. */
export type SourceRow = {
  readonly key: string;
  readonly name: string;
  readonly status: string;
  readonly last_error: string | null;
};

export type AlertParts = {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Pick<Log, "warn">;
  /** Hands a mail over, and again for so long as it is not taken, else once; null: there is no mail, and no alert. */
  readonly send: ((letter: Letter, forMs?: number) => Promise<void>) | null;
  /** The service's own address. */
  readonly base: () => string;
  /** E-mails that the configuration makes owners. */
  readonly owners: readonly string[];
  readonly sources: () => readonly SourceRow[];
  readonly history: () => Promise<SourceHistory>;
};

/** Mails that people get without asking: few credits left, a sign-in from a new network, a source that fails. */
export type Alerts = {
  readonly settings: (personId: string) => Promise<AlertSettings>;
  readonly change: (personId: string, settings: AlertSettings, guard: Guard) => Promise<void>;
  /** Notes the network of a sign-in; of a new one the person is told, but of their first. */
  readonly signedIn: (
    person: { readonly id: string; readonly email: string },
    client: Client,
  ) => Promise<void>;
  /** Sends what is due. Of several processes one sends each mail. */
  readonly sweep: () => Promise<void>;
};

/** Mails of one sweep and kind; the next sweep sends more. */
const MAX_MAILS = 100;
/** Networks that are kept of one person. */
const MAX_NETWORKS = 100;
/** A network without a sign-in for so long is new again. */
const NETWORK_MS = 180 * DAY_MS;

export function createAlerts(parts: AlertParts): Alerts {
  const { db, send } = parts;
  return {
    settings: (personId) => readAlertSettings(db.kysely, personId),
    change: (personId, settings, guard) =>
      db.kysely.transaction().execute(async (trx) => {
        await guard(trx);
        await writeAlertSettings(trx, personId, settings);
      }),
    signedIn: (person, client) => tellOfSignIn(person, client, parts),
    sweep: async () => {
      await forgetNetworks(parts);
      if (send === null) return;
      await tellOfCredits(parts, send);
      await tellOfSources(parts, send);
    },
  };
}

/** The network that addresses of one place share: an IPv4 /24, an IPv6 /48. */
function placeOf(address: string): string | null {
  const ip = readIp(address);
  return ip && (readCidr(`${ip.text}/${ip.version === "v4" ? 24 : 48}`, { hostBits: "drop" })?.text ?? null);
}

async function tellOfSignIn(
  person: { readonly id: string; readonly email: string },
  client: Client,
  { db, clock, send, base }: AlertParts,
): Promise<void> {
  const network = placeOf(client.address);
  if (network === null) return;
  const at = clock.now();
  const known = await db.kysely
    .selectFrom("person_networks")
    .select("network")
    .where("person_id", "=", person.id)
    .orderBy("at", "desc")
    .execute();
  await db.kysely
    .insertInto("person_networks")
    .values({ person_id: person.id, network, at: at.getTime() })
    .onConflict((conflict) => conflict.columns(["person_id", "network"]).doUpdateSet({ at: at.getTime() }))
    .execute();
  const old = known.slice(MAX_NETWORKS - 1).map((row) => row.network);
  if (old.length > 0) {
    await db.kysely
      .deleteFrom("person_networks")
      .where("person_id", "=", person.id)
      .where("network", "in", old)
      .where("network", "!=", network)
      .execute();
  }
  const isNew = known.length > 0 && known.every((row) => row.network !== network);
  if (!isNew || send === null || !(await readAlertSettings(db.kysely, person.id)).sign_in) return;
  await send(signInLetter({ client, at }, { to: person.email, base: base() }), DAY_MS);
}

async function forgetNetworks({ db, clock }: AlertParts): Promise<void> {
  const oldest = clock.now().getTime() - NETWORK_MS;
  await db.kysely.deleteFrom("person_networks").where("at", "<", oldest).execute();
}

/** Mails the owners of an account once a cycle. */
async function tellOfCredits(parts: AlertParts, send: NonNullable<AlertParts["send"]>): Promise<void> {
  const { db, clock, base } = parts;
  const nowMs = clock.now().getTime();
  const percent = sql<number>`coalesce(alert_settings.credits_percent, ${sql.lit(DEFAULT_ALERTS.credits_percent)})`;
  const due = await db.kysely
    .selectFrom("accounts")
    .innerJoin("people", "people.account_id", "accounts.id")
    .leftJoin("alert_settings", "alert_settings.person_id", "people.id")
    .select(["people.id", "people.email", "credits", "credits_granted", "credits_reset_at"])
    .where("role", "=", "owner")
    .where("disabled_at", "is", null)
    .where("email_proved_at", "is not", null)
    .where("credits_reset_at", ">", nowMs)
    .where(sql<boolean>`accounts.credits * 100 < accounts.credits_granted * ${percent}`)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("alerts")
            .select("alerts.at")
            .whereRef("alerts.person_id", "=", "people.id")
            .where("kind", "=", "credits")
            .where("is_sent", "=", 1)
            .where(sql<boolean>`alerts.at >= accounts.credits_reset_at - ${sql.lit(CYCLE_MS)}`),
        ),
      ),
    )
    .limit(MAX_MAILS)
    .execute();
  for (const row of due) {
    const ref: AlertRef = { person_id: row.id, kind: "credits", subject: `${row.credits_reset_at}` };
    const low = {
      credits: row.credits,
      granted: row.credits_granted,
      resetAt: new Date(row.credits_reset_at),
    };
    const letter = creditsLetter(low, { to: row.email, base: base() });
    await sendOnce([ref], () => send(letter), parts);
  }
  // Whatever is older belongs to a cycle that is over.
  await db.kysely
    .deleteFrom("alerts")
    .where("kind", "=", "credits")
    .where("at", "<", nowMs - 2 * CYCLE_MS)
    .execute();
}

const WELL = new Set(["ok", "disabled"]);
/** A source is well again when no process saw it fail for so long; each looks every five minutes. */
const WELL_AFTER_MS = 15 * 60_000;

/** Tells owners of each source once, until it has been well again. */
async function tellOfSources(parts: AlertParts, send: NonNullable<AlertParts["send"]>): Promise<void> {
  const { db, clock, base, sources, history } = parts;
  const yesterday = isoDay(new Date(clock.now().getTime() - DAY_MS));
  const days = await history();
  const hasFailed = (key: string): boolean =>
    days.get(key)?.some(({ day, checks, healthy }) => day === yesterday && checks > 0 && healthy === 0) ===
    true;
  const bad = sources().filter(({ key, status }) => !WELL.has(status) && hasFailed(key));
  await noteSources(parts);
  if (bad.length === 0) return;
  for (const owner of await ownersOf(parts)) {
    const troubles: (SourceTrouble & { readonly ref: AlertRef })[] = [];
    for (const { key, name, status, last_error: detail } of bad) {
      const ref: AlertRef = { person_id: owner.id, kind: "source", subject: key };
      if (await claimAlert(db, ref, clock.now().getTime())) {
        troubles.push({ key, name, detail: detail ?? status.replaceAll("_", " "), ref });
      }
    }
    if (troubles.length === 0) continue;
    const letter = sourcesLetter(troubles, { to: owner.email, base: base() });
    await deliver(
      troubles.map(({ ref }) => ref),
      () => send(letter),
      parts,
    );
  }
}

/**
 * Of a source that is well again, the next failure is news. It may be well here and fail in another process, which reads files
 * of its own, or has another configuration for a while: what any of them sees failing is noted, and stays told.
 */
async function noteSources({ db, sources, clock }: AlertParts): Promise<void> {
  const nowMs = clock.now().getTime();
  const isWell = new Map(sources().map(({ key, status }) => [key, WELL.has(status)]));
  const told = await db.kysely
    .selectFrom("alerts")
    .select("subject")
    .distinct()
    .where("kind", "=", "source")
    .execute();
  for (const { subject } of told) {
    if (isWell.get(subject) === true) await forgetSource(db, subject, nowMs - WELL_AFTER_MS);
    if (isWell.get(subject) === false) await noteSource(db, subject, nowMs);
  }
}

async function ownersOf({ db, owners }: AlertParts) {
  const named = owners.map((email) => email.trim().toLowerCase());
  const rows = await db.kysely
    .selectFrom("accounts")
    .innerJoin("people", "people.account_id", "accounts.id")
    .leftJoin("alert_settings", "alert_settings.person_id", "people.id")
    .select(["people.id", "people.email", "is_owner", "is_signed_up", "is_invited", "sources"])
    .where("role", "=", "owner")
    .where("disabled_at", "is", null)
    .where("email_proved_at", "is not", null)
    .where((eb) =>
      eb.or([eb("is_owner", "=", 1), ...(named.length > 0 ? [eb("people.email", "in", named)] : [])]),
    )
    .execute();
  const isNamed = (row: (typeof rows)[number]) => row.is_signed_up !== 1 && row.is_invited !== 1;
  return rows.filter((row) => row.sources !== 0 && (row.is_owner === 1 || isNamed(row)));
}

async function sendOnce(
  refs: readonly [AlertRef],
  send: () => Promise<void>,
  parts: AlertParts,
): Promise<void> {
  const [ref] = refs;
  if (await claimAlert(parts.db, ref, parts.clock.now().getTime())) await deliver(refs, send, parts);
}

/** What the mail server does not take is tried again when its claim has ended. */
async function deliver(
  refs: readonly AlertRef[],
  send: () => Promise<void>,
  { db, log }: AlertParts,
): Promise<void> {
  try {
    await send();
  } catch (error) {
    log.warn({ err: error }, "Cannot send an alert; trying again in 15 minutes");
    return;
  }
  for (const ref of refs) await markSent(db, ref);
}
