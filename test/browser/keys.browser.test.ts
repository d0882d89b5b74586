import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPage } from "../dashboard.ts";
import { type DashboardWorld, LISTED, openDashboardWorld, PASSWORD } from "./dashboard-world.ts";
import { settle, type Visitor } from "./visitor.ts";

let world: DashboardWorld;
beforeAll(async () => {
  world = await openDashboardWorld();
});
afterAll(() => world.close());

let made = 0;

/** Somebody who has signed up, and in by password. */
async function arrive(): Promise<Visitor & { readonly email: string }> {
  made++;
  const email = `person-${made}@example.com`;
  await openPage(world.service).call("POST", "/sign-up", { email, password: PASSWORD });
  const visitor = await world.newVisitor();
  const { page, visit } = visitor;
  await visit("/app/sign-in");
  await page.getByLabel("E-mail", { exact: true }).fill(email);
  await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  await settle(page);
  return { ...visitor, email };
}

const lookUp = (key: string, path = "/api/check-ip") =>
  world.service.call({ path, key, body: { ip: LISTED, domain: "example.com" } });

test("a key is made with limits, changed and rolled; what is refused stands at its field", async () => {
  const visitor = await arrive();
  const { page, visit, email } = visitor;
  await visit("/app/keys");
  await page.getByRole("button", { name: "Create key" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("shop");
  await dialog.getByText("Limits", { exact: true }).click();
  await dialog.getByLabel("Expires").selectOption("90d");
  await dialog.getByLabel("Networks").fill("127.0.0.1/8");
  await dialog.getByLabel("All products").uncheck();
  for (const name of [
    "domain-reputation",
    "url-reputation",
    "email-reputation",
    "dns-lookup",
    "whois-lookup",
  ])
    await dialog.getByLabel(name).uncheck();
  await dialog.getByRole("button", { name: "Create key" }).click();
  await dialog.locator(".field-error").getByText("beyond its prefix length").waitFor();
  await dialog.getByLabel("Networks").fill("127.0.0.0/8, 2001:db8::/32");
  await dialog.getByRole("button", { name: "Create key" }).click();
  const key = (await page.locator(".secret code").textContent()) ?? "";
  await page.getByRole("button", { name: "I have stored it" }).click();
  await page.getByText("For check-ip").waitFor();
  await page.getByText("127.0.0.0/8, 2001:db8::/32").waitFor();
  expect([(await lookUp(key)).status, (await lookUp(key, "/api/domain-reputation")).status]).toEqual([
    200, 403,
  ]);

  await page.getByRole("button", { name: "Edit shop" }).click();
  await dialog.getByLabel("Name").fill("store");
  await dialog.getByLabel("Expires").selectOption("");
  await dialog.getByLabel("All products").check();
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByText('Changed "store"').first().waitFor();
  expect((await lookUp(key, "/api/domain-reputation")).status).toBe(200);
  const [kept] = await world.service.accounts.listKeys({ email });
  expect(kept).toMatchObject({
    name: "store",
    options: { expiresAt: null, networks: ["127.0.0.0/8", "2001:db8::/32"], products: null },
  });

  await page.getByRole("button", { name: "Roll store" }).click();
  await dialog.getByLabel("The old key keeps working").selectOption("3600");
  await dialog.getByRole("button", { name: "Roll key" }).click();
  const rolled = (await page.locator(".secret code").textContent()) ?? "";
  await page.getByRole("button", { name: "I have stored it" }).click();
  await page.getByText("Replaced", { exact: true }).waitFor();
  expect([(await lookUp(key)).status, (await lookUp(rolled)).status]).toEqual([200, 200]);
  // The one that was replaced can only be revoked.
  expect(await page.getByRole("button", { name: /^Edit/ }).count()).toBe(1);
  await page.getByRole("button", { name: "Revoke store" }).first().click();
  await dialog.getByRole("button", { name: 'Revoke "store"' }).click();
  await page.getByText("1 past key").waitFor();
  expect(await visitor.faults()).toEqual([]);
  await visitor.close();
});

test("an account takes its data along and deletes itself, with its address typed and its password", async () => {
  const visitor = await arrive();
  const { page, visit, email } = visitor;
  const { text } = await world.service.accounts.createKey({ email });
  await lookUp(text);
  await visit("/app/settings");
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download my data" }).click(),
  ]);
  const data = JSON.parse(await readFile(await file.path(), "utf8"));
  expect([file.suggestedFilename(), data.account.email, data.calls.length]).toEqual([
    "repute-account.json",
    email,
    1,
  ]);

  await page.getByRole("button", { name: "Delete account" }).click();
  const dialog = page.getByRole("dialog");
  const typed = dialog.getByLabel(`Type ${email} to confirm`);
  await typed.fill("somebody@example.com");
  await dialog.getByLabel("Your password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await dialog.locator(".field-error").getByText("Type the e-mail address of this account").waitFor();
  await typed.fill(email);
  await dialog.getByLabel("Your password").fill("another password");
  await page.keyboard.press("Enter");
  await dialog.locator(".field-error").getByText("This is not the current password").waitFor();
  expect((await lookUp(text)).status).toBe(200);
  await dialog.getByLabel("Your password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  expect((await lookUp(text)).status).toBe(401);
  expect(await world.service.accounts.findAccount(email)).toBeNull();
  expect(await visitor.faults()).toEqual([]);
  await visitor.close();
});
