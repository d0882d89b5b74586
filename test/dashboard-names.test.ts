import { afterAll, beforeAll, expect, test } from "vitest";
import { type Page, personPage } from "./dashboard.ts";
import { startTestService, type TestAccount, type TestService } from "./service.ts";

// Names that stand in paths of the pages' own interface, as engines, exports and keys have them.

let service: TestService;
let account: TestAccount;
let page: Page;
beforeAll(async () => {
  service = await startTestService({ file: { exports: [{ name: "my_edge" }] } });
  account = await service.openAccount();
  await service.accounts.setOwner({ accountId: account.id, isOwner: true });
  page = await personPage(service, account.id);
});
afterAll(() => service.close());

test.each([
  ["/feeds/no_such_list/try", {}, 404, "no engine"],
  ["/feeds/no_such_list/update", {}, 404, "no engine"],
  ["/exports/no_such_export/release", {}, 404, "no export"],
])("POST %s is answered by what has that name", async (path, body, status, text) => {
  const answer = await page.call("POST", path, body);
  expect([path, answer.status, answer.text]).toEqual([path, status, expect.stringContaining(text)]);
});

test("an engine is switched off by its key, and what an export holds back is released by its name", async () => {
  const { feeds } = JSON.parse((await page.call("GET", "/feeds")).text).data;
  const { key } = feeds.find(
    (feed: { key: string; kind: string }) => feed.kind !== "table" && feed.key.includes("_"),
  );
  const wish = { value: false, reason: "It repeats another list" };
  const off = await page.call("POST", `/feeds/${key}/switch`, wish);
  expect([off.status, off.of("data", "owner_switch")]).toEqual([200, "off"]);
  const released = await page.call("POST", "/exports/my_edge/release", {});
  expect(released.text).not.toContain("nothing at this path");
  expect([200, 409]).toContain(released.status);
});

test("an API key is revoked by its prefix", async () => {
  const prefix = account.key.slice(0, 12);
  expect((await page.call("DELETE", `/keys/${prefix}`)).status).toBe(200);
  const { status } = await service.call({ path: "/api/check-ip", key: account.key, body: { ip: "8.8.8.8" } });
  expect(status).toBe(401);
});
