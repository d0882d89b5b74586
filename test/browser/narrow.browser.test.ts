/// <reference lib="dom" />
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TestScript } from "../servers/dns-server.ts";
import { knowsNobody, type TestAccount } from "../service.ts";
import { type DashboardWorld, LISTED, lookUp, NOT_LISTED, openDashboardWorld } from "./dashboard-world.ts";
import type { Visitor } from "./visitor.ts";

const NARROW = 360;

/** As long as an IPv4 address gets; nothing listens there. */
const HOST = "127.101.220.185";

/** A name whose pages and mail have one host. */
const zone: TestScript = (question) => {
  // No name server answers for it.
  if (question.name.toLowerCase().endsWith("silent.example.net")) return [];
  if (question.name.toLowerCase() !== "hosts.example.com") return knowsNobody(question);
  if (question.type === "A") return { answers: [{ type: "A", data: HOST }] };
  const data = { preference: 10, exchange: "hosts.example.com" };
  return question.type === "MX" ? { answers: [{ type: "MX", data }] } : {};
};

let world: DashboardWorld;
let owner: TestAccount;
let visitor: Visitor;
beforeAll(async () => {
  world = await openDashboardWorld({ dns: zone, file: { fetch: { allow_networks: ["127.0.0.0/8"] } } });
  owner = await world.service.openAccount();
  await world.service.call({ path: "/api/check-ip", key: owner.key, body: { ip: LISTED } });
  visitor = await world.signedIn(owner, { width: NARROW });
});
afterAll(() => world.close());

const leftOf = (place: Locator): Promise<number> =>
  place.evaluate((element) => {
    const style = getComputedStyle(element);
    return element.getBoundingClientRect().left + Number.parseFloat(style.paddingLeft);
  });

test("the footer begins where the content begins", async () => {
  const { page, visit, close } = await world.newVisitor({ width: NARROW });
  await visit("/");
  expect(await leftOf(page.locator("footer > div"))).toBe(await leftOf(page.locator("main")));
  await close();
});

describe("the values of a card stand in one column:", () => {
  const bulk = async ({ page }: Visitor) => {
    await page.locator("textarea").fill(`${LISTED}\n${NOT_LISTED}`);
    await page.getByRole("button", { name: "Check 2 lines" }).click();
    await page.getByRole("button", { name: "Start 2 lookups" }).click();
    await page.getByText("Done", { exact: true }).waitFor();
  };
  test.each([
    { path: "/app/admin", act: null },
    { path: "/app/keys", act: null },
    { path: "/app/bulk", act: bulk },
  ])("$path", async ({ path, act }) => {
    await visitor.visit(path);
    await act?.(visitor);
    const cells = visitor.page.locator(".table tbody tr").first().locator("td[data-label]:visible");
    await cells.first().waitFor();
    const lefts = await cells.evaluateAll((all) =>
      all.map((cell) => {
        const content = document.createRange();
        content.selectNodeContents(cell);
        return Math.round(content.getBoundingClientRect().left);
      }),
    );
    expect(lefts.length).toBeGreaterThan(2);
    expect([...new Set(lefts)]).toHaveLength(1);
  });
});

test("the rule before the score goes when the score has a line of its own", async () => {
  const { page, visit } = visitor;
  await visit("/app/lookup");
  await lookUp(visitor, LISTED);
  const ruleAt = (): Promise<{ isBelow: boolean; fromEdge: number }> =>
    page.locator(".verdict-word").evaluate((line) => {
      const number = line.querySelector(".verdict-number")?.getBoundingClientRect();
      const word = line.querySelector("strong")?.getBoundingClientRect();
      if (number === undefined || word === undefined) throw new Error("No verdict");
      const edge = line.getBoundingClientRect().left;
      return { isBelow: number.top >= word.bottom, fromEdge: number.left - edge };
    });
  await page.setViewportSize({ width: 320, height: 900 });
  const narrow = await ruleAt();
  expect(narrow.isBelow).toBe(true);
  expect(narrow.fromEdge).toBeLessThan(0);
  expect(await page.locator(".verdict-word").evaluate((line) => getComputedStyle(line).overflowX)).toBe(
    "clip",
  );
  await page.setViewportSize({ width: 1280, height: 900 });
  const wide = await ruleAt();
  expect(wide.isBelow).toBe(false);
  expect(wide.fromEdge).toBeGreaterThan(0);
  await page.setViewportSize({ width: NARROW, height: 900 });
});

/** Texts of the page in which a number stands on one line and its unit on the next. */
const partedUnits = ({ page }: Visitor): Promise<readonly string[]> =>
  page.evaluate(() => {
    const unit = /\d (?:(?:ms|s|min|h|d)|(?:\p{L}+ (?:old|ago)))(?![\p{L}-])/gu;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const parted: string[] = [];
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      for (const { 0: text, index } of (node.textContent ?? "").matchAll(unit)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + text.length);
        const lines = new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom)));
        if (lines.size > 1) parted.push(node.textContent ?? "");
      }
    }
    return parted;
  });

