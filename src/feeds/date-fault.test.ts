import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createWorld, feed, startChanging } from "../../test/feed-world.ts";
import { response } from "../../test/servers/web-server.ts";
import { createLog } from "../base/log.ts";
import { dateFault } from "./date-fault.ts";
import type { FormatOptions } from "./formats/format.ts";

let dir = "";
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "undated-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const DATE = "2026-11-20T00:00:00Z";
const told = (member: string) =>
  `No past date stands at "${member}", where "published" says; the age counts from the retrieval`;

test.each([
  [{}, null, null],
  [{}, DATE, null],
  [{ published: "meta.at" }, DATE, null],
  [{ published: "meta.at" }, null, told("meta.at")],
] as const)("a definition with %j and the date %s: %s", (options, date, sentence) => {
  expect(dateFault({ options }, date)).toBe(sentence);
});

const OF = {
  json: (meta: object) => JSON.stringify({ meta, list: [{ ip: "20.0.0.1" }] }),
  ndjson: (meta: object) =>
    `${JSON.stringify({ ip: "20.0.0.1" })}\n${JSON.stringify({ type: "meta", meta })}\n`,
};
const READ: Readonly<Record<keyof typeof OF, FormatOptions>> = {
  json: { path: "$.list[*]", field: "ip" },
  ndjson: { skip_if_field: "type", field: "ip" },
};

test.each([
  ["json", "meta.at", { at: DATE }, false],
  ["ndjson", "meta.at", { at: DATE }, false],
  ["json", "meta.when", { at: DATE }, true],
  ["ndjson", "meta.when", { at: DATE }, true],
  ["ndjson", "ip", { at: DATE }, true],
  ["json", "at", { at: DATE }, true],
  ["json", "meta.at", { at: "soon" }, true],
  ["json", "meta.at", { at: "2036-01-01T00:00:00Z" }, true],
] as const)(
  "%s with published: %s and the member %j: the log tells of it: %s",
  async (format, published, meta, isTold) => {
    const lines: { msg: string; list?: string; reason?: string }[] = [];
    const log = createLog({
      level: "info",
      destination: { write: (line) => void lines.push(JSON.parse(line)) },
    });
    const { server, answer } = await startChanging(() => response(OF[format](meta)));
    const mine = feed(`${server.url}/list`, { format, options: { ...READ[format], published } });
    const { updater } = await createWorld(dir, [mine], { log });
    await updater.update(["mine"]);
    expect(updater.stateOf("mine")).toMatchObject({ lastError: null, entries: 1 });
    answer(() => response(`${OF[format](meta)}\n`)); // other content, and once told is enough
    await updater.update(["mine"]);
    const about = lines.filter(({ msg }) => msg === "A list has no date of its publisher");
    expect(about.map(({ list, reason }) => [list, reason])).toEqual(
      isTold ? [["mine", told(published)]] : [],
    );
    // A definition that is another one is told of by itself.
    const again = async (member: string) => {
      const other = { ...mine, options: { ...mine.options, published: member } };
      await (await createWorld(dir, [other], { log })).updater.update(["mine"]);
      return lines.filter(({ msg }) => msg === "A list has no date of its publisher").length;
    };
    const before = about.length;
    expect(await again("meta.nothing")).toBe(before + 1);
    expect(await again("meta.nothing")).toBe(before + 1);
  },
);
