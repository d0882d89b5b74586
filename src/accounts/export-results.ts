import type { Kysely } from "kysely";
import type { Schema } from "../db/schema.ts";
import { unpack } from "../results/packed.ts";

const STEP = 100;

/** Kept answers with their links, oldest first, as pieces of a JSON list. */
export async function* resultsOf(db: Kysely<Schema>, accountId: string): AsyncGenerator<string> {
  let separator = "\n";
  let last = { at: Number.MIN_SAFE_INTEGER, id: "" };
  for (;;) {
    const { at, id } = last;
    const rows = await db
      .selectFrom("results")
      .selectAll()
      .where("account_id", "=", accountId)
      .where((eb) => eb.or([eb("at", ">", at), eb.and([eb("at", "=", at), eb("id", ">", id)])]))
      .orderBy("at")
      .orderBy("id")
      .limit(STEP)
      .execute();
    for (const { packed, question, account_id: _, bytes: __, ...row } of rows) {
      const head = { ...row, at: new Date(row.at).toISOString(), shares: await sharesOf(db, row.id) };
      const answer = await unpack(packed);
      yield `${separator}${JSON.stringify(head).slice(0, -1)},"question":${question},"data":${answer}}`;
      separator = ",\n";
      last = row;
    }
    if (rows.length < STEP) return;
  }
}

async function sharesOf(db: Kysely<Schema>, resultId: string) {
  const rows = await db
    .selectFrom("result_shares")
    .select(["id", "created_at", "expires_at"])
    .where("result_id", "=", resultId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return rows.map((row) => ({
    id: row.id,
    created_at: new Date(row.created_at).toISOString(),
    expires_at: new Date(row.expires_at).toISOString(),
  }));
}