describe("no age and no span is parted from its unit at the end of a line:", () => {
  const look = (text: string) => async (wide: Visitor) => {
    await lookUp(wide, text);
    for (const group of await wide.page.locator("details:not([open]) > summary").all()) {
      if (await group.isVisible()) await group.click();
    }
  };
  test.each([
    { path: "/app/lookup", act: look(LISTED) },
    { path: "/app/lookup", act: look("hosts.example.com") },
    { path: "/app/lookup", act: look("silent.example.net") },
    { path: "/app", act: null },
    { path: "/app/usage", act: null },
    { path: "/app/feeds", act: null },
    { path: "/app/settings", act: null },
    { path: `/tools/ip/${LISTED}`, act: null },
    { path: "/status", act: null },
    { path: "/", act: null },
  ])("$path", async ({ path, act }) => {
    const { page, visit } = visitor;
    await visit(path);
    await act?.(visitor);
    for (let width = 320; width <= 800; width += 16) {
      await page.setViewportSize({ width, height: 900 });
      expect({ width, parted: await partedUnits(visitor) }).toEqual({ width, parted: [] });
    }
    await page.setViewportSize({ width: NARROW, height: 900 });
  });
});

test("an address behind a domain is not broken, and each says whether it is listed", async () => {
  const { page, visit } = visitor;
  await visit("/app/lookup");
  await lookUp(visitor, "hosts.example.com");
  const hosts = page.getByRole("table", { name: "Addresses behind the name" });
  const links = hosts.getByRole("link", { name: HOST });
  expect(await links.count()).toBe(2);
  for (const link of await links.all()) {
    expect(await link.evaluate((element) => element.getClientRects().length)).toBe(1);
  }
  const word = hosts.locator(".hosts-listed").first();
  expect(await word.evaluate((cell) => getComputedStyle(cell, "::before").content)).toBe('"listed "');
  expect(await word.innerText()).toBe("by none");
});

test("a report begins in the first window, however long what was looked up is", async () => {
  const { page, visit } = visitor;
  await visit("/app/lookup");
  await lookUp(visitor, `https://hosts.example.com/${"a/b%20c".repeat(250)}`);
  const tops = await page
    .locator(".verdict")
    .first()
    .evaluate((verdict) => verdict.getBoundingClientRect().top + scrollY);
  expect(tops).toBeLessThan(900);
});

test("a row that stands as a block leaves out what it does not have", async () => {
  const { page, visit } = visitor;
  await visit("/app/bulk");
  await page.locator("textarea").fill(`no value\n${LISTED}`);
  await page.getByRole("button", { name: "Check 2 lines" }).click();
  const row = page.locator(".table tbody tr").filter({ hasText: "no value" });
  await row.waitFor();
  expect(await row.locator("td:visible").allInnerTexts()).not.toContain("–");
  expect(await row.locator("td[data-none]").count()).toBeGreaterThan(1);
  await page.setViewportSize({ width: 1280, height: 900 });
  expect(await row.locator("td:visible").allInnerTexts()).toContain("–");
  await page.setViewportSize({ width: NARROW, height: 900 });
});

test("a command in what an engine says stands as code", async () => {
  const { page, visit } = visitor;
  await visit("/app/lookup");
  await lookUp(visitor, LISTED);
  const silent = page.locator(".engine-group-silent");
  await silent.locator("code", { hasText: /^repute feeds list$/ }).waitFor();
  expect(await silent.innerText()).not.toContain("`");
});

test("the tint of a row reaches over its text on both sides", async () => {
  const { page, visit } = visitor;
  await visit("/app/billing");
  const row = page.locator('tr[data-state="current"]');
  expect(await row.evaluate((element) => getComputedStyle(element).boxShadow)).toMatch(
    / -8px 0px .* 8px 0px /,
  );
});

/** Notes how far to the right each centred text of a drawing reaches, against the width of the drawing. */
const NOTE_TEXTS = `globalThis.drawn = [];
const draw = CanvasRenderingContext2D.prototype.fillText;
CanvasRenderingContext2D.prototype.fillText = function (text, x, ...rest) {
  if (this.textAlign === "center") {
    const reach = this.getTransform().transformPoint({ x: x + this.measureText(text).width / 2 }).x;
    drawn.push({ text, isCut: reach > this.canvas.width });
  }
  return draw.call(this, text, x, ...rest);
};`;

type Drawn = { readonly text: string; readonly isCut: boolean };
const drawnOn = (page: Page) => page.evaluate<readonly Drawn[]>("drawn");

test.each(["7 days", "30 days", "90 days"])("no day below the chart of %s is cut off", async (days) => {
  const { page, visit, close } = await world.signedIn(owner, { width: NARROW });
  await page.addInitScript(NOTE_TEXTS);
  await visit("/app/usage");
  await page.getByLabel("Days").selectOption({ label: days });
  await page.locator(".chart-frame canvas").waitFor();
  const drawn = await drawnOn(page);
  expect(drawn.filter(({ text }) => /^\d+ \w+$/.test(text)).length).toBeGreaterThan(1);
  expect(drawn.filter(({ isCut }) => isCut)).toEqual([]);
  await close();
});
