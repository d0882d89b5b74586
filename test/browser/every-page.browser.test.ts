import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPage, PASSWORD, personPage } from "../dashboard.ts";
import { mailsTo, tokenIn } from "../mailbox.ts";
import type { TestAccount } from "../service.ts";
import { type DashboardWorld, LISTED, lookUp, NOT_LISTED, openDashboardWorld } from "./dashboard-world.ts";
import { THEMES, type Visitor } from "./visitor.ts";

let world: DashboardWorld;
let owner: TestAccount;
let visitor: Visitor;
beforeAll(async () => {
  world = await openDashboardWorld();
  // The first account of this file: the world's configuration names it an owner.
  owner = await world.service.openAccount({ plan: "Pro", credits: 61_244 });
  await useSomeCalls(owner);
  await useSomeKeys(owner);
  await usePeople();
  visitor = await world.signedIn(owner);
});
afterAll(() => world.close());

async function useSomeCalls({ key }: TestAccount): Promise<void> {
  const { call } = world.service;
  for (const ip of [LISTED, NOT_LISTED, "9.9.9.9"]) await call({ path: "/api/check-ip", key, body: { ip } });
  await call({ path: "/api/bulk/check-ip", key, body: { ips: [LISTED, "1.1.1.1", NOT_LISTED] } });
  await call({ path: "/api/check-ip", key, body: { ip: "nothing" } });
  await call({ path: "/api/email-reputation", key, body: { email: "someone@example.com" } });
  await call({ path: "/api/dns-lookup", key, body: { domain: "example.com" } });
}

async function useSomeKeys({ email }: TestAccount): Promise<void> {
  const { accounts } = world.service;
  const expiresAt = new Date(Date.now() + 40 * 86_400_000);
  const products = ["check-ip", "dns-lookup"];
  const options = { expiresAt, networks: ["192.0.2.0/24", "2001:db8::/32"], products };
  const networks = Array.from({ length: 12 }, (_, at) => `198.51.100.${16 * at}/28`);
  const manyNetworks = { expiresAt: null, networks, products: null };
  await accounts.createKey({ email, name: "shop", options });
  const { key } = await accounts.createKey({ email, name: "mail server" });
  await accounts.rollKey(key.id, { overlapMs: 86_400_000 });
  await accounts.createKey({ email, name: "office", options: manyNetworks });
  const past = await accounts.createKey({ email, name: "old laptop" });
  await accounts.updateKey(past.key.id, { expiresAt: new Date(Date.now() - 1000) });
}

type Scene = {
  readonly name: string;
  readonly path: string;
  readonly title: string;
  readonly act?: () => Promise<void>;
};

const click = (name: string) => visitor.page.getByRole("button", { name }).first().click();

/** Hours of today, with the times of each hour unfolded. */
async function showToday(): Promise<void> {
  await visitor.page.getByRole("radio", { name: "Today" }).check();
  await visitor.page.getByRole("heading", { name: "Time to answer" }).waitFor();
  await visitor.page.locator(".latency-hours > summary").click();
}

/** One person beside the owner, with a key of their own, and one who is invited. */
async function usePeople(): Promise<void> {
  const page = await personPage(world.service, owner.id);
  await page.call("POST", "/people", { email: "member@example.com", role: "member" });
  const member = openPage(world.service);
  const [mail] = await mailsTo(world.service, "member@example.com");
  await member.call("POST", "/join", { token: tokenIn(mail, "join"), password: PASSWORD });
  await member.call("POST", "/keys", { name: "of a member" });
  await page.call("POST", "/people", { email: "someone.with.a.long.name@mail.example.com", role: "viewer" });
}

/** Lines of several kinds, checked and not started. */
async function checkLines(): Promise<void> {
  const lines = [LISTED, NOT_LISTED, "example.com", "hxxp://example[.]com/login", LISTED, "no value"];
  await visitor.page.locator("textarea").fill(lines.join("\n"));
  await click("Check 6 lines");
  await visitor.page.getByRole("heading", { name: "Pasted lines" }).waitFor();
  await visitor.page.getByText("1 repeated line answered once").waitFor();
}

