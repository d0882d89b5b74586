import type { Kysely } from "kysely";
import type { Schema } from "../db/schema.ts";
import { refuseEndedSession, type StoreDeps } from "./account-rows.ts";
import { writeAudit } from "./audit.ts";

/** Engines that owners switched, by key: true is on. */
export const readEngineSwitches = async (db: Kysely<Schema>): Promise<ReadonlyMap<string, boolean>> => {
  const rows = await db.selectFrom("engine_switches").select(["key", "is_on"]).orderBy("key").execute();
  return new Map(rows.map((row) => [row.key, row.is_on === 1]));
};

/** One change of an owner's switch. */
export type EngineSwitch = {
  /** Of an engine that exists. */
  readonly key: string;
  /** Null: the configuration decides again. */
  readonly isOn: boolean | null;
  readonly actor: string;
  readonly reason: string;
  readonly sessionId: string;
};

/** Writes a switch, and who did it why into the audit log. Throws NOT_SIGNED_IN when the session has ended. */
export async function writeEngineSwitch(change: EngineSwitch, deps: StoreDeps): Promise<void> {
  const { key, isOn, actor, reason, sessionId } = change;
  await deps.db.kysely.transaction().execute(async (trx) => {
    await refuseEndedSession(trx, sessionId, deps);
    if (isOn === null) await trx.deleteFrom("engine_switches").where("key", "=", key).execute();
    else {
      const columns = { is_on: isOn ? 1 : 0, at: deps.clock.now().getTime(), actor, reason };
      await trx
        .insertInto("engine_switches")
        .values({ key, ...columns })
        .onConflict((conflict) => conflict.column("key").doUpdateSet(columns))
        .execute();
    }
    const verb = isOn === null ? "reset" : isOn ? "on" : "off";
    const action = `engine.switch_${verb}` as const;
    await writeAudit(trx, { actor, action, accountId: null, detail: { engine: key, reason } }, deps);
  });
}
