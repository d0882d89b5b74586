import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PASSWORD } from "../dashboard.ts";
import { mailsTo, tokenIn } from "../mailbox.ts";
import type { TestAccount } from "../service.ts";
import { unprove } from "../sign-in-setting.ts";
import { type DashboardWorld, givePassword, LISTED, openDashboardWorld } from "./dashboard-world.ts";
import { settle, THEMES, type Visitor } from "./visitor.ts";

let world: DashboardWorld;
beforeAll(async () => {
  world = await openDashboardWorld();
});
afterAll(() => world.close());

const NEW_PASSWORD = "a better horse battery";

/** In order for everybody, in both themes and every width. */
async function isInOrder({ page, inspect, picture, faults }: Visitor, name: string): Promise<void> {
  for (const theme of THEMES) {
    await page.emulateMedia({ colorScheme: theme });
    expect({ name, theme, found: await inspect() }).toEqual({ name, theme, found: [] });
  }
  expect(await picture(name)).toEqual([]);
  expect(await faults()).toEqual([]);
}

const statusOf = async ({ key }: Pick<TestAccount, "key">): Promise<number> =>
  (await world.service.call({ path: "/api/check-ip", key, body: { ip: LISTED } })).status;

/** Sets an authenticator up on the Settings page; leaves the codes on the page. */
async function setUpAuthenticator({ page, visit }: Visitor): Promise<TOTP> {
  await visit("/app/settings");
  await page.getByRole("button", { name: "Set up authenticator" }).click();
  await page.locator(".secret code").or(page.getByLabel("Your password")).first().waitFor();
  if ((await page.locator(".secret code").count()) === 0) {
    await page.getByLabel("Your password").fill(PASSWORD);
    await page.keyboard.press("Enter");
  }
  const secret = ((await page.locator(".secret code").textContent()) ?? "").replaceAll(" ", "");
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  await page.getByLabel("Code", { exact: true }).fill(totp.generate());
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Your recovery codes" }).waitFor();
  return totp;
}

const shownCodes = ({ page }: Visitor): Promise<string[]> =>
  page.locator(".recovery-codes code").allTextContents();

/** The link that was mailed last, of so many. */
async function lastLink(email: string, count = 1): Promise<string> {
  const token = tokenIn((await mailsTo(world.service, email, count)).at(-1), "reset");
  return `/app/reset#token=${token}`;
}

test("recovery codes are shown once, open in place of the authenticator, and are made anew", async () => {
  const account = await world.service.openAccount();
  const visitor = await world.signedIn(account);
  const { page } = visitor;
  const totp = await setUpAuthenticator(visitor);
  const codes = await shownCodes(visitor);
  expect(new Set(codes).size).toBe(10);
  await isInOrder(visitor, "recovery-codes");
  // Only the button closes it: what it shows is gone afterwards.
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  expect(await page.locator(":focus").getAttribute("aria-label")).toBe("Copy the recovery codes");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByText("10 recovery codes left").waitFor();
  expect(await page.content()).not.toContain(codes[0]);

  const other = await world.newVisitor();
  await other.visit("/app/sign-in");
  await givePassword(other, account.email);
  await other.page.getByLabel("Code of your authenticator").fill((codes[0] ?? "").toUpperCase());
  await other.page.keyboard.press("Enter");
  await other.page.getByRole("heading", { name: "Overview" }).waitFor();
  await other.visit("/app/settings");
  await other.page.getByText("9 recovery codes left").waitFor();
  await isInOrder(other, "settings-authenticator");

  await other.page.getByRole("button", { name: "Make new recovery codes" }).click();
  await other.page.getByLabel("Code", { exact: true }).fill(codes[0] ?? "");
  await other.page.keyboard.press("Enter");
  await other.page.getByText("neither the code that the authenticator shows now").waitFor();
  await other.page
    .getByLabel("Code", { exact: true })
    .fill(totp.generate({ timestamp: Date.now() + 30_000 }));
  await other.page.keyboard.press("Enter");
  await other.page.getByRole("heading", { name: "Your recovery codes" }).waitFor();
  expect((await shownCodes(other)).filter((code) => codes.includes(code))).toEqual([]);
  await other.page.getByRole("button", { name: "I have stored them" }).click();
  await other.page.getByText("10 recovery codes left").waitFor();
  for (const { faults, close } of [visitor, other]) {
    expect(await faults()).toEqual([]);
    await close();
  }
});