const SCENES: readonly Scene[] = [
  { name: "overview", path: "/app", title: "Overview" },
  { name: "keys", path: "/app/keys", title: "Keys" },
  { name: "keys-create", path: "/app/keys", title: "Keys", act: () => click("Create key") },
  {
    name: "keys-create-limits",
    path: "/app/keys",
    title: "Keys",
    act: async () => {
      const { page } = visitor;
      await click("Create key");
      await page.locator(".key-limits summary").click();
      await page.getByLabel("Expires").selectOption("day");
      await page.getByLabel("All products").uncheck();
      await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
      await page.getByText("Choose a day").waitFor();
    },
  },
  { name: "keys-edit", path: "/app/keys", title: "Keys", act: () => click("Edit shop") },
  { name: "keys-roll", path: "/app/keys", title: "Keys", act: () => click("Roll shop") },
  {
    name: "keys-past",
    path: "/app/keys",
    title: "Keys",
    act: () => visitor.page.locator(".past-keys > summary").click(),
  },
  { name: "keys-revoke", path: "/app/keys", title: "Keys", act: () => click("Revoke") },
  { name: "usage", path: "/app/usage", title: "Usage" },
  { name: "usage-table", path: "/app/usage", title: "Usage", act: () => click("Show as table") },
  { name: "usage-day", path: "/app/usage", title: "Usage", act: () => showToday() },
  { name: "people", path: "/app/people", title: "People" },
  { name: "people-invite", path: "/app/people", title: "People", act: () => click("Invite a person") },
  {
    name: "people-role",
    path: "/app/people",
    title: "People",
    act: async () => {
      await click("Change the role of member@example.com");
      await visitor.page.getByRole("radio", { name: "Viewer" }).check();
    },
  },
  {
    name: "people-remove",
    path: "/app/people",
    title: "People",
    act: () => click("Remove member@example.com"),
  },
  { name: "lookup-empty", path: "/app/lookup", title: "Lookup" },
  { name: "lookup", path: "/app/lookup", title: "Lookup", act: () => lookUp(visitor, LISTED) },
  { name: "lookup-email", path: "/app/lookup", title: "Lookup", act: () => lookUp(visitor, "a@example.com") },
  {
    name: "lookup-json",
    path: "/app/lookup",
    title: "Lookup",
    act: async () => {
      await lookUp(visitor, NOT_LISTED);
      await visitor.page.getByRole("tab", { name: "JSON" }).click();
    },
  },
  {
    name: "bulk",
    path: "/app/bulk",
    title: "Bulk",
    act: () => visitor.page.locator("textarea").fill(`name,address\na,${LISTED}\nb,${NOT_LISTED}\nc,none`),
  },
  { name: "bulk-draft", path: "/app/bulk", title: "Pasted lines", act: () => checkLines() },
  {
    name: "bulk-run",
    path: "/app/bulk",
    title: "Pasted lines",
    act: async () => {
      await checkLines();
      await click("Start 4 lookups");
      await visitor.page.getByText("Done", { exact: true }).waitFor();
    },
  },
  { name: "bulk-runs", path: "/app/bulk", title: "Bulk" },
  { name: "results", path: "/app/results", title: "Results" },
  {
    name: "result",
    path: "/app/results",
    title: LISTED,
    act: () => visitor.page.getByRole("link", { name: LISTED }).first().click(),
  },
  { name: "billing", path: "/app/billing", title: "Billing" },
  {
    name: "feeds",
    path: "/app/feeds",
    title: "Feeds",
    act: () => visitor.page.locator(".feed summary").first().click(),
  },
  { name: "settings", path: "/app/settings", title: "Settings" },
  {
    name: "settings-delete",
    path: "/app/settings",
    title: "Settings",
    act: () => click("Delete account"),
  },
  { name: "admin", path: "/app/admin", title: "Accounts" },
  {
    name: "admin-account",
    path: "/app/admin",
    title: "account-1@example.com",
    act: () => visitor.page.getByRole("link", { name: owner.email }).click(),
  },
  { name: "admin-audit", path: "/app/admin/audit", title: "Audit log" },
  { name: "no-such-page", path: "/app/none", title: "No such page" },
];

