/// <reference lib="dom" />
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PASSWORD } from "../dashboard.ts";
import { mailsTo, tokenIn } from "../mailbox.ts";
import { type DashboardWorld, LISTED, lookUp, NOT_LISTED, openDashboardWorld } from "./dashboard-world.ts";
import { settle } from "./visitor.ts";

let world: DashboardWorld;
beforeAll(async () => {
  world = await openDashboardWorld();
});
afterAll(() => world.close());

const MAX_TABS = 60;

/** Role, name and outline of what has the focus. */
type Focus = { readonly name: string; readonly isOutlined: boolean };

const FOCUS = `(() => {
  const at = document.activeElement;
  if (at === document.body) return { name: "", isOutlined: false };
  const mark = at.matches("input[type=radio]") ? at.nextElementSibling ?? at.parentElement : at;
  const style = getComputedStyle(mark);
  const own = getComputedStyle(at.closest("label") ?? at);
  const label = at.getAttribute("aria-label") ?? at.labels?.[0]?.textContent ?? at.textContent ?? "";
  return {
    name: label.trim(),
    isOutlined: [style, own].some(({ outlineStyle, outlineWidth }) => outlineStyle !== "none" && outlineWidth !== "0px"),
  };
})()`;

/** Presses Tab until what is named has the focus; on the way every stop shows that it has it. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const passed: string[] = [];
  for (let press = 0; press < MAX_TABS; press += 1) {
    await page.keyboard.press("Tab");
    const focus = await page.evaluate<Focus>(FOCUS);
    if (focus.name !== "") expect(focus).toEqual({ ...focus, isOutlined: true });
    if (typeof name === "string" ? focus.name === name : name.test(focus.name)) return;
    passed.push(focus.name);
  }
  throw new Error(`Tab does not come to ${name}: ${passed.join(" | ")}`);
}

test("the keyboard alone goes from sign-up to a report, a revoked key and out again", async () => {
  const visitor = await world.newVisitor();
  const { page, visit } = visitor;
  const { keyboard } = page;
  const arrived = async (title: string): Promise<void> => {
    await page.getByRole("heading", { level: 1, name: title }).waitFor();
    await settle(page);
  };

  await visit("/app/sign-up");
  // The first field has the focus already.
  await keyboard.type("keys@example.org");
  await keyboard.press("Enter");
  await arrived("Open your mail");
  const [mail] = await mailsTo(world.service, "keys@example.org");
  await visit(`/app/open#token=${tokenIn(mail, "open")}`);
  await keyboard.type(PASSWORD);
  await keyboard.press("Enter");
  await arrived("Overview");

  await tabTo(page, "Keys");
  await keyboard.press("Enter");
  await arrived("Keys");
  await tabTo(page, "Create key");
  await keyboard.press("Enter");
  await keyboard.type("by keyboard");
  await keyboard.press("Enter");
  await page.getByRole("heading", { name: 'Key "by keyboard" is ready' }).waitFor();
  await tabTo(page, "I have stored it");
  await keyboard.press("Enter");

  // Back where the dialog was opened.
  expect(await page.locator(":focus").textContent()).toBe("Create key");
  await tabTo(page, "Lookup");
  await keyboard.press("Enter");
  await arrived("Lookup");
  await tabTo(page, /^IP address, domain/);
  await keyboard.type(LISTED);
  await keyboard.press("Enter");
  await page.getByRole("heading", { name: LISTED }).waitFor();
  expect(await page.locator(":focus").textContent()).toBe(LISTED);
  await tabTo(page, "Report");
  await keyboard.press("ArrowRight");
  await keyboard.press("Enter");
  await page.locator(".json-tree").filter({ visible: true }).waitFor();

  await visit("/app/keys");
  await tabTo(page, "Revoke by keyboard");
  await keyboard.press("Enter");
  await tabTo(page, 'Revoke "by keyboard"');
  await keyboard.press("Enter");
  await page.getByText("1 past key").waitFor();
  expect(await page.locator("h1:focus").textContent()).toBe("Keys");
  await tabTo(page, "Sign out");
  await keyboard.press("Enter");
  await arrived("Sign in");
  expect(await visitor.faults()).toEqual([]);
  await visitor.close();
});

test("the first stop of Tab skips to the content", async () => {
  const account = await world.service.openAccount();
  const visitor = await world.signedIn(account);
  await visitor.visit("/app/feeds");
  await visitor.page.keyboard.press("Tab");
  await visitor.page.keyboard.press("Enter");
  expect(await visitor.page.locator("main:focus").count()).toBe(1);
  await visitor.close();
});

test("what had the focus may go: it comes to where the person goes on", async () => {
  const account = await world.service.openAccount();
  const visitor = await world.signedIn(account);
  const { page, visit } = visitor;
  const focused = page.locator(":focus");
  await visit("/app/settings");
  await page.getByLabel("Current password").fill(PASSWORD);
  await page.getByLabel("New password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.getByText("Password changed; all other sessions ended").first().waitFor();
  await page.getByRole("button", { name: "Change password" }).waitFor();
  expect(await focused.textContent()).toBe("Change password");

  await visit("/app/lookup");
  for (const address of [LISTED, NOT_LISTED]) {
    await lookUp(visitor, address);
    await page.getByRole("heading", { name: address }).waitFor();
    expect(await focused.textContent()).toBe(address);
  }
  expect(await visitor.faults()).toEqual([]);
  await visitor.close();
});

test("the exact time of a report's span is there on focus and on a tap, as on hover", async () => {
  const visitor = await world.signedIn(await world.service.openAccount(), { width: 360 });
  const { page, visit } = visitor;
  await visit("/app/lookup");
  await lookUp(visitor, LISTED);
  const span = page.locator(".engine-group .tip").filter({ visible: true }).first();
  const shown = () => span.evaluate((one) => getComputedStyle(one, "::after").content);
  const exact = await span.getAttribute("title");
  expect(exact).toMatch(/^since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/);
  expect(await shown()).toBe("none");
  await span.focus();
  expect(await shown()).toContain(exact);
  await page.locator("input[name=text]").focus();
  await span.click();
  expect(await shown()).toContain(exact);
  expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBe(360);
  expect(await visitor.inspect()).toEqual([]);
  await visitor.close();
});
