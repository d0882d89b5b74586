import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestAccount } from "../service.ts";
import { type DashboardWorld, giveKey, LISTED, lookUp, openDashboardWorld } from "./dashboard-world.ts";
import { settle, THEMES, type Visitor } from "./visitor.ts";

let world: DashboardWorld;
let account: TestAccount;
let visitor: Visitor;
beforeAll(async () => {
  world = await openDashboardWorld();
  account = await world.service.openAccount();
  visitor = await world.signedIn(account);
});
afterAll(() => world.close());

const CREDITS = 1_500_000;
const search = ({ page }: Visitor) => page.getByRole("dialog", { name: "Find" });
/** Opens it and types, when the field has the focus. */
const find = async (by: Visitor, keys: string, text: string): Promise<void> => {
  await by.page.keyboard.press(keys);
  await search(by).waitFor();
  await by.page.keyboard.type(text);
};
const heading = ({ page }: Visitor, name: string) =>
  page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
const spent = async (): Promise<number> => CREDITS - (await world.service.balanceOf(account));

test("/ opens one field that recognises what is typed, says what it costs, and asks it", async () => {
  const { page, visit } = visitor;
  await visit("/app");
  await find(visitor, "/", "hxxp://example[.]com/login");
  await search(visitor).getByText("Looks like a URL.").waitFor();
  expect(await search(visitor).locator(".search-offer").allInnerTexts()).toEqual([
    "URL reputation\n2 credits",
  ]);
  expect(await spent()).toBe(0);
  await page.keyboard.press("Enter");
  await page.locator(".answer").waitFor();
  expect(await search(visitor).count()).toBe(0);
  expect(await page.locator("input[name=text]").inputValue()).toBe("http://example.com/login");
  expect(await spent()).toBe(2);
});

test("Ctrl-K opens it where something is being typed, and / is a character there", async () => {
  const { page, visit } = visitor;
  await visit("/app/bulk");
  await page.locator("textarea").focus();
  await page.keyboard.press("/");
  expect(await page.locator("textarea").inputValue()).toBe("/");
  await page.keyboard.press("Control+k");
  await search(visitor).waitFor();
  await page.keyboard.press("Control+k");
  expect(await search(visitor).count()).toBe(1);
  await page.keyboard.press("Escape");
  await search(visitor).waitFor({ state: "detached" });
  expect(await page.evaluate("document.activeElement.tagName")).toBe("TEXTAREA");
});

test("what was looked up is found again by a part of it, by the arrows, and free", async () => {
  const { page, visit } = visitor;
  await visit("/app/lookup");
  await lookUp(visitor, LISTED);
  const before = await spent();
  await visit("/app/usage");
  await page.getByRole("button", { name: "Find" }).first().click();
  await search(visitor).waitFor();
  await page.keyboard.type("198.41");
  await search(visitor).getByText("Not recognised so far.").waitFor();
  await search(visitor).getByText(LISTED, { exact: true }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await heading(visitor, LISTED);
  expect(await spent()).toBe(before);
});

test("what nothing recognises is said, and nothing is asked", async () => {
  const { page, visit } = visitor;
  await visit("/app");
  const before = await spent();
  await find(visitor, "/", '<img src=x onerror="alert(1)">');
  await page.keyboard.press("Enter");
  await search(visitor).getByText("Nothing is recognised here").waitFor();
  await page.keyboard.press("Escape");
  expect([await spent(), await visitor.faults()]).toEqual([before, []]);
});

test("the kind of one lookup is not the kind of the next", async () => {
  const { page, visit } = visitor;
  await visit("/app/lookup");
  await lookUp(visitor, "AS64500");
  const chosen = () => page.locator(".ask .choice label:has(input:checked)").first().innerText();
  expect(await chosen()).toBe("Registration");
  await page.locator("input[name=text]").fill("google.com");
  expect(await chosen()).toBe("Domain reputation");
  // A choice, by hand or by an address without a text, is kept while it is being typed.
  await page.getByRole("radio", { name: "DNS records" }).check();
  await page.locator("input[name=text]").fill("example.net");
  expect(await chosen()).toBe("DNS records");
  await visit("/app/lookup/whois");
  await page.locator("input[name=text]").fill("example.net");
  expect(await chosen()).toBe("Registration");
});

test("in both themes and three widths axe finds nothing and nothing is cut off", async () => {
  const { page, visit, inspect, picture } = visitor;
  await visit("/app");
  await find(visitor, "Control+k", "example.com");
  await search(visitor).getByText("Looks like a domain name.").waitFor();
  await search(visitor).getByText("http://example.com/login").waitFor();
  for (const theme of THEMES) {
    await page.emulateMedia({ colorScheme: theme });
    expect({ theme, found: await inspect() }).toEqual({ theme, found: [] });
  }
  expect(await picture("search")).toEqual([]);
  await page.keyboard.press("Escape");
});

test("a session that only reads is led to the form, and spends nothing", async () => {
  const reader = await world.newVisitor();
  const { page, visit } = reader;
  await visit("/app/sign-in");
  await giveKey(reader, account.key);
  await heading(reader, "Overview");
  const before = await spent();
  await find(reader, "/", "9.9.9.9");
  await search(reader).getByRole("heading", { name: "Show in the form" }).waitFor();
  await page.keyboard.press("Enter");
  await heading(reader, "Lookup");
  expect(await page.locator("input[name=text]").inputValue()).toBe("9.9.9.9");
  expect(await spent()).toBe(before);
  await reader.close();
});

test("on the public pages / and Ctrl-K go to the field of the page", async () => {
  const stranger = await world.newVisitor();
  const { page, visit } = stranger;
  for (const [path, keys] of [
    ["/", "/"],
    ["/tools/ip", "Control+k"],
  ] as const) {
    await visit(path);
    await page.evaluate("document.activeElement.blur()");
    await page.keyboard.press(keys);
    await page.keyboard.type("a/b");
    expect([path, await page.locator("#q").inputValue()]).toEqual([path, "a/b"]);
  }
  await visit("/pricing");
  await page.keyboard.press("/");
  await settle(page);
  expect(await stranger.faults()).toEqual([]);
  await stranger.close();
});
