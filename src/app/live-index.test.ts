import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { createDialing } from "../../test/servers/dialing.ts";
import { response, startWebServer, TEST_CA_FILE, type WebAnswer } from "../../test/servers/web-server.ts";
import { type Clock, systemClock } from "../base/clock.ts";
import type { FeedDefinition } from "../feeds/feed.ts";
import { createHttp } from "../net/http/http.ts";
import { parseIpv4Value } from "../targets/ip.ts";
import { type Lists, openLists } from "./live-index.ts";

let dataDir = "";
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "lists-"));
  mkdirSync(join(dataDir, "snapshots"));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

/** Child processes take what a busy machine gives them. */
const SPEED = 10;
/** The machine's clock, faster: what waits for seconds waits for tenths. */
const clock: Clock = {
  now: () => new Date(systemClock.now().getTime() + (SPEED - 1) * systemClock.monotonicMs()),
  monotonicMs: () => SPEED * systemClock.monotonicMs(),
  sleep: (ms, signal) => systemClock.sleep(ms / SPEED, signal),
};

const feed = (url: string, more: Partial<FeedDefinition> = {}): FeedDefinition => ({
  key: "mine",
  name: "Mine",
  role: "engine",
  builtin: false,
  target: "ip",
  source: { kind: "web", url, headers: {} },
  seed: null,
  format: "plain",
  options: {},
  refreshMinutes: 1,
  maxEntries: null,
  allowEmpty: false,
  ...more,
});

async function open(
  feeds: readonly FeedDefinition[],
  log = pino({ level: "silent" }),
): Promise<Lists & { readonly stop: () => Promise<void> }> {
  const { dialer } = await createDialing();
  const http = createHttp({ dialer, clock: systemClock, caFile: TEST_CA_FILE, userAgent: "Repute/1" });
  const stop = new AbortController();
  const lists = openLists({ dataDir, feeds, http, exchange: null, clock, log, signal: stop.signal });
  let running: Promise<void> | undefined;
  const close = async () => {
    stop.abort();
    await running;
    await http.close();
  };
  onTestFinished(close);
  return { ...lists, run: () => (running ??= lists.run()), stop: close };
}

const finds = (lists: Lists, address: string): boolean =>
  lists.listings().findIpv4(parseIpv4Value(address) ?? 0).length > 0;

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await systemClock.sleep(10);
};

/** A server whose answer the test changes under way. */
async function startChanging(first: WebAnswer) {
  let current = first;
  const server = await startWebServer((request, socket) => current(request, socket), { certificate: "good" });
  return { server, answer: (next: WebAnswer) => (current = next) };
}

test("the seed answers until the first retrieval, then what was retrieved, and each new content after it", async () => {
  const { server, answer } = await startChanging((_request, socket) => void socket.end());
  const seed = { file: "public-dns", format: "plain", options: {} };
  const lists = await open([feed(`${server.url}/list`, { seed })]);
  expect(lists.isMissing()).toBe(true);
  await lists.prepare();
  expect(lists.isMissing()).toBe(false);
  expect(lists.listings().lists[0]).toMatchObject({ seed: true, retrievedAt: null, lastError: null });
  expect([finds(lists, "8.8.8.8"), finds(lists, "20.0.0.1")]).toEqual([true, false]);

  void lists.run();
  await until(() => lists.listings().lists[0]?.lastError !== null);
  expect(lists.listings().lists[0]).toMatchObject({ seed: true, loaded: true });
  expect(finds(lists, "8.8.8.8")).toBe(true);

  answer(() => response("20.0.0.1\n"));
  await until(() => finds(lists, "20.0.0.1"));
  expect(finds(lists, "8.8.8.8")).toBe(false);
  expect(lists.listings().lists[0]).toMatchObject({ seed: false, entries: 1, lastError: null });
  expect(lists.listings().lists[0]?.retrievedAt).not.toBeNull();

  answer(() => response("<html>sorry</html>"));
  await until(() => lists.listings().lists[0]?.lastError === "The file is a web page, not a list");
  expect(finds(lists, "20.0.0.1")).toBe(true);

  answer(() => response("20.0.0.2\n"));
  await until(() => finds(lists, "20.0.0.2"));
  expect(finds(lists, "20.0.0.1")).toBe(false);
});

test("a restart serves what was there at once, without a request", async () => {
  const { server } = await startChanging(() => response("20.0.0.1\n"));
  const feeds = [feed(`${server.url}/list`, { refreshMinutes: 60 })];
  const before = await open(feeds);
  await before.prepare();
  await before.update(["mine"]);
  expect(finds(before, "20.0.0.1")).toBe(true);
  await before.stop();
  const after = await open(feeds);
  expect(after.isMissing()).toBe(false);
  expect(finds(after, "20.0.0.1")).toBe(true);
  expect(after.listings().lists[0]).toMatchObject({ lastError: null, entries: 1 });
  expect(server.requests).toHaveLength(1);
});

