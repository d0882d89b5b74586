import { nextTurn } from "../../base/next-turn.ts";
import type { NamedStatement, Postgres, PostgresRow } from "../../db/postgres.ts";
import { textOf } from "../rows.ts";

const FIND_CALLERS: NamedStatement = {
  name: "find_callers",
  text: `
    select k.hash, a.id as account_id, k.id as key_id, k.prefix, a.plan, a.credits, a.credits_reset_at,
      a.trial_grant, a.grace_ends_at, k.expires_at, k.networks, k.products
    from api_keys k join accounts a on a.id = k.account_id
    where k.hash = any($1::text[]) and k.revoked_at is null and a.disabled_at is null
      and a.email_proved_at is not null`,
};

const MAX_HASHES = 256;

/**
 * Reads the row of the caller behind a key's hash that is not revoked, with the key's expiry; undefined when there is none. Calls that arrive in one turn of
 * the event loop are read together: the server and the connection have one statement to handle instead of dozens. Each
 * read begins after its call, so that it sees every revocation before it.
 */
export function createCallerReads(
  postgres: Pick<Postgres, "read">,
): (hash: string) => Promise<PostgresRow | undefined> {
  let gathering: { readonly hashes: Set<string>; readonly rows: Promise<RowsByHash> } | null = null;
  const gather = async (hashes: ReadonlySet<string>): Promise<RowsByHash> => {
    await nextTurn();
    gathering = null;
    const rows = await postgres.read(FIND_CALLERS, [[...hashes]]);
    return new Map(rows.map((row) => [textOf(row, "hash"), row]));
  };
  return async (hash) => {
    if (gathering === null || gathering.hashes.size >= MAX_HASHES) {
      const hashes = new Set<string>();
      gathering = { hashes, rows: gather(hashes) };
    }
    gathering.hashes.add(hash);
    return (await gathering.rows).get(hash);
  };
}

type RowsByHash = ReadonlyMap<string, PostgresRow>;
