import { accounts } from "./0001-accounts.ts";
import type { DatabaseMigration } from "./migration.ts";

/** Every step of the schema, oldest first. */
export const ALL_MIGRATIONS: readonly DatabaseMigration[] = [accounts];
