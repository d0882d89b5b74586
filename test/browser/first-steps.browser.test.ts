import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock, systemRandom } from "../../src/base/clock.ts";
import { issueResetToken } from "../../src/sessions/reset.ts";
import { PASSWORD } from "../dashboard.ts";
import { mailsTo, tokenIn } from "../mailbox.ts";
import { type DashboardWorld, giveKey, LISTED, lookUp, openDashboardWorld } from "./dashboard-world.ts";
import { settle } from "./visitor.ts";

let world: DashboardWorld;
beforeAll(async () => {
  world = await openDashboardWorld();
});
afterAll(() => world.close());

const MAX_SCRIPT_BYTES = 150_000;

/** Another try of the test finds the person of the first one signed up. */
let people = 0;

test("a new person signs up, looks something up without a key and sees what it cost", async () => {
  const email = `ada-${++people}@example.org`;
  const visitor = await world.newVisitor();
  const { page, visit } = visitor;
  await visit("/app/usage");
  expect(new URL(page.url()).pathname).toBe("/app/sign-in");
  expect(await visitor.scriptBytes()).toBeLessThan(MAX_SCRIPT_BYTES);

  await page.getByRole("link", { name: "Sign up" }).click();
  await page.getByLabel("E-mail").fill("ada");
  await page.keyboard.press("Enter");
  await page.getByText("Not an e-mail address").waitFor();
  await page.getByLabel("E-mail").fill(email);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Open your mail" }).waitFor();
  const [mail] = await mailsTo(world.service, email);
  const token = tokenIn(mail, "open");
  await visit(`/app/open#token=${token}`);
  expect(page.url()).not.toContain(token);
  expect(await page.getByLabel("E-mail").inputValue()).toBe(email);
  for (const refused of ["short", "password1"]) {
    await page.getByLabel("Password").fill(refused);
    await page.keyboard.press("Enter");
    await page.locator(".field-error").waitFor();
  }
  await page.getByText("among the first that are tried").waitFor();
  await page.getByLabel("Password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  await settle(page);
  expect(await page.title()).toBe("Overview · Repute");
  await page.getByText("No calls yet").waitFor();

  await page.getByRole("link", { name: "open Lookup" }).click();
  await page.getByRole("heading", { name: "Lookup", level: 1 }).waitFor();
  await lookUp(visitor, LISTED);
  await page.getByRole("heading", { name: LISTED }).waitFor();
  await page.getByText("1 credit charged · 99 left").waitFor();
  await page.locator(".answer li").filter({ hasText: "Attackers of the test" }).first().waitFor();
  expect(new URL(page.url()).pathname).toBe("/app/lookup/ip");

  await page.getByRole("link", { name: "Overview" }).first().click();
  await page.getByRole("cell", { name: "200 Answered" }).waitFor();
  expect(await page.locator("h1:focus").textContent()).toBe("Overview");

  await page.getByRole("link", { name: "Usage" }).first().click();
  await settle(page);
  await page.getByRole("button", { name: "Show as table" }).click();
  await page.getByRole("columnheader", { name: "IP reputation" }).waitFor();
  await page.getByRole("button", { name: "Show as chart" }).click();
  await page.locator(".chart canvas").waitFor();
  expect(await visitor.faults()).toEqual([]);
  await visitor.close();
});

test("the overview shows each lookup soon, however shortly before it was read", async () => {
  const visitor = await world.signedIn(await world.service.openAccount({ credits: 50 }));
  const { page, visit } = visitor;
  await visit("/app/lookup/ip");
  for (const [i, address] of ["8.8.4.4", "9.9.9.9", "1.0.0.1"].entries()) {
    await page.getByRole("link", { name: "Overview" }).first().click();
    await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
    await page.getByRole("link", { name: "Lookup" }).first().click();
    await page.locator("input[name=text]").fill(address);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: address }).waitFor();
    await page.getByRole("link", { name: "Overview" }).first().click();
    // Sooner than the page looks by itself.
    await page.getByRole("cell", { name: "200 Answered" }).nth(i).waitFor();
  }
  expect(await visitor.faults()).toEqual([]);
  await visitor.close();
});

test("a key is shown once, and what uses it stops when it is revoked", async () => {
  const account = await world.service.openAccount({ credits: 50 });
  const visitor = await world.signedIn(account);
  const { page, visit } = visitor;
  await visit("/app/keys");
  await page.getByRole("button", { name: "Create key" }).click();
  await page.getByLabel("Name").fill("laptop");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: 'Key "laptop" is ready' }).waitFor();
  const key = (await page.locator(".secret code").textContent()) ?? "";
  // Only the button closes it: what it shows is gone afterwards.
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await page.locator(".secret code").waitFor();
  await page.getByRole("button", { name: "I have stored it" }).click();
  await visit("/app/keys");
  expect(await page.content()).not.toContain(key);
  expect((await world.service.call({ path: "/api/check-ip", key, body: { ip: LISTED } })).status).toBe(200);

  await visit("/app/keys");
  await page.getByRole("button", { name: "Revoke laptop" }).click();
  await page.getByText("Something used it").waitFor();
  await page.getByRole("button", { name: 'Revoke "laptop"' }).click();
  await page.getByText('Revoked "laptop"').first().waitFor();
  await page.getByText("1 past key").waitFor();
  expect((await world.service.call({ path: "/api/check-ip", key, body: { ip: LISTED } })).status).toBe(401);
  expect(await visitor.faults()).toEqual([]);
  await visitor.close();
});

