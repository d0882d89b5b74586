import { type RawBuilder, sql } from "kysely";

/** PostgreSQL's clock in milliseconds: what machines claim of one another goes by it, as their own clocks differ. */
export const SERVER_NOW_MS: RawBuilder<number> = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;
