import { afterAll, beforeAll, expect, test } from "vitest";
import { PASSWORD } from "../dashboard.ts";
import {
  type DashboardWorld,
  giveKey,
  LISTED,
  lookUp,
  openDashboardWorld,
  signIn,
} from "./dashboard-world.ts";
import { settle } from "./visitor.ts";

let world: DashboardWorld;
beforeAll(async () => {
  world = await openDashboardWorld();
});
afterAll(() => world.close());

test("a lookup that the balance does not cover says what it costs and where to go", async () => {
  const account = await world.service.openAccount({ plan: "Free", credits: 0 });
  const visitor = await world.signedIn(account);
  await visitor.visit("/app/lookup");
  await lookUp(visitor, LISTED);
  await visitor.page.getByText("This call costs 1 credit").waitFor();
  await visitor.page.getByRole("link", { name: "choose a larger plan" }).waitFor();
  expect(await visitor.inspect()).toEqual([]);
  await visitor.picture("state-402");
  expect(await visitor.faults()).toEqual([]);
  await visitor.close();
});

test("what cannot be looked up is said at its field, and what was typed stays", async () => {
  const account = await world.service.openAccount();
  const visitor = await world.signedIn(account);
  await visitor.visit("/app/lookup/ip");
  await lookUp(visitor, "256.256.256.256.256");
  await visitor.page.locator(".field-error").waitFor();
  const field = visitor.page.locator("input[name=text]");
  expect(await field.inputValue()).toBe("256.256.256.256.256");
  expect(await field.getAttribute("aria-invalid")).toBe("true");
  await visitor.close();
});

test("too many requests: when it goes on, and then it does", async () => {
  const account = await world.service.openAccount({ plan: "Free" });
  const visitor = await world.signedIn(account);
  const { page, visit } = visitor;
  await visit("/app/lookup");
  // Two a second are allowed; whichever of these arrive first use them up, again and again.
  let isBusy = true;
  const others = (async () => {
    while (isBusy) {
      await Promise.all(
        Array.from({ length: 6 }, () =>
          world.service.call({ path: "/api/check-ip", key: account.key, body: { ip: "nothing" } }),
        ),
      );
    }
  })();
  await lookUp(visitor, LISTED);
  await page.getByRole("button", { name: /Try again in \d+ second/ }).waitFor();
  // When it goes on stands in the sentence of the service and on the button that counts, not a third time.
  const words = await page.locator(".states p").allInnerTexts();
  expect(words.filter((one) => /try again in/i.test(one))).toHaveLength(1);
  expect(words).toContain("Nothing was charged.");
  isBusy = false;
  await others;
  await visitor.inspect().then((found) => expect(found).toEqual([]));
  await visitor.picture("state-429");
  await page.getByRole("button", { name: "Try again", exact: true }).click();
  await page.locator(".answer").waitFor();
  expect(await visitor.faults()).toEqual([]);
  await visitor.close();
});

test("a service that is away: said so, with a way on", async () => {
  const account = await world.service.openAccount();
  const visitor = await world.signedIn(account);
  const { page } = visitor;
  await page.route("**/api/dashboard/keys", (route) => route.abort("connectionrefused"));
  await page.getByRole("link", { name: "Keys" }).first().click();
  await page.getByText("No answer came").waitFor();
  expect(await visitor.inspect()).toEqual([]);
  await visitor.picture("state-away");
  await page.unroute("**/api/dashboard/keys");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("rowheader").first().waitFor();
  await visitor.close();
});

test("a session that ended leads to sign-in, and from there back to the page", async () => {
  const account = await world.service.openAccount();
  const visitor = await world.signedIn(account);
  const { page } = visitor;
  await page.context().clearCookies();
  await page.getByRole("link", { name: "Usage" }).first().click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  expect(new URL(page.url()).search).toBe("?next=%2Fusage");
  await page.getByText("Your session has ended").waitFor();
  expect(await visitor.inspect()).toEqual([]);
  await giveKey(visitor, account.key);
  await page.getByRole("heading", { name: "Usage", level: 1 }).waitFor();
  await visitor.close();
});

test("a session that ends under a question is no fault of the page, and the question is there after signing in", async () => {
  const account = await world.service.openAccount();
  const visitor = await world.signedIn(account);
  const { page, visit, faults } = visitor;
  await visit("/app/lookup");
  await page.context().clearCookies();
  await page.getByRole("textbox").first().fill("8.8.8.8");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await giveKey(visitor, account.key);
  await page.getByText("Ready to look up").waitFor();
  expect(await page.getByRole("textbox").first().inputValue()).toBe("8.8.8.8");
  expect(await faults()).toEqual([]);
  await visitor.close();
});

