import type { Transaction } from "kysely";
import type { Schema } from "./schema.ts";

/** Refuses a change within its transaction, before anything is read or written: who asked for it may have lost the right to. */
export type Guard = (trx: Transaction<Schema>) => Promise<void>;
