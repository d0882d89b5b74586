import { readFile } from "node:fs/promises";
import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPage, PASSWORD } from "../dashboard.ts";
import type { TestAccount } from "../service.ts";
import { type DashboardWorld, LISTED, openDashboardWorld } from "./dashboard-world.ts";
import { THEMES, type Visitor } from "./visitor.ts";

let world: DashboardWorld;
let owner: TestAccount;
beforeAll(async () => {
  world = await openDashboardWorld();
  // The first account of this file: the world's configuration names it an owner.
  owner = await world.service.openAccount();
});
afterAll(() => world.close());

const lookUp = async ({ key }: TestAccount): Promise<number> =>
  (await world.service.call({ path: "/api/check-ip", key, body: { ip: LISTED } })).status;

/** A person on the page of their settings. */
async function arrive(account: TestAccount) {
  const visitor = await world.signedIn(account);
  await visitor.visit("/app/settings");
  return { visitor, page: visitor.page, dialog: visitor.page.getByRole("dialog") };
}

async function confirm({ page }: Visitor, email: string, password: string): Promise<void> {
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(/^Type .* to confirm$/).fill(email);
  await dialog.getByLabel("Your password").fill(password);
  await page.keyboard.press("Enter");
}

test("a person takes their data along as one file", async () => {
  const account = await world.service.openAccount();
  await lookUp(account);
  const { visitor, page } = await arrive(account);
  const save = page.getByRole("button", { name: "Download my data" });
  const [file] = await Promise.all([page.waitForEvent("download"), save.click()]);
  expect(file.suggestedFilename()).toBe("repute-account.json");
  const text = await readFile(await file.path(), "utf8");
  const { account: own, calls, keys } = JSON.parse(text);
  expect([own.email, calls.length, keys.length]).toEqual([account.email, 1, 1]);
  expect(text).not.toContain(account.key);
  await page.getByText("Your data is downloaded").first().waitFor();

  await page.route("**/account/export", (route) => route.abort("connectionrefused"));
  await save.click();
  await page.getByText("No answer came").waitFor();
  expect(await visitor.faults()).toEqual([]);
  await visitor.close();
});

test("an account deletes itself, with its address typed and its password, and a last page says so", async () => {
  const account = await world.service.openAccount();
  const { visitor, page, dialog } = await arrive(account);
  const fault = dialog.locator(".field-error");
  await page.getByRole("button", { name: "Delete account" }).click();
  await confirm(visitor, "someone@example.com", PASSWORD);
  await fault.getByText("Type the e-mail address of this account").waitFor();
  expect(await page.locator(":focus").getAttribute("name")).toBe("email");
  await confirm(visitor, account.email, "another password");
  await fault.getByText("This is not the current password").waitFor();
  expect(await page.locator(":focus").getAttribute("name")).toBe("password");
  expect(await visitor.inspect()).toEqual([]);
  expect(await lookUp(account)).toBe(200);

  await confirm(visitor, account.email, PASSWORD);
  await page.getByRole("heading", { name: "Account deleted", level: 1 }).waitFor();
  await page.getByText(`${account.email} and everything stored with it are deleted`).waitFor();
  expect(await page.title()).toBe("Account deleted · Repute");
  for (const theme of THEMES) {
    await page.emulateMedia({ colorScheme: theme });
    expect({ theme, found: await visitor.inspect() }).toEqual({ theme, found: [] });
  }
  expect(await visitor.picture("goodbye")).toEqual([]);
  expect(await lookUp(account)).toBe(401);
  expect(await world.service.accounts.findAccount(account.email)).toBeNull();
  expect(await page.context().cookies()).toEqual([]);
  await page.goBack();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  expect(await visitor.faults()).toEqual([]);
  await visitor.close();
});

test("the page reports no deletion that did not happen", async () => {
  const stranger = await world.newVisitor();
  await stranger.visit("/app/goodbye");
  await stranger.page.getByRole("heading", { name: "Sign in" }).waitFor();
  await stranger.close();
  const account = await world.service.openAccount();
  const { visitor, page } = await arrive(account);
  await visitor.visit("/app/goodbye");
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  await visitor.close();
});

test("an authenticator that was set up elsewhere is asked for", async () => {
  const account = await world.service.openAccount();
  const { visitor, page, dialog } = await arrive(account);
  const other = openPage(world.service);
  await other.call("POST", "/sign-in", { email: account.email, password: PASSWORD });
  const started = await other.call("POST", "/totp", { current_password: PASSWORD });
  const totp = new TOTP({ secret: Secret.fromBase32(String(started.of("data", "secret"))) });
  expect((await other.call("POST", "/totp/confirm", { totp_code: totp.generate() })).status).toBe(200);

  await page.getByRole("button", { name: "Delete account" }).click();
  await confirm(visitor, account.email, PASSWORD);
  const code = dialog.getByLabel("Code of your authenticator");
  await code.waitFor();
  expect(await page.locator(":focus").getAttribute("name")).toBe("totp_code");
  await code.fill("000000");
  await page.keyboard.press("Enter");
  await dialog.getByText("This is neither the code that the authenticator shows now").waitFor();
  await code.fill(totp.generate({ timestamp: Date.now() + 30_000 }));
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Account deleted" }).waitFor();
  expect(await visitor.faults()).toEqual([]);
  await visitor.close();
});

test("the only owner is told why the account stays", async () => {
  const { visitor, page, dialog } = await arrive(owner);
  await page.getByRole("button", { name: "Delete account" }).click();
  await confirm(visitor, owner.email, PASSWORD);
  await dialog.getByRole("alert").getByText("This is the only owner of the installation").waitFor();
  expect(await visitor.inspect()).toEqual([]);
  await dialog.getByRole("button", { name: "Keep it" }).click();
  expect(await page.locator(":focus").innerText()).toBe("Delete account");
  expect(await lookUp(owner)).toBe(200);
  expect(await visitor.faults()).toEqual([]);
  await visitor.close();
});
