import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, test } from "vitest";
import { type Clock, systemClock } from "../src/base/clock.ts";
import { type Database, openDatabase } from "../src/db/database.ts";
import { createSchema, dropSchema, type KeptSchema, keepSchema, runOnce } from "./kept-schema.ts";

export type Dialect = "sqlite" | "postgres";

export type TestDatabase = {
  /** A database of this test's own: a file in a temporary folder, or a schema in PostgreSQL. */
  readonly url: () => string;
  /** Opens it, as often as wanted; closed after the test. */
  readonly open: (clock?: Clock) => Promise<Database>;
};

const users: (() => Promise<void>)[] = [];

/** What works with the database of a test is ended before that is removed. */
export function endBeforeDatabase(end: () => Promise<void>): void {
  users.push(end);
}

export type DatabaseOptions = {
  /** One database for all tests of the block. */
  readonly lasting?: boolean;
  /** Without tables: what opens it takes all steps. */
  readonly bare?: boolean;
  /** False: what is tested is PostgreSQL's alone; default: true. */
  readonly hasSqlite?: boolean;
};

/**
 * Runs the same tests on SQLite and on PostgreSQL, each with all tables and no rows. PostgreSQL is `TEST_DATABASE_URL`,
 * or database `test` at 127.0.0.1:5432; where neither answers, one skipped test says so.
 */
export function forEachDatabase(
  tests: (dialect: Dialect, database: TestDatabase) => void,
  { lasting = false, bare = false, hasSqlite = true }: DatabaseOptions = {},
): void {
  const hooks = lasting ? LASTING : PER_TEST;
  const createSqlite = bare ? async () => createEmptyFile() : createFile;
  if (hasSqlite) describe("on SQLite", () => tests("sqlite", provide(createSqlite, hooks)));
  const url = postgresUrl;
  if (url !== null)
    describe("on PostgreSQL", () => {
      const createPostgres = bare ? () => createEmptySchema(url) : shareSchema(url);
      tests("postgres", provide(createPostgres, hooks));
    });
  else test.skip("on PostgreSQL: not reachable; TEST_DATABASE_URL names one", () => undefined);
}

type Place = { readonly url: string; readonly remove: () => Promise<void> };

type Hook = (work: () => Promise<void>) => void;
type Hooks = { readonly before: Hook; readonly after: Hook };
const PER_TEST: Hooks = { before: (work) => beforeEach(work), after: (work) => afterEach(work) };
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

/** The octets of a database in which all steps are taken, made once. */
let madeFile: Promise<Buffer> | null = null;

async function createFile(): Promise<Place> {
  madeFile ??= makeFile();
  const place = createEmptyFile();
  writeFileSync(place.url, await madeFile, { mode: 0o600 });
  return place;
}

async function makeFile(): Promise<Buffer> {
  const { url, remove } = createEmptyFile();
  await (await openDatabase({ url, clock: systemClock })).close();
  const octets = readFileSync(url);
  await remove();
  return octets;
}

function createEmptyFile(): Place {
  const folder = mkdtempSync(join(tmpdir(), "repute-db-"));
  return {
    url: join(folder, "repute.db"),
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function createEmptySchema(base: string): Promise<Place> {
  const { schema, url } = await createSchema(base);
  return { url, remove: async () => void (await dropSchema(base, schema)) };
}

/** The schema that the block's tests share, one after the other. */
function shareSchema(base: string): () => Promise<Place> {
  let kept: KeptSchema | null = null;
  afterAll(async () => {
    await kept?.drop();
    kept = null;
  });
  return async () => {
    const schema = kept ?? (await keepSchema(base));
    kept = null;
    const remove = async () => {
      if (await schema.clear().catch(() => false)) kept = schema;
      else await schema.drop();
    };
    return { url: schema.url, remove };
  };
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
