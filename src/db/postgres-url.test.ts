import { expect, onTestFinished, test } from "vitest";
import { openPostgres } from "./postgres.ts";
import { driverUrl, postgresUrlFault } from "./postgres-url.ts";

test.each([
  "postgres://repute@db.example/repute",
  "postgresql://repute:p%2Fw@[2001:db8::1]:5432/repute?sslmode=disable",
  "POSTGRES://db.example",
  "postgres:///repute",
  "postgres://repute@%2Fvar%2Frun%2Fpostgresql/repute",
  "postgres://repute@/repute?host=/var/run/postgresql",
  "postgres://repute@db.example/repute?sslmode=verify-full&sslrootcert=/etc/ca.pem",
  "postgres://repute:a,b@db.example/repute?application_name=a,b",
])("%s can be used", (url) => {
  expect(postgresUrlFault(url)).toBeNull();
});

test.each([
  ["postgres://me:a/b@db/x", "%2F"],
  ["postgres://me:a#b@db/x", "%23"],
  ["postgres://me@db:70000/x", "HOST:PORT"],
  ["postgres://me@db,db2/x", "one host"],
  ["postgresql://me:p@db:5432,db2:5433/x?target_session_attrs=read-write", "one host"],
  ["postgres:///x?host=db,db2", "one host"],
  ["postgres://me@/x?host=/run/a&host=b,c", "one host"],
  ["postgres://me@db/x?sslmode=", "for sslmode"],
  ["postgres://me@db/x?sslmode=Require", "for sslmode"],
  ["postgres://me@db/x?sslmode=require&sslmode=disable", "for sslmode"],
])("%s cannot be used, as it lacks %s", (url, words) => {
  expect(postgresUrlFault(url)).toContain(words);
});

test.each([
  ["postgres://me@db/x?a=1&sslmode=require", "postgres://me@db/x?a=1&sslmode=verify-full"],
  ["postgres://me@db/x?sslmode=prefer&a=1", "postgres://me@db/x?sslmode=verify-full&a=1"],
  ["postgres://me@db/x?sslmode=verify-ca", "postgres://me@db/x?sslmode=verify-full"],
  ...["", "?sslmode=disable", "?sslmode=no-verify", "?uselibpqcompat=true&sslmode=require"].map((end) => [
    `postgres://me@db/x${end}`,
    `postgres://me@db/x${end}`,
  ]),
])("the driver gets %s as %s", (url, expected) => {
  expect(driverUrl(url)).toBe(expected);
});

test("the driver does not warn of the URL on standard error", async () => {
  const warnings: string[] = [];
  const hear = (warning: Error) => warnings.push(warning.message);
  process.on("warning", hear);
  onTestFinished(() => void process.off("warning", hear));
  for (const mode of ["prefer", "require", "verify-ca"]) {
    const postgres = await openPostgres(`postgres://me@127.0.0.1:1/x?sslmode=${mode}`);
    await expect(postgres.pool.connect()).rejects.toThrow("ECONNREFUSED");
    await postgres.close();
  }
  await new Promise(setImmediate);
  expect(warnings).toEqual([]);
});
