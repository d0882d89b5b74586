/// <reference lib="dom" />
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LISTED, NOT_LISTED, openPublicWorld, type PublicWorld } from "./public-world.ts";
import { THEMES, type Visitor } from "./visitor.ts";

let world: PublicWorld;
beforeAll(async () => {
  world = await openPublicWorld();
});
afterAll(() => world.close());

const MAX_SCRIPT_BYTES = 15_000;

const PAGES: readonly (readonly [name: string, path: string, title: string, status: number])[] = [
  ["home", "/", "Is this address safe?", 200],
  ["home-nothing", "/lookup?q=nothing", "Is this address safe?", 422],
  ["tool-ip", "/tools/ip", "IP address check", 200],
  ["tool-domain", "/tools/domain", "Domain check", 200],
  ["tool-url", "/tools/url", "URL check", 200],
  ["tool-email", "/tools/email", "E-mail address check", 200],
  ["tool-dns", "/tools/dns", "DNS lookup", 200],
  ["tool-whois", "/tools/whois", "WHOIS lookup", 200],
  ["ip-listed", `/tools/ip/${LISTED}`, LISTED, 200],
  ["ip", `/tools/ip/${NOT_LISTED}`, NOT_LISTED, 200],
  ["ip-invalid", "/tools/ip/nothing", "nothing", 422],
  ["domain", "/tools/domain/example.com", "example.com", 200],
  [
    "url",
    `/tools/url?q=${encodeURIComponent("https://example.com/a?b=c")}`,
    "https://example.com/a?b=c",
    200,
  ],
  ["email", "/tools/email/jane%40example.com", "jane@example.com", 200],
  ["dns", "/tools/dns/example.com?type=TXT", "example.com", 200],
  ["whois", "/tools/whois/AS15169", "AS15169", 200],
  ["pricing", "/pricing", "Plans", 200],
  ["guide", "/guide", "Guide", 200],
  ["guide-sign-up", "/guide/sign-up", "Sign-up gate", 200],
  ["guide-comments", "/guide/comments", "Comment form", 200],
  ["guide-mail", "/guide/mail", "Mail gateway", 200],
  ["guide-siem", "/guide/siem", "SIEM", 200],
  ["docs", "/docs", "API reference", 200],
  ["status", "/status", "Status", 200],
  ["sources", "/sources", "Sources", 200],
  ["not-found", "/nowhere", "There is no such page", 404],
];

async function checkPage(visitor: Visitor, title: string): Promise<void> {
  const headings = await visitor.page.locator("h1").allInnerTexts();
  expect(headings).toEqual([title]);
  expect(await visitor.page.title()).toMatch(/Repute/);
  expect(await visitor.inspect()).toEqual([]);
  expect(await visitor.faults()).toEqual([]);
}

describe.each(PAGES)("%s", (name, path, title, status) => {
  test(`${path} has one heading, nothing for axe, nothing from elsewhere, in both themes and three widths`, async () => {
    const visitor = await world.newVisitor();
    const answer = await visitor.page.goto(path);
    expect(answer?.status()).toBe(status);
    expect(answer?.headers()["content-security-policy"]).toMatch(/default-src 'none'; script-src 'self';/);
    expect(await visitor.picture(name)).toEqual([]);
    for (const colorScheme of THEMES) {
      await visitor.page.emulateMedia({ colorScheme });
      await checkPage(visitor, title);
    }
    expect(await visitor.scriptBytes()).toBeLessThan(MAX_SCRIPT_BYTES);
    await visitor.close();
  });
});

