import { existsSync } from "node:fs";
import { InvalidValue } from "../base/failure.ts";
import type { Copied } from "../db/copy.ts";
import { isPostgresUrl, postgresUrlFault } from "../db/postgres-url.ts";
import { type CliContext, defineCommand, JSON_OPTION } from "./command.ts";
import { embeddedDatabase } from "./embedded-database.ts";
import { grouped, table } from "./table.ts";

const COLUMNS = [
  { title: "TABLE", width: 24 },
  { title: "ROWS", width: 12, isNumber: true },
];

/** `repute db copy URL`: the embedded database, as it is at one instant, into an empty PostgreSQL database. */
export const command = defineCommand({
  help: {
    examples: ["repute db copy postgres://repute@127.0.0.1/repute"],
    page: "install.md#sqlite-to-postgresql",
  },
  arguments: [{ name: "url", summary: "The empty PostgreSQL database: postgres://USER@HOST/NAME" }],
  options: [JSON_OPTION],
  run: async ({ argument, has }, context) => {
    const url = argument("url");
    if (!isPostgresUrl(url)) {
      throw new InvalidValue("url", "The target is a PostgreSQL database: postgres://USER@HOST/NAME");
    }
    const fault = postgresUrlFault(url);
    if (fault !== null) throw new InvalidValue("url", `The URL cannot be used: expected ${fault}`);
    const database = await embeddedDatabase(context);
    await warnOfRunning(context);
    const copied = await copyFrom(database, url, context);
    if (has("json")) context.printJson({ tables: copied.tables, credits: copied.credits });
    else printCopied(copied, context);
    return 0;
  },
});

/** The copy is of one instant: what a running service charges after it stays in the embedded database alone. */
async function warnOfRunning({ config, warn }: CliContext): Promise<void> {
  const { addressFileOf } = await import("../config/config.ts");
  if (!existsSync(addressFileOf(await config()))) return;
  warn("warning: a service runs on this data folder; what it writes from now on is not in the copy");
}

async function copyFrom(database: string, url: string, context: CliContext): Promise<Copied> {
  const { assertThere, backUp, withDraft } = await import("../db/backup.ts");
  const { bringToNewest } = await import("../db/check-backup.ts");
  const { dirname } = await import("node:path");
  const { copyToPostgres } = await import("../db/copy.ts");
  assertThere(database);
  return withDraft(dirname(database), context, async (snapshot) => {
    await backUp({ database, file: snapshot }, context);
    await bringToNewest(snapshot, { name: database, clock: context.clock });
    const onTable = (name: string) => context.progress(`Copying ${name} …`);
    return copyToPostgres({ snapshot, url }, { clock: context.clock, onTable }).finally(() =>
      context.progress(null),
    );
  });
}

function printCopied({ tables, credits }: Copied, { print, style }: CliContext): void {
  print(
    table(
      COLUMNS,
      tables.map(({ name, rows }) => [name, grouped(rows)]),
      style,
    ),
  );
  print(`Copied. Counts and sums agree; the balances sum up to ${grouped(credits)} credits.`);
  print("The embedded database is unchanged.");
  print("Set DATABASE_URL to the new database, then start the service.");
}