test("a link for a new password lists the keys, revokes those that are chosen and ends every session", async () => {
  const account = await world.service.openAccount();
  const leaked = await world.service.accounts.createKey({ email: account.email, name: "leaked" });
  const before = await world.signedIn(account);
  const visitor = await world.newVisitor();
  const { page, visit } = visitor;
  await visit("/app/forgotten");
  await page.getByLabel("E-mail").fill(account.email);
  await page.keyboard.press("Enter");
  await page.getByText("a link is on its way").waitFor();
  const link = await lastLink(account.email);
  await visit(link);
  await page.getByText("API keys and access tokens that work").waitFor();
  expect(page.url()).not.toContain("token");
  await isInOrder(visitor, "reset-keys");
  // By keyboard alone: the password first, then the boxes.
  expect(await page.locator(":focus").getAttribute("name")).toBe("new_password");
  await page.keyboard.type(NEW_PASSWORD);
  const box = page.getByRole("checkbox", { name: /Revoke leaked/ });
  const focused = () => page.evaluate<string>("document.activeElement.closest('label')?.textContent ?? ''");
  for (let press = 0; press < 4 && !(await focused()).includes("Revoke leaked"); press += 1) {
    await page.keyboard.press("Tab");
  }
  await page.keyboard.press("Space");
  expect(await box.isChecked()).toBe(true);
  await page.getByLabel("New password").focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  expect([await statusOf(account), await statusOf({ key: leaked.text })]).toEqual([200, 401]);
  await before.page.getByRole("link", { name: "Keys" }).first().click();
  await before.page.getByRole("heading", { name: "Sign in" }).waitFor();

  await visit("/app");
  await visit(link);
  await page.getByText("This link was used or is too old").waitFor();
  await isInOrder(visitor, "reset-used");
  await visitor.close();
  await before.close();
});

test("a link asks for the code of the authenticator, or a recovery code, and stays when it is wrong", async () => {
  const account = await world.service.openAccount();
  const owner = await world.signedIn(account);
  await setUpAuthenticator(owner);
  const [code = ""] = await shownCodes(owner);
  await owner.close();
  const visitor = await world.newVisitor();
  const { page, visit } = visitor;
  await visit("/app/forgotten");
  await page.getByLabel("E-mail").fill(account.email);
  await page.keyboard.press("Enter");
  await visit(await lastLink(account.email));
  await page.getByLabel("New password").fill(NEW_PASSWORD);
  await page.getByLabel("Code of your authenticator").fill("000000");
  await page.keyboard.press("Enter");
  await page.getByText("neither the code that the authenticator shows now").waitFor();
  await isInOrder(visitor, "reset-code");
  await page.getByLabel("Code of your authenticator").fill(code);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  expect(await visitor.faults()).toEqual([]);
  await visitor.close();
});

test("an account whose address is not proved says so on every page, and one mailed link proves it", async () => {
  const account = await world.service.openAccount();
  const visitor = await world.signedIn(account);
  const { page, visit } = visitor;
  await unprove(world.service.db, account.email);
  expect(await statusOf(account)).toBe(401);
  await visit("/app");
  await page.getByText("is not confirmed yet").waitFor();
  await isInOrder(visitor, "not-proved");
  await page.getByRole("button", { name: "Send me the link" }).click();
  await page.getByText("The link is on its way.").waitFor();
  await visit(await lastLink(account.email));
  await page.getByText("shows that the address is yours").waitFor();
  await isInOrder(visitor, "reset-first-proof");
  await page.getByLabel("New password").fill(NEW_PASSWORD);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  await settle(page);
  expect(await page.getByText("is not confirmed yet").count()).toBe(0);
  expect(await statusOf(account)).toBe(401);
  expect((await world.service.accounts.findAccount(account.email))?.credits).toBeGreaterThan(0);
  await visitor.close();
});

test("the steps of a sign-up are in order, and a link opens one account", async () => {
  const visitor = await world.newVisitor();
  const { page, visit } = visitor;
  await visit("/app/sign-up");
  await page.getByLabel("E-mail").fill("zoe@example.org");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Open your mail" }).waitFor();
  await isInOrder(visitor, "sign-up-sent");
  expect(await world.service.accounts.findAccount("zoe@example.org")).toBeNull();
  await page.getByRole("button", { name: "have it sent again" }).click();
  await page.getByLabel("E-mail").fill("zoe@example.org");
  await page.keyboard.press("Enter");
  const mails = await mailsTo(world.service, "zoe@example.org", 2);
  const links = mails.map((mail) => `/app/open#token=${tokenIn(mail, "open")}`);
  await visit(links[0] ?? "");
  await page.getByRole("button", { name: "Open account" }).waitFor();
  await isInOrder(visitor, "open");
  await page.getByLabel("Password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  await visit(links[1] ?? "");
  await page.getByText("This link was used, or is older than a day").waitFor();
  await isInOrder(visitor, "open-used");
  await visitor.close();
});