test.each(["light", "dark"] as const)(
  "the %s theme chosen by its button stays, from the first paint",
  async (theme) => {
    const visitor = await world.newVisitor({ theme: theme === "light" ? "dark" : "light" });
    await visitor.visit("/");
    await visitor.page
      .getByRole("button", { name: theme, exact: false })
      .and(visitor.page.locator(`[data-theme-choice=${theme}]`))
      .click();
    const answer = await visitor.page.goto("/pricing");
    expect(await answer?.text()).toContain(`data-theme="${theme}"`);
    expect(await visitor.page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe(
      theme,
    );
    await visitor.close();
  },
);

test("four times as large, every page still fits its window", async () => {
  // A window of 1280 px at 400 % shows 320 CSS pixels.
  const visitor = await world.newVisitor({ width: 320 });
  for (const [name, path] of PAGES) {
    await visitor.page.goto(path);
    const needed = await visitor.page.evaluate(() => document.documentElement.scrollWidth);
    expect([name, needed]).toEqual([name, 320]);
  }
  await visitor.close();
});

test("the keyboard alone: past the header, into the field, to the report and on to the network", async () => {
  const { page, visit, close } = await world.newVisitor();
  await visit("/");
  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Skip to content");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.type(NOT_LISTED);
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/tools/ip/${NOT_LISTED}`);
  const network = page.getByRole("link", { name: /^AS\d+$/ });
  await network.focus();
  const outline = await network.evaluate((element) => getComputedStyle(element).outlineStyle);
  expect(outline).toBe("solid");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/tools/whois/AS15169");
  await close();
});

test("the link to copy and the curl line work where scripts run", async () => {
  const { page, visit, close } = await world.newVisitor();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await visit(`/tools/ip/${NOT_LISTED}`);
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());
  await close();
});

test("geography is credited by a visible link wherever its places are shown", async () => {
  const { page, visit, close } = await world.newVisitor();
  await visit(`/tools/ip/${NOT_LISTED}`);
  const credit = page.getByRole("article").getByRole("link", { name: "IP Geolocation by DB-IP" });
  expect(await credit.getAttribute("href")).toBe("https://db-ip.com");
  expect(await credit.isVisible()).toBe(true);
  await close();
});

/** How far apart two colours as the browser computed them are, from 0 to 1.7. */
function distance(one: string, other: string): number {
  const parts = (colour: string): readonly number[] => {
    const numbers = (colour.match(/[\d.]+/g) ?? []).map(Number);
    return colour.startsWith("rgb") ? numbers.map((part) => part / 255) : numbers;
  };
  const [a, b] = [parts(one), parts(other)];
  return Math.hypot(...[0, 1, 2].map((at) => (a[at] ?? 0) - (b[at] ?? 0)));
}

test.each(THEMES)("in the %s theme each reason of the example has a colour of its own", async (theme) => {
  const { page, visit, close } = await world.newVisitor({ theme });
  await visit("/");
  const read = (selector: string, name: "fill" | "backgroundColor") =>
    page
      .locator(selector)
      .evaluateAll((all, property) => all.map((mark) => getComputedStyle(mark)[property]), name);
  const bar = await read(".sample .score-bar-segment", "fill");
  expect(await read(".sample .legend-mark", "backgroundColor")).toEqual(bar);
  expect(bar).toHaveLength(4);
  const others = bar.flatMap((one, at) => bar.slice(at + 1).map((other) => distance(one, other)));
  const neighbours = bar.slice(1).map((one, at) => distance(one, bar[at] ?? one));
  expect(Math.min(...others)).toBeGreaterThan(0.12);
  expect(Math.min(...neighbours)).toBeGreaterThan(0.25);
  await close();
});

test("a report prints light, without what surrounds it on the screen", async () => {
  const visitor = await world.newVisitor({ theme: "dark" });
  await visitor.page.goto(`/tools/ip/${LISTED}`);
  await visitor.page.emulateMedia({ media: "print", colorScheme: "dark" });
  expect(await visitor.page.locator(".verdict").isVisible()).toBe(true);
  for (const surrounding of [".site-header", ".site-footer", ".tool-form", ".fold.raw"])
    expect(await visitor.page.locator(surrounding).first().isVisible()).toBe(false);
  const scheme = await visitor.page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
  expect(scheme).toBe("light");
  await visitor.close();
});