test.each(["by choice", "elsewhere"])("what was said goes with the session that ended %s", async (how) => {
  const account = await world.service.openAccount();
  const visitor = await world.signedIn(account);
  const { page, visit } = visitor;
  await visit("/app/settings");
  await page.getByLabel("Current password").fill(PASSWORD);
  await page.getByLabel("New password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.locator(".toast").waitFor();
  if (how === "by choice") await page.getByRole("button", { name: "Sign out" }).first().click();
  else {
    await page.context().clearCookies();
    await page.getByRole("link", { name: "Usage" }).first().click();
  }
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  expect(await page.getByText("Your session has ended").count()).toBe(how === "by choice" ? 0 : 1);
  // Well before its own time is over.
  await page.locator(".toast").waitFor({ state: "detached", timeout: 3_000 });
  await visitor.close();
});

test.each([
  "//evil.example",
  "https://evil.example/",
  "/\\evil.example",
  "javascript:alert(1)",
  "/../../evil",
  "/app/%2F%2Fevil.example",
])("after signing in, the page does not go to %s", async (next) => {
  const account = await world.service.openAccount();
  const visitor = await world.newVisitor();
  const { page, visit } = visitor;
  await visit(`/app/sign-in?next=${encodeURIComponent(next)}`);
  await giveKey(visitor, account.key);
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  expect(page.url().replace(/\/$/, "")).toBe(`${world.service.address}/app`);
  expect(await visitor.faults()).toEqual([]);
  await visitor.close();
});

test("a link from elsewhere fills the field, and spends nothing", async () => {
  const account = await world.service.openAccount({ credits: 7 });
  const visitor = await world.newVisitor();
  await signIn(world.service, visitor, account);
  await visitor.visit(`/app/lookup/ip?q=${LISTED}`);
  await settle(visitor.page);
  await visitor.page.getByText("Nothing is looked up or charged until you press Look up").waitFor();
  expect(await world.service.balanceOf(account)).toBe(7);
  await visitor.page.getByRole("button", { name: "Look up" }).click();
  await visitor.page.locator(".answer").waitFor();
  expect(await world.service.balanceOf(account)).toBe(6);
  await visitor.close();
});

test("looking up leaves nothing in the browser but the cookie that no script reads", async () => {
  const account = await world.service.openAccount();
  const visitor = await world.signedIn(account);
  const { page } = visitor;
  const sent: string[] = [];
  page.on("request", (request) => sent.push(JSON.stringify([request.url(), request.headers()])));
  await visitor.visit("/app/lookup");
  await lookUp(visitor, LISTED);
  expect(sent.filter((one) => /rpt_|dash_|x-api-key/i.test(one))).toEqual([]);
  for (const store of ["localStorage", "sessionStorage"]) {
    expect(await page.evaluate<string>(`JSON.stringify(${store})`)).not.toMatch(/rpt_|dash_|key/i);
  }
  const cookies = (await page.context().cookies()).filter(({ name }) => name !== "repute_theme");
  expect(cookies.map(({ name, httpOnly }) => [name, httpOnly])).toEqual([["repute_session", true]]);
  await visitor.close();
});

test("without a network a press says at once that it failed, and nothing is sent when the network is back", async () => {
  const account = await world.service.openAccount({ credits: 10 });
  const visitor = await world.signedIn(account);
  const { page, visit } = visitor;
  const context = page.context();
  await visit("/app/lookup");
  const posted: string[] = [];
  page.on("request", (request) => request.method() === "POST" && posted.push(request.url()));
  await context.setOffline(true);
  await lookUp(visitor, LISTED);
  await page.getByRole("button", { name: "Try again" }).waitFor();
  await page.getByRole("link", { name: "Keys", exact: true }).click();
  await page.getByRole("alert").first().waitFor();
  await context.setOffline(false);
  await visit("/app/keys");
  expect(posted).toHaveLength(1);
  expect(await world.service.balanceOf(account)).toBe(10);

  await page.getByRole("button", { name: "Create key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("offline");
  await context.setOffline(true);
  await page.keyboard.press("Enter");
  await dialog.getByRole("alert").waitFor();
  await context.setOffline(false);
  await visit("/app/keys");
  expect(await page.getByText("offline", { exact: true }).count()).toBe(0);
  expect(posted).toHaveLength(2);
  await visitor.close();
});