test("a process that was told nothing takes over what another on its folder retrieved and compiled", async () => {
  const { server, answer } = await startChanging(() => response("20.0.0.1\n"));
  const feeds = [feed(`${server.url}/list`, { refreshMinutes: 525_600 })];
  const serving = await open(feeds);
  await serving.prepare();
  void serving.run();
  await until(() => finds(serving, "20.0.0.1"));
  answer(() => response("20.0.0.2\n"));
  const command = await open(feeds);
  await command.prepare();
  const [outcome] = await command.update(["mine"]);
  expect(outcome?.last.outcome).toBe("updated");
  await until(() => finds(serving, "20.0.0.2"));
  expect(server.requests).toHaveLength(2);
});

test("an index that two processes on a folder want is compiled by one of them", async () => {
  const { server, answer } = await startChanging(() => response("20.0.0.1\n"));
  const feeds = [feed(`${server.url}/list`, { refreshMinutes: 525_600 })];
  let log = "";
  const write = (line: string) => {
    log += line;
  };
  const compiled = () => log.split("Compiled the lists").length - 1;
  const counting = pino({}, { write });
  const [serving, command] = [await open(feeds, counting), await open(feeds, counting)];
  await Promise.all([serving.prepare(), command.prepare()]);
  expect(compiled()).toBe(1);
  await command.update(["mine"]);
  void serving.run();
  await until(() => finds(serving, "20.0.0.1"));
  answer(() => response("20.0.0.2\n"));
  const before = compiled();
  await command.update(["mine"]);
  await until(() => finds(serving, "20.0.0.2"));
  expect(compiled()).toBe(before + 1);
});

test("an index of other downloads answers until the new one is there; one of other rules does not", async () => {
  const { server, answer } = await startChanging(() => response("20.0.0.1\n"));
  const feeds = [feed(`${server.url}/list`, { refreshMinutes: 60 })];
  const before = await open(feeds);
  await before.prepare();
  await before.update(["mine"]);
  const compiled = readdirSync(join(dataDir, "snapshots"));
  expect(compiled).toEqual(["lists.bin"]);
  const changed = await open([feed(`${server.url}/list`, { maxEntries: 5 })]);
  expect(changed.isMissing()).toBe(true);
  answer(() => response("20.0.0.2\n"));
  expect(finds(before, "20.0.0.1")).toBe(true);
});

test("kept content that the disk damaged is retrieved again, whatever its publisher says of it", async () => {
  const answer: WebAnswer = ({ headers }) =>
    headers.get("if-none-match") === '"1"'
      ? response("", { status: 304 })
      : response("20.0.0.1\n", { headers: { ETag: '"1"' } });
  const { server } = await startChanging(answer);
  const feeds = [feed(`${server.url}/list`, { refreshMinutes: 525_600 })];
  const before = await open(feeds);
  await before.prepare();
  await before.update(["mine"]);
  await before.stop();
  const folder = join(dataDir, "feeds");
  for (const name of readdirSync(folder))
    if (name.endsWith(".zst")) writeFileSync(join(folder, name), "damaged");
  rmSync(join(dataDir, "snapshots", "lists.bin"));
  const after = await open(feeds);
  await after.prepare();
  expect(finds(after, "20.0.0.1")).toBe(false);
  expect(after.listings().lists[0]).toMatchObject({ loaded: false });
  void after.run();
  await until(() => finds(after, "20.0.0.1"));
  expect(server.requests[1]?.headers.has("if-none-match")).toBe(false);
});

test("a definition that reads the publisher's date from the same content changes the age at once", async () => {
  const content = '{"ip":"20.0.0.1"}\n{"type":"end","at":"2026-01-02","other":"2026-03-04"}\n';
  const { server } = await startChanging(() => response(content));
  const options = { field: "ip", skip_if_field: "type" };
  const dated = (published: object) =>
    feed(`${server.url}/list`, { format: "ndjson", options: { ...options, ...published } });
  const dates: (string | null | undefined)[] = [];
  for (const published of [{}, { published: "at" }, { published: "other" }, {}]) {
    const lists = await open([dated(published)]);
    await lists.prepare();
    await lists.update(["mine"]);
    expect(finds(lists, "20.0.0.1")).toBe(true);
    dates.push(lists.listings().lists[0]?.publishedAt);
    await lists.stop();
  }
  expect(dates).toEqual([null, "2026-01-02T00:00:00Z", "2026-03-04T00:00:00Z", null]);
});

test("the operator's files are read before the first answer, and again when they changed", async () => {
  const path = join(dataDir, "list.txt");
  writeFileSync(path, "20.0.0.1\n");
  const feeds = [feed("", { source: { kind: "file", path } })];
  const first = await open(feeds);
  await first.prepare();
  expect(finds(first, "20.0.0.1")).toBe(true);
  await first.stop();
  writeFileSync(path, "20.0.0.1\n20.0.0.2\n");
  const second = await open(feeds);
  expect(second.isMissing()).toBe(true);
  await second.prepare();
  expect(finds(second, "20.0.0.2")).toBe(true);
  void second.run();
  writeFileSync(path, "20.0.0.3\n");
  await until(() => finds(second, "20.0.0.3"));
});
