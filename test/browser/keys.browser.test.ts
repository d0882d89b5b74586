import { afterAll, beforeAll, expect, test } from "vitest";
import { type DashboardWorld, giveKey, LISTED, openDashboardWorld } from "./dashboard-world.ts";
import type { Visitor } from "./visitor.ts";

let world: DashboardWorld;
beforeAll(async () => {
  world = await openDashboardWorld();
  // The first account is an owner by configuration; the others here are strangers.
  await world.service.openAccount();
});
afterAll(() => world.close());

/** A person on the page of their keys. */
async function arrive() {
  const account = await world.service.openAccount({ plan: "Starter" });
  const visitor = await world.signedIn(account);
  await visitor.visit("/app/keys");
  return { account, visitor, page: visitor.page, dialog: visitor.page.getByRole("dialog") };
}

const lookUp = async (key: string, path = "/api/check-ip"): Promise<number> =>
  (await world.service.call({ path, key, body: { ip: LISTED, domain: "example.com" } })).status;

/** The key that the dialog shows, which is put away. */
async function storeKey({ page }: Visitor): Promise<string> {
  const key = (await page.locator(".secret code").textContent()) ?? "";
  await page.getByRole("button", { name: "I have stored it" }).click();
  return key;
}

/** What the first row with a text says, cell by cell. */
const rowOf = async ({ page }: Visitor, text: string): Promise<string> =>
  page.getByRole("row").filter({ hasText: text }).first().innerText();

test("a key is made with limits; what is refused stands at its field and has the focus", async () => {
  const { visitor, page, dialog } = await arrive();
  await page.getByRole("button", { name: "Create key" }).click();
  const create = dialog.getByRole("button", { name: "Create key" });
  const fault = dialog.locator(".field-error");
  const focused = page.locator(":focus");

  await create.click();
  expect(await fault.allInnerTexts()).toEqual(["Say what will use the key"]);
  expect(await focused.getAttribute("name")).toBe("name");
  await dialog.getByLabel("Name").fill("shop");
  await dialog.getByText("Limits: expiry, networks, products").click();
  await dialog.getByLabel("Expires").selectOption("day");
  await dialog.getByLabel("Networks").fill("127.0.0.1/8");
  await dialog.getByLabel("All products").uncheck();
  await create.click();
  expect(await fault.allInnerTexts()).toEqual(["Choose a day", "Tick at least one, or all products"]);
  expect(await focused.getAttribute("type")).toBe("date");
  await dialog.getByLabel("Day").fill("2020-01-01");
  await dialog.getByLabel("IP reputation").check();
  await create.click();
  await fault.getByText("The expiry must be in the future, and within ten years").waitFor();
  await dialog.getByLabel("Expires").selectOption("90d");
  await create.click();
  await fault.getByText('bits set beyond its prefix length: "127.0.0.1/8"').waitFor();
  expect(await focused.evaluate((element) => element.tagName)).toBe("TEXTAREA");
  expect(await visitor.inspect()).toEqual([]);

  await dialog.getByLabel("Networks").fill("127.0.0.0/8, 2001:db8::/32");
  await create.click();
  const key = await storeKey(visitor);
  expect(await focused.innerText()).toBe("Create key");
  const row = await rowOf(visitor, key.slice(0, 12));
  expect(row).toMatch(/Expires in 90 d/);
  expect(row).toContain("From 127.0.0.0/8, 2001:db8::/32");
  expect(row).toContain("Only IP reputation");
  expect([await lookUp(key), await lookUp(key, "/api/domain-reputation")]).toEqual([200, 403]);
  expect(await visitor.faults()).toEqual([]);
  await visitor.close();
});

test("name and limits of a key are changed, and count from the next call on", async () => {
  const { account, visitor, page, dialog } = await arrive();
  const options = { expiresAt: null, networks: ["192.0.2.0/24"], products: ["whois-lookup"] };
  const { email } = account;
  const { text, key } = await world.service.accounts.createKey({ email, name: "shop", options });
  await visitor.visit("/app/keys");
  expect(await lookUp(text)).toBe(403);
  await page.getByRole("button", { name: "Edit shop" }).click();
  expect(await dialog.getByLabel("Networks").inputValue()).toBe("192.0.2.0/24");
  expect(await dialog.getByLabel("Registration").isChecked()).toBe(true);
  await dialog.getByLabel("Name").fill("store");
  await dialog.getByLabel("Networks").fill("");
  await dialog.getByLabel("All products").check();
  await page.keyboard.press("Enter");
  await page.getByText('Saved "store"').first().waitFor();
  expect(await lookUp(text)).toBe(200);
  const keys = await world.service.accounts.listKeys({ email });
  expect(keys.find(({ id }) => id === key.id)).toMatchObject({
    name: "store",
    options: { expiresAt: null, networks: null, products: null },
  });
  expect(await rowOf(visitor, key.prefix)).toContain("None");
  expect(await page.locator(":focus").getAttribute("aria-label")).toBe("Edit store");
  expect(await visitor.faults()).toEqual([]);
  await visitor.close();
});

