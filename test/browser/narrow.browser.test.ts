/// <reference lib="dom" />
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TestAccount } from "../service.ts";
import { type DashboardWorld, LISTED, lookUp, NOT_LISTED, openDashboardWorld } from "./dashboard-world.ts";
import type { Visitor } from "./visitor.ts";

const NARROW = 360;

let world: DashboardWorld;
let owner: TestAccount;
let visitor: Visitor;
beforeAll(async () => {
  world = await openDashboardWorld();
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
    const cells = visitor.page.locator(".table tbody tr").first().locator("td[data-label]");
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
