import { isPostgresUrl } from "../db/postgres-url.ts";
import type { CliContext } from "./command.ts";

/** The file of the embedded database. Throws when the database is PostgreSQL: that has tools of its own. */
export async function embeddedDatabase({ config }: CliContext): Promise<string> {
  const { databaseUrl } = await config();
  if (!isPostgresUrl(databaseUrl)) return databaseUrl;
  throw new Error("The database is PostgreSQL: use pg_dump and pg_restore");
}