test("the link of the first start sets the owner's password, and steps stay until they are put away", async () => {
  const account = await world.service.openAccount();
  await world.service.call({ path: "/api/check-ip", key: account.key, body: { ip: LISTED } });
  const deps = { db: world.service.db, clock: systemClock, random: systemRandom };
  const token = await issueResetToken({ personId: account.id, endsTotp: true, actor: "test" }, deps);
  const visitor = await world.newVisitor();
  const { page, visit } = visitor;
  await visit(`/app/reset#token=${token}`);
  expect(page.url()).not.toContain(token);
  await page.getByLabel("New password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.getByText("Make the first call · done").waitFor();
  expect(await visitor.inspect()).toEqual([]);
  expect(await visitor.picture("overview-steps")).toEqual([]);
  await page.getByRole("button", { name: "Dismiss", exact: true }).click();
  await page.getByText("Next steps").waitFor({ state: "detached" });
  await visit("/app");
  expect(await page.getByText("Next steps").count()).toBe(0);
  await visitor.close();
});

test("a lookup on these pages is a step that is done, whichever browser made it", async () => {
  const account = await world.service.openAccount();
  const first = await world.signedIn(account);
  await first.page.getByText("Make the first call").waitFor();
  await first.visit("/app/lookup");
  await lookUp(first, LISTED);
  await first.close();
  const second = await world.signedIn(account);
  await second.page.getByRole("link", { name: "IP reputation" }).waitFor();
  expect(await second.page.getByText("Next steps").count()).toBe(0);
  await second.close();
});

test("who signs in with a key reads, is told so on every page, and is offered nothing that changes", async () => {
  const account = await world.service.openAccount({ credits: 9 });
  await world.service.accounts.setOwner({ email: account.email, isOwner: true });
  const visitor = await world.newVisitor();
  const { page, visit } = visitor;
  await visit("/app/sign-in");
  await giveKey(visitor, account.key);
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  for (const path of ["/app", "/app/lookup", "/app/bulk", "/app/keys"]) {
    await visit(path);
    await page.getByText("You signed in with an API key, which can only read here").waitFor();
  }
  expect(await page.getByRole("button", { name: "Create key" }).isDisabled()).toBe(true);
  expect(await page.getByRole("link", { name: "Admin" }).count()).toBe(0);
  await visit(`/app/lookup/ip?q=${LISTED}`);
  expect(await page.getByRole("button", { name: "Look up" }).isDisabled()).toBe(true);
  expect(await visitor.inspect()).toEqual([]);
  expect(await visitor.picture("lookup-reader")).toEqual([]);
  expect(await world.service.balanceOf(account)).toBe(9);
  await visitor.close();
});

test.each(["", "/nothing", "/ip"])(
  "an address with a value asks at the first press, behind /app/lookup%s",
  async (kind) => {
    const account = await world.service.openAccount({ credits: 9 });
    const visitor = await world.signedIn(account);
    const { page, visit } = visitor;
    await visit(`/app/lookup${kind}?q=${LISTED}`);
    expect(await world.service.balanceOf(account)).toBe(9);
    await page.getByRole("button", { name: "Look up" }).click();
    await page.getByRole("heading", { name: LISTED }).waitFor();
    expect(await world.service.balanceOf(account)).toBe(8);
    await visitor.close();
  },
);

test("two presses are one lookup and cost once; a second press never cancels; the key is listed and not revoked by hand", async () => {
  const account = await world.service.openAccount({ credits: 9 });
  const visitor = await world.signedIn(account);
  const { page, visit } = visitor;
  await visit("/app/lookup");
  await page.locator("input[name=text]").fill(LISTED);
  await page.getByRole("button", { name: "Look up" }).dblclick();
  await page.getByRole("heading", { name: LISTED }).waitFor();
  await page.getByRole("button", { name: "Look up" }).click();
  await settle(page);
  expect(await world.service.balanceOf(account)).toBe(8);
  await visit("/app/bulk");
  await page.locator(".given textarea").fill(`${LISTED}\n8.8.4.4`);
  await page.getByRole("button", { name: "Check 2 lines" }).dblclick();
  await page.getByRole("button", { name: "Start 2 lookups" }).dblclick();
  await page.getByText("Done", { exact: true }).waitFor();
  expect(await world.service.balanceOf(account)).toBe(6);
  await visit("/app/keys");
  await page.getByText("Pays lookups here").first().waitFor();
  await page.getByText("Ends with its").first().waitFor();
  expect(await page.getByRole("button", { name: "Revoke Dashboard" }).count()).toBe(0);
  expect(await visitor.inspect()).toEqual([]);
  expect(await visitor.picture("keys-of-a-session")).toEqual([]);
  expect(await visitor.faults()).toEqual([]);
  await visitor.close();
});

test("who is signed in gets the whole report on the public pages, once for two presses; a link spends nothing", async () => {
  const account = await world.service.openAccount({ credits: 9 });
  const visitor = await world.signedIn(account);
  const { page, visit } = visitor;
  await visit("/");
  await page.getByRole("textbox").fill(LISTED);
  await page.getByRole("button", { name: "Look up" }).dblclick();
  await page.getByText("1 credit charged, 8 left").waitFor();
  await page.locator("article li").filter({ hasText: "Attackers of the test" }).first().waitFor();
  expect(await world.service.balanceOf(account)).toBe(8);
  expect(await visitor.inspect()).toEqual([]);
  expect(await visitor.picture("tool-whole-report")).toEqual([]);
  await visit(`/tools/ip/${LISTED}`);
  expect(await world.service.balanceOf(account)).toBe(8);
  expect(await visitor.inspect()).toEqual([]);
  await page.getByRole("button", { name: "Whole report for 1 credit" }).dblclick();
  await page.getByText("1 credit charged, 7 left").waitFor();
  expect(new URL(page.url()).pathname).toBe(`/tools/ip/${LISTED}`);
  expect(await world.service.balanceOf(account)).toBe(7);
  expect(await visitor.faults()).toEqual([]);
  await visitor.close();
});
