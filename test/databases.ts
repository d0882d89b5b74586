import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, test } from "vitest";
import { type Clock, systemClock, systemRandom } from "../src/base/clock.ts";
import { type Database, openDatabase } from "../src/db/database.ts";

export type Dialect = "sqlite" | "postgres";

export type TestDatabase = {
  /** An empty database of this test's own: a file in a temporary folder, or a schema in PostgreSQL. */
  readonly url: () => string;
  /** Opens it, as often as wanted; closed after the test. */
  readonly open: (clock?: Clock) => Promise<Database>;
};

const users: (() => Promise<void>)[] = [];

/** What works with the database of a test is ended before that is removed. */
export function endBeforeDatabase(end: () => Promise<void>): void {
  users.push(end);
}

/**
 * Runs the same tests on SQLite and on PostgreSQL. PostgreSQL is `TEST_DATABASE_URL`, or database `test` at
 * 127.0.0.1:5432; where neither answers, one skipped test says so.
 */
export function forEachDatabase(
  tests: (dialect: Dialect, database: TestDatabase) => void,
  { lasting = false } = {},
): void {
  const hooks = lasting ? LASTING : PER_TEST;
  describe("on SQLite", () => tests("sqlite", provide(createFile, hooks)));
  const url = postgresUrl;
  if (url !== null)
    describe("on PostgreSQL", () =>
      tests(
        "postgres",
        provide(() => createSchema(url), hooks),
      ));
  else test.skip("on PostgreSQL: not reachable; TEST_DATABASE_URL names one", () => undefined);
}

type Place = { readonly url: string; readonly remove: () => Promise<void> };

type Hook = (work: () => Promise<void>) => void;
type Hooks = { readonly before: Hook; readonly after: Hook };
const PER_TEST: Hooks = { before: (work) => beforeEach(work), after: (work) => afterEach(work) };
/** One database for all tests of the block. */
const LASTING: Hooks = { before: (work) => beforeAll(work), after: (work) => afterAll(work) };

function provide(create: () => Promise<Place>, { before, after }: Hooks): TestDatabase {
  let place: Place | null = null;
  let opened: Database[] = [];
  before(async () => {
    place = await create();
  });
  after(async () => {
    for (const end of users) await end();
    await Promise.all(opened.map((db) => db.close()));
    opened = [];
    await place?.remove();
  });
  const url = () => {
    if (place === null) throw new Error("The test database is there only while a test runs");
    return place.url;
  };
  return {
    url,
    open: async (clock = systemClock) => {
      const db = await openDatabase({ url: url(), clock });
      opened.push(db);
      return db;
    },
  };
}

async function createFile(): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), "repute-db-"));
  return {
    url: join(folder, "repute.db"),
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function createSchema(base: string): Promise<Place> {
  const schema = `test_${systemRandom.uuid().replaceAll("-", "")}`;
  await runOnce(base, `create schema ${schema}`);
  const url = new URL(base);
  // The server outlives the tests: none of them proves that a commit is on its disk.
  url.searchParams.set("options", `-c search_path=${schema} -c synchronous_commit=off`);
  return {
    url: url.href.replaceAll("+", "%20"),
    remove: () => runOnce(base, `drop schema ${schema} cascade`),
  };
}

async function runOnce(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query(statement);
  } finally {
    await client.end();
  }
}

async function findPostgres(): Promise<string | null> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return given;
  for (const user of new Set([process.env.PGUSER ?? "root", "root", "postgres"])) {
    const url = `postgres://${user}@127.0.0.1:5432/test`;
    if (
      await runOnce(url, "select 1").then(
        () => true,
        () => false,
      )
    )
      return url;
  }
  return null;
}

const postgresUrl = await findPostgres();
