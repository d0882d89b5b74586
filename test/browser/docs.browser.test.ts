/// <reference lib="dom" />
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { OUTPUT } from "./built-pages.ts";
import { openPublicWorld, type PublicWorld } from "./public-world.ts";
import { THEMES, type Theme, type Visitor, WIDTHS } from "./visitor.ts";

let world: PublicWorld;
beforeAll(async () => {
  world = await openPublicWorld();
});
afterAll(() => world.close());

/** Brightness of what is behind the reference and of its heading, 0 to 255. */
async function lightOf({ page }: Visitor): Promise<{ ground: number; text: number }> {
  await page.getByRole("heading", { name: /Repute/ }).waitFor();
  return page.evaluate(() => {
    const mean = (colour: string) =>
      (colour.match(/[\d.]+/g) ?? []).slice(0, 3).reduce((sum, part) => sum + Number(part) / 3, 0);
    const heading = document.querySelector("h1, h2") ?? document.body;
    return {
      ground: mean(getComputedStyle(document.body).backgroundColor),
      text: mean(getComputedStyle(heading).color),
    };
  });
}

const expectTheme = async (visitor: Visitor, theme: Theme) => {
  const { ground, text } = await lightOf(visitor);
  expect(ground > text).toBe(theme === "light");
  expect(Math.abs(ground - text)).toBeGreaterThan(120);
};

test.each(THEMES)("the API reference is %s where the system is, and follows it", async (theme) => {
  const visitor = await world.newVisitor({ theme });
  const { page } = visitor;
  await page.goto("/docs");
  await expectTheme(visitor, theme);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    await page.screenshot({ path: join(OUTPUT, `docs-${theme}-${width}.png`) });
  }
  const other = theme === "light" ? "dark" : "light";
  await page.emulateMedia({ colorScheme: other });
  await expectTheme(visitor, other);
  expect(await visitor.faults()).toEqual([]);
  await visitor.close();
});

test.each(THEMES)("the theme %s chosen on the pages holds for the API reference", async (theme) => {
  const visitor = await world.newVisitor({ theme: theme === "light" ? "dark" : "light" });
  await visitor.visit("/");
  await visitor.page.locator(`[data-theme-choice=${theme}]`).click();
  await visitor.page.goto("/docs");
  await expectTheme(visitor, theme);
  await visitor.close();
});
