import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DashboardWorld, LISTED, lookUp, openDashboardWorld } from "./dashboard-world.ts";

let world: DashboardWorld;
beforeAll(async () => {
  world = await openDashboardWorld();
});
afterAll(() => world.close());

type Chosen = { readonly what: string; readonly isMarked: boolean };

/** What is chosen among others, and whether it stands on the system's colour for that. */
const CHOSEN = `(() => {
  const probe = document.body.appendChild(document.createElement("i"));
  probe.style.cssText = "forced-color-adjust: none; background: Highlight; color: HighlightText";
  const { backgroundColor, color } = getComputedStyle(probe);
  probe.remove();
  const chosen = document.querySelectorAll("[aria-current], [aria-pressed=true], [role=tab][aria-selected=true], input[type=radio]:checked");
  return [...chosen].filter((one) => one.checkVisibility()).map((one) => {
    const mark = one.matches("input") ? one.parentElement.matches(".theme *") ? one.parentElement : one.nextElementSibling ?? one.parentElement : one;
    const style = getComputedStyle(mark);
    const what = (one.getAttribute("aria-label") ?? one.labels?.[0]?.textContent ?? one.textContent).trim();
    return { what, isMarked: style.backgroundColor === backgroundColor && style.color === color };
  });
})()`;

async function expectMarked(page: Page, names: readonly string[]): Promise<void> {
  const found = await page.evaluate<readonly Chosen[]>(CHOSEN);
  expect(found.filter(({ isMarked }) => !isMarked)).toEqual([]);
  expect(found.map(({ what }) => what)).toEqual(expect.arrayContaining([...names]));
}

test("forced colours leave visible what is chosen: the page, the kind of lookup, the view, the theme", async () => {
  const visitor = await world.signedIn(await world.service.openAccount({ plan: "Pro" }));
  const { page, visit } = visitor;
  await page.emulateMedia({ forcedColors: "active" });
  await visit("/app/lookup");
  await lookUp(visitor, LISTED);
  await expectMarked(page, ["Lookup", "IP reputation", "Report", "As the system has it"]);
  await visit("/app/usage");
  await expectMarked(page, ["Usage", "30 days", "Endpoint"]);
  await visit("/app/admin/audit");
  await expectMarked(page, ["Admin", "Audit log"]);
  expect(await visitor.faults()).toEqual([]);
  await visitor.close();
});

test("forced colours leave visible on the public pages where one is", async () => {
  const visitor = await world.newVisitor();
  const { page, visit } = visitor;
  await page.emulateMedia({ forcedColors: "active" });
  await visit("/tools/ip");
  await expectMarked(page, ["Tools", "IP"]);
  await visit("/docs");
  await expectMarked(page, ["API"]);
  await visitor.close();
});
