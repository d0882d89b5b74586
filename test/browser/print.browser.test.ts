/// <reference lib="dom" />
import { afterAll, beforeAll, expect, test } from "vitest";
import { personPage } from "../dashboard.ts";
import type { TestAccount } from "../service.ts";
import { type DashboardWorld, LISTED, openDashboardWorld } from "./dashboard-world.ts";
import type { Visitor } from "./visitor.ts";

let world: DashboardWorld;
let owner: TestAccount;
let visitor: Visitor;
beforeAll(async () => {
  world = await openDashboardWorld();
  owner = await world.service.openAccount();
  await world.service.call({ path: "/api/check-ip", key: owner.key, body: { ip: LISTED } });
  visitor = await world.signedIn(owner, { theme: "dark" });
});
afterAll(() => world.close());

/** Shows the page as a printer gets it: in its window first, then in the width of a sheet. */
async function print({ page }: Visitor): Promise<void> {
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await page.setViewportSize({ width: 718, height: 900 });
}

async function backToScreen({ page }: Visitor): Promise<void> {
  await page.emulateMedia({ media: "screen", colorScheme: "dark" });
  await page.setViewportSize({ width: 1280, height: 900 });
}

test.each([
  "/app",
  "/app/keys",
  "/app/results",
  "/app/feeds",
  "/app/admin",
  "/app/admin/audit",
  "/app/settings",
])("%s on paper has each time in full, whole and without controls that change", async (path) => {
  const { page, visit } = visitor;
  await visit(path);
  await print(visitor);
  expect(await page.locator("main").innerText()).not.toMatch(/\bago\b|just now/);
  for (const time of await page.locator("main .time:has(time) .time-exact").all()) {
    if (!(await time.isVisible())) continue;
    expect(await time.innerText()).toMatch(/^\d+ \w+ \d{4}, \d\d:\d\d:\d\d UTC$/);
    const lines = await time.evaluate((element) => element.getClientRects().length);
    expect(lines).toBeLessThanOrEqual(2);
  }
  expect(await page.locator("main .button:visible").count()).toBe(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(718);
  await backToScreen(visitor);
});

/** Colours of the lowest bar of the drawing and of its mark in the legend, and how wide the drawing is against its place. */
const drawing = ({ page }: Visitor) =>
  page.locator(".chart").evaluate((chart) => {
    const canvas = chart.querySelector("canvas");
    const swatch = chart.querySelector(".series-1");
    const context = canvas?.getContext("2d");
    if (!canvas || !swatch || !context) throw new Error("There is no drawing");
    const [red, green, blue] = (getComputedStyle(swatch).color.match(/\d+/g) ?? []).map(Number);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    let isDrawn = false;
    for (let at = 0; at < data.length && !isDrawn; at += 4)
      isDrawn = data[at] === red && data[at + 1] === green && data[at + 2] === blue && data[at + 3] === 255;
    const place = chart.getBoundingClientRect();
    return { isDrawn, isWhole: canvas.getBoundingClientRect().right <= place.right + 1 };
  });

test("the chart of usage is whole on paper, in the colours of its legend there and back on the screen", async () => {
  await visitor.visit("/app/usage");
  await visitor.page.locator(".chart canvas").waitFor();
  const asDrawn = { isDrawn: true, isWhole: true };
  expect(await drawing(visitor)).toEqual(asDrawn);
  const { page } = visitor;
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await expect.poll(() => drawing(visitor)).toEqual(asDrawn);
  const adjusted = page.locator(".swatch").first();
  expect(await adjusted.evaluate((mark) => getComputedStyle(mark).printColorAdjust)).toBe("exact");
  await page.emulateMedia({ media: "screen", colorScheme: "light" });
  await expect.poll(() => drawing(visitor)).toEqual(asDrawn);
  await backToScreen(visitor);
  await expect.poll(() => drawing(visitor)).toEqual(asDrawn);
});

test("a shared answer about records is headed by its name and can be asked again; revoked, it says so", async () => {
  const person = await personPage(world.service, owner.id);
  await person.call("POST", "/api/dashboard/lookup/dns-lookup", { domain: "example.com" });
  const results = await person.call("GET", "/results?q=&verdict=&product=dns-lookup&limit=1&offset=0");
  const id = String(results.of("data", "results", "0", "id"));
  const share = await person.call("POST", `/results/${id}/shares`, { days: 7 });
  const { page, visit, close } = await world.newVisitor();
  const path = String(share.of("data", "path"));
  await visit(path);
  expect(await page.locator("h1").innerText()).toBe("example.com");
  await page.getByRole("link", { name: "look it up again" }).click();
  await page.waitForURL("**/tools/dns/example.com");
  await person.call("DELETE", `/shares/${String(share.of("data", "id"))}`);
  const answer = await page.goto(path);
  expect(answer?.status()).toBe(404);
  await page.getByText("This link has ended, was revoked, or was never made.").waitFor();
  await page.goto("/nowhere");
  await page.getByText("There is nothing at this path. Check the address").waitFor();
  await close();
});