describe("every page in both themes and three widths:", () => {
  test.each(SCENES)(
    "$name has one heading and a title, and axe finds nothing",
    async ({ name, path, title, act }) => {
      const { page, visit, inspect, picture } = visitor;
      await visit(path);
      await act?.();
      await page.getByRole("heading", { level: 1, name: title, exact: true }).waitFor();
      expect(await page.locator("h1").count()).toBe(1);
      expect(await page.title()).toBe(`${title} · Repute`);
      for (const theme of THEMES) {
        await page.emulateMedia({ colorScheme: theme });
        expect({ theme, found: await inspect() }).toEqual({ theme, found: [] });
      }
      expect(await picture(name)).toEqual([]);
      expect(await visitor.faults()).toEqual([]);
    },
  );
});

test.each([
  { name: "sign-in", path: "/app/sign-in", title: "Sign in" },
  { name: "sign-up", path: "/app/sign-up", title: "Sign up" },
  { name: "forgotten", path: "/app/forgotten", title: "Forgotten password" },
  { name: "open-unknown", path: "/app/open#token=none", title: "Open your account" },
  { name: "open-without-token", path: "/app/open", title: "Open your account" },
  { name: "join-unknown", path: "/app/join#token=none", title: "Join an account" },
  { name: "reset", path: "/app/reset#token=none", title: "Set a new password" },
])("$name, before signing in, is in order as well", async ({ name, path, title }) => {
  const stranger = await world.newVisitor();
  await stranger.visit(path);
  expect(await stranger.page.title()).toBe(`${title} · Repute`);
  for (const theme of THEMES) {
    await stranger.page.emulateMedia({ colorScheme: theme });
    expect({ theme, found: await stranger.inspect() }).toEqual({ theme, found: [] });
  }
  expect(await stranger.picture(name)).toEqual([]);
  expect(await stranger.faults()).toEqual([]);
  await stranger.close();
});

test("the feeds are counted as reports count them: allowlists are no engines", async () => {
  await visitor.visit("/app/feeds");
  expect(await visitor.page.locator(".health-line").innerText()).toBe(
    "1 of 2 engines healthy · 1 without an answer · also 1 of 1 allowlist and 0 of 4 tables healthy",
  );
  await visitor.page
    .getByText("7 sources: 2 engines, 1 allowlist (to clear) and 4 tables of places and networks.")
    .waitFor();
});

test("what a bulk call costs and how many there may be stands where usage and plans are shown", async () => {
  const { page, visit } = visitor;
  await visit("/app/usage");
  await page.getByText("refused and failed items of a bulk call cost as much as the others").waitFor();
  await visit("/app/billing");
  await page.getByText("the bulk endpoints take half of the requests a second").waitFor();
  await page.getByText("on each endpoint, half of it on URL and bulk endpoints").waitFor();
});

test("the menu of a narrow window is a dialog that closes when it was used", async () => {
  const { page, visit, inspect } = visitor;
  await page.setViewportSize({ width: 360, height: 720 });
  await visit("/app");
  await page.getByRole("button", { name: "Menu" }).click();
  const menu = page.getByRole("dialog", { name: "Menu" });
  await menu.waitFor();
  expect(await inspect()).toEqual([]);
  await menu.getByRole("link", { name: "Feeds" }).click();
  await page.getByRole("heading", { name: "Feeds", level: 1 }).waitFor();
  expect(await menu.isVisible()).toBe(false);
  await page.setViewportSize({ width: 1280, height: 900 });
});

test("at 400 % nothing is lost to the side: 320 px are enough", async () => {
  const { page, visit } = visitor;
  await page.setViewportSize({ width: 320, height: 640 });
  for (const { path } of SCENES) {
    await visit(path);
    const needed = await page.evaluate<number>("document.documentElement.scrollWidth");
    expect({ path, needed }).toEqual({ path, needed: 320 });
  }
  await page.setViewportSize({ width: 1280, height: 900 });
});
