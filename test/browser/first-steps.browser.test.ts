import { afterAll, beforeAll, expect, test } from "vitest";
import { type DashboardWorld, LISTED, lookUp, openDashboardWorld, PASSWORD } from "./dashboard-world.ts";
import { settle } from "./visitor.ts";

let world: DashboardWorld;
beforeAll(async () => {
  world = await openDashboardWorld();
});
afterAll(() => world.close());

const MAX_SCRIPT_BYTES = 150_000;

test("somebody new signs up, makes a key, looks something up and sees what it cost", async () => {
  const visitor = await world.newVisitor();
  const { page, visit } = visitor;
  await visit("/app/usage");
  expect(new URL(page.url()).pathname).toBe("/app/sign-in");
  expect(await visitor.scriptBytes()).toBeLessThan(MAX_SCRIPT_BYTES);

  await page.getByRole("link", { name: "Sign up" }).click();
  await page.getByLabel("E-mail").fill("ada");
  await page.getByLabel("Password").fill("short");
  await page.keyboard.press("Enter");
  await page.locator(".field-error").first().waitFor();
  expect(await page.locator(".field-error").count()).toBe(2);
  await page.getByLabel("E-mail").fill("ada@example.org");
  expect(await page.getByLabel("E-mail").inputValue()).toBe("ada@example.org");
  await page.getByLabel("Password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  await settle(page);
  expect(await page.title()).toBe("Overview · Repute");
  await page.getByText("No calls yet").waitFor();

  await page.getByRole("link", { name: "open Lookup" }).click();
  await page.getByRole("heading", { name: "Lookup", level: 1 }).waitFor();
  await page.getByRole("button", { name: "Make a key for this tab" }).click();
  await page.getByRole("button", { name: "Create key" }).click();
  const key = (await page.locator(".secret code").textContent()) ?? "";
  expect(key).toMatch(/^rpt_\w{43}$/);
  await page.getByRole("button", { name: "I have stored it" }).click();
  await page.getByText("kept in this tab only").waitFor();
  expect(await page.content()).not.toContain(key);

  await lookUp(visitor, LISTED);
  await page.getByRole("heading", { name: LISTED }).waitFor();
  await page.getByText("1 credit charged · 99 left").waitFor();
  await page.locator(".answer li").filter({ hasText: "Attackers of the test" }).first().waitFor();
  expect(new URL(page.url()).pathname).toBe("/app/lookup/ip");

  await page.getByRole("link", { name: "Overview" }).first().click();
  await page.getByRole("cell", { name: "200 Answered" }).waitFor();
  expect(await page.getByText("Next steps").count()).toBe(0);
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
  await page
    .getByRole("cell", { name: "Used in this tab" })
    .or(page.getByText("Used in this tab"))
    .first()
    .waitFor();
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
  // The tab has forgotten it as well.
  await visit("/app/lookup");
  await page.getByRole("heading", { name: "This tab needs a key to look things up" }).waitFor();
  await page.getByRole("button", { name: "Paste a key" }).click();
  await page.getByLabel("API key").fill(key);
  await page.keyboard.press("Enter");
  await lookUp(visitor, LISTED);
  await page.getByText("The key of this tab was revoked or mistyped").waitFor();
  expect(await visitor.faults()).toEqual([]);
  await visitor.close();
});

test("an owner of a new installation is led from sign-in to the key, and steps stay until they are put away", async () => {
  const account = await world.service.openAccount();
  await world.service.call({ path: "/api/check-ip", key: account.key, body: { ip: LISTED } });
  const visitor = await world.newVisitor();
  const { page, visit } = visitor;
  await visit("/app/sign-in");
  await page.getByRole("button", { name: "Sign in with the API key" }).click();
  expect(await page.locator(":focus").getAttribute("name")).toBe("api_key");
  await page.keyboard.type("rpt_nobody");
  await page.keyboard.press("Enter");
  await page.getByText("No account opens with this API key", { exact: true }).waitFor();
  await page.locator("input[name=api_key]").fill(account.key);
  await page.keyboard.press("Enter");
  await page.getByText("Make the first call · done").waitFor();
  expect(await visitor.inspect()).toEqual([]);
  expect(await visitor.picture("overview-steps")).toEqual([]);
  await page.getByRole("button", { name: "Dismiss", exact: true }).click();
  await visit("/app");
  expect(await page.getByText("Next steps").count()).toBe(0);
  await visitor.close();
});

test("a key for the tab: named by its day, in place of the former ones, and no more than the plan allows", async () => {
  const account = await world.service.openAccount({ plan: "Starter" });
  const visitor = await world.signedIn(account);
  const { page, visit } = visitor;
  const make = async (isReplacing: boolean): Promise<void> => {
    await page.getByRole("button", { name: "Forget key" }).click();
    await page.getByRole("button", { name: "Make a key for this tab" }).click();
    expect(await page.getByLabel("Name").inputValue()).toMatch(/^Dashboard, \d+ \w+ \d{4}$/);
    await page.keyboard.press("Enter");
    if (isReplacing) await page.getByLabel(/^Revoke 1 former dashboard key/).check();
    await page.getByRole("button", { name: "I have stored it" }).click();
  };
  await visit("/app/lookup");
  await make(false);
  await make(true);
  await page.getByText("Revoked 1 former dashboard key").first().waitFor();
  // What Starter allows.
  const max = 5;
  for (let made = 2; made < max; made += 1) await make(false);
  await page.getByRole("button", { name: "Forget key" }).click();
  await page.getByText(`Your plan allows ${max} active keys`).waitFor();
  expect(await visitor.inspect()).toEqual([]);
  expect(await visitor.picture("lookup-key-limit")).toEqual([]);
  await visitor.close();
});
