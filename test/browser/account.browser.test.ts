import { readFile } from "node:fs/promises";
import jsQR from "jsqr";
import { Secret, TOTP } from "otpauth";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PASSWORD } from "../dashboard.ts";
import type { TestAccount } from "../service.ts";
import { type DashboardWorld, LISTED, lookUp, NOT_LISTED, openDashboardWorld } from "./dashboard-world.ts";
import { THEMES } from "./visitor.ts";

let world: DashboardWorld;
let owner: TestAccount;
beforeAll(async () => {
  world = await openDashboardWorld();
  owner = await world.service.openAccount();
});
afterAll(() => world.close());

const download = async (page: Page, button: string): Promise<string> => {
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: button, exact: true }).click(),
  ]);
  return readFile(await file.path(), "utf8");
};

test("bulk: a file in, what it costs before anything is looked up, a run that outlives the page, and a file out", async () => {
  const account = await world.service.openAccount({ credits: 1_000 });
  const visitor = await world.signedIn(account);
  const { page, visit } = visitor;
  const posted: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST")
      posted.push(new URL(request.url()).pathname.replace(/[\da-f-]{36}/, "ID"));
  });
  await visit("/app/bulk");
  const many = Array.from({ length: 118 }, (_, at) => `row ${at},203.0.113.${at + 1}`);
  const lines = [
    "name,address",
    `=cmd(),${LISTED}`,
    `a,${NOT_LISTED}`,
    `b,${NOT_LISTED}`,
    'c,"no address"',
    ...many,
  ];
  const buffer = Buffer.from(lines.join("\r\n"));
  await page.locator("input[type=file]").setInputFiles({ name: "list.csv", mimeType: "text/csv", buffer });
  expect(await page.getByLabel("Column").inputValue()).toBe("1");
  await page.getByRole("button", { name: "Check 122 lines" }).dblclick();
  await page.getByRole("heading", { name: "list.csv" }).waitFor();
  await page.getByText("costs up to 120 credits of 1,000 left").waitFor();
  expect(await page.getByText("The balance may not cover").count()).toBe(0);
  await page
    .getByText("1 repeated line answered once, 1 line that cannot be looked up: not charged.")
    .waitFor();
  expect(await world.service.balanceOf(account)).toBe(1_000);

  await page.getByRole("button", { name: "Start 120 lookups" }).dblclick();
  await page.reload();
  await page.getByText("Done", { exact: true }).waitFor();
  await page.getByText("120 of 120 lookups · 120 credits charged").waitFor();
  const runs = "/api/dashboard/runs";
  expect(posted).toEqual([runs, `${runs}/ID/lines`, `${runs}/ID/start`]);
  expect(await world.service.balanceOf(account)).toBe(880);
  await page.getByLabel("Lines").selectOption("invalid");
  await page.getByRole("cell", { name: "This is not an address" }).waitFor();
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download CSV" }).click(),
  ]);
  const csv = (await readFile(await file.path(), "utf8")).trimEnd().split("\r\n");
  // A row for each line, whatever became of it.
  expect(csv).toHaveLength(lines.length);
  expect(csv[1]).toMatch(/^'=cmd\(\),198\.41\.0\.4,ip,198\.41\.0\.4,done,\w+,\d+,1,1,$/);
  expect(csv[3]).toMatch(/^b,8\.8\.8\.8,ip,8\.8\.8\.8,repeated,.*Same target as line 3$/);
  await page.getByLabel("Lines").selectOption("");
  await page.getByRole("link", { name: LISTED }).click();
  await page.getByRole("heading", { name: LISTED, level: 1 }).waitFor();
  expect(await world.service.balanceOf(account)).toBe(880);
  expect(await visitor.faults()).toEqual([]);
  await visitor.close();
});

