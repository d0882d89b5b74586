import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { sweepLeftovers, withTemporaryName } from "./temporary-files.ts";

let dir = "";
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "temporary-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const unused = 2 ** 22 + 1;
const put = (...names: readonly string[]) => {
  for (const name of names) writeFileSync(join(dir, name), "");
};
const left = () => readdirSync(dir).toSorted();

test("sweepLeftovers() takes away what dead processes left half written, and nothing else", () => {
  const others = [
    `a.json.${process.ppid}-1.tmp`,
    "a.json",
    "a.0123456789abcdef.zst",
    `${unused}-1.tmp`,
    `a.${unused}-1.tmp.gz`,
  ];
  const database = `.repute.${unused}-2.tmp`;
  put(
    `a.json.${unused}-1.tmp`,
    database,
    `${database}-wal`,
    `${database}-shm`,
    `${database}-journal`,
    ...others,
  );
  sweepLeftovers(dir);
  expect(left()).toEqual(others.toSorted());
});

test("what has our number is a leftover unless we write it: containers begin with the same numbers again", async () => {
  put(`a.${process.pid}-1000000.tmp`, `a.${process.pid}-1000000.tmp-wal`);
  await withTemporaryName(join(dir, "a"), async (temporary) => {
    const ours = basename(temporary);
    put(ours, `${ours}-wal`);
    sweepLeftovers(dir);
    expect(left()).toEqual([ours, `${ours}-wal`]);
  });
  sweepLeftovers(dir);
  expect(left()).toEqual([]);
});

test("where other machines write as well, what was written lately stays", () => {
  const [young, old] = [`a.${unused}-1.tmp`, `b.${unused}-1.tmp`];
  put(young, old);
  const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 9, minute));
  utimesSync(join(dir, young), at(30), at(30));
  utimesSync(join(dir, old), at(10), at(10));
  sweepLeftovers(dir, { before: at(20) });
  expect(left()).toEqual([young]);
});
