import type { Kysely } from "kysely";

/** One step of the schema, for both databases. Names sort in the order of application and never change. */
export type DatabaseMigration = {
  /** NNNN-what, as the file is called. */
  readonly name: string;
  readonly up: (db: Kysely<unknown>, at: { readonly dialect: "sqlite" | "postgres" }) => Promise<void>;
};