test("bulk: a run pauses where the balance ends, says so, and is cancelled and deleted only when that is confirmed", async () => {
  const account = await world.service.openAccount({ credits: 2 });
  const visitor = await world.signedIn(account);
  const { page, visit } = visitor;
  await visit("/app/bulk");
  await page.locator("textarea").fill([LISTED, NOT_LISTED, "1.1.1.1", "9.9.9.9"].join("\n"));
  await page.getByRole("button", { name: "Check 4 lines" }).click();
  await page.getByText("The balance may not cover all of it").filter({ visible: true }).waitFor();
  expect(await page.getByRole("link", { name: "See the plans" }).getAttribute("href")).toBe("/app/billing");
  await page.getByRole("button", { name: "Start 4 lookups" }).click();
  await page.getByText("Paused", { exact: true }).waitFor();
  await page
    .getByText("The balance does not cover the next lookup; the rest costs 2 credits.")
    .filter({ visible: true })
    .waitFor();
  await page.getByText("2 of 4 lookups · 2 credits charged").waitFor();
  for (const target of [LISTED, NOT_LISTED]) await page.getByRole("link", { name: target }).waitFor();
  expect(await page.getByRole("cell", { name: "Waiting" }).count()).toBe(2);
  for (const theme of THEMES) {
    await page.emulateMedia({ colorScheme: theme });
    expect({ theme, found: await visitor.inspect() }).toEqual({ theme, found: [] });
  }
  expect(await visitor.picture("bulk-paused")).toEqual([]);
  await world.service.accounts.setCredits({ email: account.email, credits: 1 });
  await page.getByRole("button", { name: "Resume" }).click();
  await page.getByText("3 of 4 lookups · 3 credits charged").waitFor();
  await page.getByText("Paused", { exact: true }).waitFor();
  await page.getByRole("combobox", { name: "Verdict" }).selectOption("elevated");
  await page.getByRole("link", { name: NOT_LISTED }).waitFor({ state: "detached" });
  await page.getByRole("link", { name: LISTED }).waitFor();

  const dialog = page.getByRole("dialog");
  await page.getByRole("button", { name: "Cancel", exact: true }).click();
  expect(await visitor.inspect()).toEqual([]);
  await dialog.getByRole("button", { name: "Go on" }).click();
  await page.getByText("Paused", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Cancel", exact: true }).click();
  await dialog.getByRole("button", { name: "Cancel the run" }).click();
  await page.getByText("Cancelled", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Delete" }).click();
  expect(await visitor.inspect()).toEqual([]);
  await dialog.getByRole("button", { name: "Delete" }).click();
  await page.getByText("No runs yet").waitFor();
  await visit("/app/results");
  await page.getByText("No results yet").waitFor();
  expect(await visitor.faults()).toEqual([]);
  await visitor.close();
});

test("results: a lookup is kept, found again, shared, and the link ends", async () => {
  const account = await world.service.openAccount({ credits: 10 });
  const visitor = await world.signedIn(account);
  const { page, visit } = visitor;
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await visit("/app/lookup");
  await lookUp(visitor, LISTED);
  await page.getByRole("button", { name: "Share" }).click();
  await page.getByText("The link is copied.").waitFor();
  const first = await page.locator(".secret code").innerText();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(first);
  expect(await page.getByLabel("The link works for").inputValue()).toBe("7");
  const end = new Date(Date.now() + 7 * 86_400_000).getUTCDate();
  await page.getByText(new RegExp(`It works until ${end} `)).waitFor();
  await page.getByLabel("The link works for").selectOption("30");
  await page.locator(".secret code").filter({ hasNotText: first }).waitFor();
  expect(await page.locator(".share-links li").count()).toBe(1);
  expect(await visitor.inspect()).toEqual([]);
  await page.getByRole("button", { name: "Revoke" }).click();
  await page.locator(".share-links").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Done" }).click();
  await visit("/app");
  await page.getByRole("link", { name: "IP reputation" }).click();
  await page.getByRole("heading", { name: LISTED, level: 1 }).waitFor();
  await visit("/app/results");
  await page.getByLabel("Target contains").fill("198.41");
  await page.keyboard.press("Enter");
  await page.getByText("1 result", { exact: true }).waitFor();
  await page.getByLabel("Verdict").selectOption("clean");
  await page.getByText("No result matches").waitFor();
  await page.getByLabel("Verdict").selectOption("");
  await page.getByRole("link", { name: LISTED }).click();
  await page.getByRole("button", { name: "Share" }).click();
  const link = await page.locator(".secret code").innerText();
  const stranger = await world.newVisitor();
  await stranger.visit(new URL(link).pathname);
  await stranger.page.getByText("A shared report").waitFor();
  expect(await stranger.page.content()).not.toContain(account.email);
  for (const theme of THEMES) {
    await stranger.page.emulateMedia({ colorScheme: theme });
    expect({ theme, found: await stranger.inspect() }).toEqual({ theme, found: [] });
  }
  expect(await stranger.picture("shared")).toEqual([]);
  expect(await stranger.faults()).toEqual([]);
  expect(await visitor.inspect()).toEqual([]);
  expect(await visitor.picture("result-share")).toEqual([]);
  await page.getByRole("button", { name: "Revoke" }).click();
  await page.locator(".share-links").waitFor({ state: "detached" });
  await stranger.visit(new URL(link).pathname);
  expect(await stranger.page.getByText("A shared report").count()).toBe(0);
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("No results yet").waitFor();
  expect(await world.service.balanceOf(account)).toBe(9);
  await stranger.close();
  await visitor.close();
});

test("a file for spreadsheets holds no formula from outside", async () => {
  const account = await world.service.openAccount();
  const visitor = await world.signedIn(account);
  const { page, visit } = visitor;
  await visit("/app/keys");
  await page.getByRole("button", { name: "Create key" }).click();
  await page.getByLabel("Name").fill('=HYPERLINK("http://evil.example")');
  await page.keyboard.press("Enter");
  const key = (await page.locator(".secret code").textContent()) ?? "";
  await page.getByRole("button", { name: "I have stored it" }).click();
  await world.service.call({ path: "/api/check-ip", key, body: { ip: LISTED } });
  await visit("/app/usage");
  await page.getByRole("radio", { name: "Key" }).check();
  await page.getByText("HYPERLINK").first().waitFor();
  const [head = ""] = (await download(page, "CSV")).split("\r\n");
  expect(head).toContain(`"'=HYPERLINK(""http://evil.example"")`);
  await visitor.close();
});

test("password, authenticator, sessions: each where the person looks for it", async () => {
  const account = await world.service.openAccount();
  const visitor = await world.signedIn(account);
  const other = await world.signedIn(account);
  const { page, visit } = visitor;
  await visit("/app/settings");
  await page.getByLabel("Current password").fill(PASSWORD);
  await page.getByLabel("New password").fill("short");
  await page.keyboard.press("Enter");
  await page.locator(".field-error").waitFor();
  await page.getByLabel("New password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.getByText("Password changed; all other sessions ended").first().waitFor();
  // The other session is over: its next step leads to sign-in.
  await other.page.getByRole("link", { name: "Keys" }).first().click();
  await other.page.getByRole("heading", { name: "Sign in" }).waitFor();

  await page.getByRole("button", { name: "Set up authenticator" }).click();
  await page.getByLabel("Your password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  const secret = ((await page.locator(".secret code").textContent()) ?? "").replaceAll(" ", "");
  const scanned = scan((await page.locator(".qr-code path").getAttribute("d")) ?? "");
  expect(scanned).toMatch(/^otpauth:\/\/totp\//);
  expect(new URL(scanned).searchParams.get("secret")).toBe(secret);
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  await page.getByLabel("Code", { exact: true }).fill(totp.generate());
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Your recovery codes" }).waitFor();
  await page.getByRole("button", { name: "I have stored them" }).click();
  await page.getByText("Signing in asks for a code").waitFor();

  await other.page.getByLabel("E-mail", { exact: true }).fill(account.email);
  await other.page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  await other.page.keyboard.press("Enter");
  await other.page
    .getByLabel("Code of your authenticator")
    .fill(totp.generate({ timestamp: Date.now() + 30_000 }));
  await other.page.keyboard.press("Enter");
  await other.page.getByRole("heading", { name: "Keys", level: 1 }).waitFor();

  await visit("/app/settings");
  await page.getByRole("button", { name: /^End the session/ }).click();
  await page.getByText("Session ended").first().waitFor();
  await page.getByRole("button", { name: "Sign out everywhere" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Sign out everywhere" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  expect(await visitor.faults()).toEqual([]);
  await visitor.close();
  await other.close();
});

test("an owner finds an account, changes it with a reason, and the reason is kept", async () => {
  const account = await world.service.openAccount({ plan: "Free" });
  const visitor = await world.signedIn(owner);
  const { page, visit } = visitor;
  await visit("/app/admin");
  await page.getByRole("searchbox").fill(account.email);
  await page.keyboard.press("Enter");
  await page.getByText("1 account", { exact: true }).waitFor();
  await page.getByRole("link", { name: account.email }).click();
  await page.getByRole("button", { name: "Change plan" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Plan").selectOption("Pro");
  await dialog.getByRole("button", { name: "Change plan" }).click();
  await dialog.getByText("Say why").waitFor();
  await dialog.getByLabel("Reason").fill("Paid by invoice 7");
  await page.keyboard.press("Enter");
  await page.getByText("Plan changed").first().waitFor();
  expect((await world.service.accounts.findAccount(account.email))?.plan).toBe("Pro");
  await page.getByRole("cell", { name: "Paid by invoice 7" }).waitFor();

  await page.getByRole("button", { name: "Disable account" }).click();
  await dialog.getByLabel("Reason").fill("Abuse");
  await page.keyboard.press("Enter");
  await page.getByText("Disabled").first().waitFor();
  const refused = await world.service.call({ path: "/api/check-ip", key: account.key, body: { ip: LISTED } });
  expect(refused.status).toBe(401);
  await page.getByRole("link", { name: "All accounts" }).click();
  await page.getByRole("link", { name: "Audit log" }).click();
  await page.getByRole("cell", { name: "Abuse" }).waitFor();
  expect(await visitor.faults()).toEqual([]);
  await visitor.close();
});

test("the owners' pages are for owners", async () => {
  const account = await world.service.openAccount();
  const visitor = await world.signedIn(account);
  expect(await visitor.page.getByRole("link", { name: "Admin" }).count()).toBe(0);
  await visitor.visit("/app/admin");
  await visitor.page.getByRole("heading", { name: "No such page" }).waitFor();
  await visitor.close();
});

/** What a camera reads of a QR code's path of unit squares. */
function scan(path: string): string {
  const squares = [...path.matchAll(/M(\d+) (\d+)/g)].map(([, x, y]) => [Number(x), Number(y)] as const);
  const scale = 4;
  const side = scale * (Math.max(...squares.flat()) + 5);
  const pixels = new Uint8ClampedArray(4 * side * side).fill(255);
  for (const [x, y] of squares) {
    for (let row = 0; row < scale; row++) {
      const from = 4 * ((scale * y + row) * side + scale * x);
      for (let i = from; i < from + 4 * scale; i++) if (i % 4 !== 3) pixels[i] = 0;
    }
  }
  return jsQR.default(pixels, side, side)?.data ?? "";
}
