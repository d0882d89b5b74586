import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createWorld, feed, startChanging } from "../../../test/feed-world.ts";
import { response } from "../../../test/servers/web-server.ts";

const folder = mkdtempSync(join(tmpdir(), "repute-gone-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const DAY = 24 * 60;
const list = () => response("20.0.0.1\n");

test.each([404, 410])("a list is gone after a week of %i, and back with its next answer", async (status) => {
  const { server, answer } = await startChanging(list);
  const { updater, clock } = await createWorld(mkdtempSync(join(folder, "kept-")), [
    feed(`${server.url}/list`),
  ]);
  const tryNow = async () => (await updater.update(["mine"]))[0]?.state;
  expect(await tryNow()).toMatchObject({ trouble: null, missingSince: null });
  answer(() => response("", { status }));
  expect(await tryNow()).toMatchObject({ trouble: null, lastError: `The server answered ${status}` });
  clock.advance(4 * DAY);
  // An outage in between says nothing of whether the list is there.
  answer(() => response("", { status: 503 }));
  expect(await tryNow()).toMatchObject({ trouble: null });
  answer(() => response("", { status }));
  clock.advance(4 * DAY);
  expect(await tryNow()).toMatchObject({ trouble: "gone" });
  answer(list);
  expect(await tryNow()).toMatchObject({ trouble: null, missingSince: null, lastError: null });
});

test("another refusal ends the count", async () => {
  const { server, answer } = await startChanging(() => response("", { status: 404 }));
  const { updater, clock } = await createWorld(mkdtempSync(join(folder, "kept-")), [
    feed(`${server.url}/list`),
  ]);
  const tryNow = async () => (await updater.update(["mine"]))[0]?.state;
  await tryNow();
  clock.advance(4 * DAY);
  answer(() => response("", { status: 429 }));
  await tryNow();
  answer(() => response("", { status: 404 }));
  clock.advance(4 * DAY);
  expect(await tryNow()).toMatchObject({ trouble: null });
});
