/// <reference lib="dom" />
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TestAccount } from "../service.ts";
import { type DashboardWorld, openDashboardWorld } from "./dashboard-world.ts";

let world: DashboardWorld;
let owner: TestAccount;
beforeAll(async () => {
  const exports = [
    { name: "edge" },
    { name: "names", target: "domain" },
    { name: "never-block", kind: "allow" },
    { name: "strict-edge", policy: "strict" },
  ];
  world = await openDashboardWorld({ file: { exports, policies: { strict: { block_at: 90 } } } });
  owner = await world.service.openAccount();
});
afterAll(() => world.close());

describe("however many lines to paste are open, the page is no wider than its window:", () => {
  test.each([360, 768, 1280])("%d", async (width) => {
    const { page, visit, picture, inspect, faults, close } = await world.signedIn(owner, { width });
    await visit("/app/exports");
    const folds = page.locator(".export details > summary");
    await folds.first().waitFor();
    for (const fold of await folds.all()) await fold.click();
    const widths = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return { scrollWidth, clientWidth };
    });
    expect(widths.scrollWidth).toBe(widths.clientWidth);
    if (width === 1280) expect(await picture("exports-open")).toEqual([]);
    expect(await inspect()).toEqual([]);
    expect(await faults()).toEqual([]);
    await close();
  });
});

test("an export that goes by a policy says by which", async () => {
  const { page, visit, close } = await world.signedIn(owner);
  await visit("/app/exports");
  const factsOf = (name: string) => page.locator(`section[aria-labelledby="export-${name}"] .export-facts`);
  await factsOf("strict-edge").waitFor();
  expect(await factsOf("strict-edge").innerText()).toMatch(/Policy\s+strict/);
  expect(await factsOf("edge").innerText()).not.toContain("Policy");
  await close();
});

describe("the lines of a run", () => {
  const NAME = `${"a-label-of-a-name.".repeat(8)}example.com`;

  test("show each name whole, and break no word of their own", async () => {
    const { page, visit, close } = await world.signedIn(owner);
    await visit("/app/bulk");
    await page.locator("textarea").fill(`${NAME}\n192.0.2.1\nhttps://example.com/`);
    await page.getByRole("button", { name: "Check 3 lines" }).click();
    expect(await page.locator("tbody th").first().textContent()).toBe(NAME);
    const kinds = page.locator('td[data-label="Kind"]');
    const parts = await kinds.evaluateAll((cells) =>
      cells.map((cell) => {
        const text = cell.firstChild;
        const range = document.createRange();
        return (text?.textContent ?? "").split(" ").map((word) => {
          const at = text?.textContent?.indexOf(word) ?? 0;
          if (text !== null) range.setStart(text, at);
          if (text !== null) range.setEnd(text, at + word.length);
          return range.getClientRects().length;
        });
      }),
    );
    expect(parts).toEqual([
      [1, 1],
      [1, 1],
      [1, 1],
    ]);
    await close();
  });
});