test("a key is rolled: the new one is shown once, with the time until which the old one works", async () => {
  const { account, visitor, page, dialog } = await arrive();
  const { text: old } = await world.service.accounts.createKey({ email: account.email, name: "shop" });
  await visitor.visit("/app/keys");
  await page.getByRole("button", { name: "Roll shop" }).click();
  expect(await page.locator(":focus").inputValue()).toBe("86400");
  await dialog.getByLabel("The old key keeps working").selectOption("3600");
  await dialog.getByRole("button", { name: "Roll key" }).click();
  await dialog.getByText(/works until \d+ \w+ \d{4}, \d\d:\d\d:\d\d UTC/).waitFor();
  expect(await visitor.inspect()).toEqual([]);
  expect(await visitor.picture("keys-rolled")).toEqual([]);
  const rolled = await storeKey(visitor);
  expect([await lookUp(old), await lookUp(rolled)]).toEqual([200, 200]);

  expect(await rowOf(visitor, `Replaced ${old.slice(0, 12)}…`)).toContain(rolled.slice(0, 12));
  const before = page.getByRole("row").filter({ hasText: `Replaced by ${rolled.slice(0, 12)}…` });
  expect(await before.innerText()).toMatch(/Expires in (60 min|1 h)/);
  // The one that was replaced can only be revoked.
  expect(await before.getByRole("button", { name: /^(Edit|Roll)/ }).count()).toBe(0);
  await before.getByRole("button", { name: "Revoke shop" }).click();
  await dialog.getByRole("button", { name: 'Revoke "shop"' }).click();
  await page.getByText("1 past key").waitFor();
  expect([await lookUp(old), await lookUp(rolled)]).toEqual([401, 200]);

  await page.getByRole("button", { name: "Roll shop" }).click();
  await dialog.getByLabel("The old key keeps working").selectOption("0");
  await dialog.getByRole("button", { name: "Roll key" }).click();
  await dialog.getByText("has stopped").waitFor();
  const last = await storeKey(visitor);
  expect([await lookUp(rolled), await lookUp(last)]).toEqual([401, 200]);
  expect(await visitor.faults()).toEqual([]);
  await visitor.close();
});

test("a key that has expired stands among the past ones, and works again when it is renewed", async () => {
  const { account, visitor, page, dialog } = await arrive();
  const { accounts } = world.service;
  const { text, key } = await accounts.createKey({ email: account.email, name: "laptop" });
  await accounts.updateKey(key.id, { expiresAt: new Date(Date.now() - 60_000) });
  await visitor.visit("/app/keys");
  await page.getByText("1 past key").click();
  expect(await rowOf(visitor, key.prefix)).toMatch(/Expired\s+\d+ (s|min) ago/);
  expect(await lookUp(text)).toBe(401);
  await page.getByRole("button", { name: "Renew laptop" }).click();
  await dialog.getByRole("button", { name: "Renew key" }).click();
  await page.getByText('"laptop" works again').first().waitFor();
  expect(await lookUp(text)).toBe(200);
  expect(await rowOf(visitor, key.prefix)).toContain("Expires in 90 d");
  expect(await visitor.faults()).toEqual([]);
  await visitor.close();
});

test("a session opened by a key shows keys, sessions and plans, and offers nothing that it cannot do", async () => {
  const account = await world.service.openAccount();
  const visitor = await world.newVisitor();
  const { page, visit } = visitor;
  await visit("/app/sign-in");
  await giveKey(visitor, account.key);
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  await visit("/app/keys");
  await page.getByRole("row").nth(1).waitFor();
  expect(await page.getByRole("button", { name: /^(Edit|Roll|Revoke|Renew)/ }).count()).toBe(0);
  await visit("/app/settings");
  await page.getByRole("cell", { name: "This one" }).or(page.getByText("This one")).first().waitFor();
  expect(await page.locator("main").locator("input, button:not(.time-button)").count()).toBe(0);
  expect(await visitor.inspect()).toEqual([]);
  expect(await visitor.picture("settings-reader")).toEqual([]);
  expect(await visitor.faults()).toEqual([]);
  await visitor.close();
});

test("an owner makes a token, sees it once and revokes it; others see no section", async () => {
  const { visitor: stranger, page: other } = await arrive();
  await other.getByRole("heading", { name: "Keys" }).waitFor();
  expect(await other.getByText("Access tokens").count()).toBe(0);
  await stranger.close();
  const account = await world.service.openAccount({ plan: "Starter" });
  await world.service.accounts.setOwner({ email: account.email, isOwner: true });
  const visitor = await world.signedIn(account);
  await visitor.visit("/app/keys");
  const { page } = visitor;
  const dialog = page.getByRole("dialog");
  await page.getByRole("button", { name: "Create token" }).click();
  const create = dialog.getByRole("button", { name: "Create token" });
  await dialog.getByLabel("Name").fill("nginx");
  await dialog.getByLabel("Scopes").fill("gate, lookups");
  await create.click();
  await dialog.locator(".field-error").getByText('Unknown scope "lookups"').waitFor();
  expect(await visitor.inspect()).toEqual([]);
  await dialog.getByLabel("Scopes").fill("gate, exports:edge");
  await dialog.getByLabel("Networks").fill("192.0.2.0/24");
  await create.click();
  const token = await storeKey(visitor);
  expect(token).toMatch(/^rpx_\w{43}$/);
  const row = await rowOf(visitor, token.slice(0, 12));
  expect(row).toContain("gate, exports:edge");
  expect(row).toContain("192.0.2.0/24");
  await page.getByRole("button", { name: "Revoke nginx" }).click();
  await dialog.getByRole("button", { name: 'Revoke "nginx"' }).click();
  await page.getByText("1 past token").waitFor();
  expect((await world.service.accounts.listTokens({ email: account.email }))[0]?.state).toBe("revoked");
  expect(await visitor.faults()).toEqual([]);
  await visitor.close();
});
