/// <reference lib="dom" />
import type { Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { onInternet } from "../servers/resolvers.ts";
import type { TestAccount } from "../service.ts";
import { type DashboardWorld, openDashboardWorld } from "./dashboard-world.ts";
import { settle } from "./visitor.ts";

// However long what stands beside them is, no column is so narrow that a word of ours or a short name breaks.

const LONG = "x".repeat(255);

let world: DashboardWorld;
let owner: TestAccount;
beforeAll(async () => {
  world = await openDashboardWorld({
    dns: onInternet(({ name, type }) => {
      if (name.toLowerCase() !== "example.com") return { rcode: 3 };
      return type === "TXT" ? { answers: [{ type, data: [LONG, LONG] }] } : {};
    }),
  });
  owner = await world.service.openAccount();
  const { accounts } = world.service;
  await accounts.createKey({ email: owner.email, name: "a name of a key that is long ".repeat(3) });
});
afterAll(() => world.close());

/** The words of these elements that stand on more than one line. */
const broken = (elements: Locator): Promise<string[]> =>
  elements.evaluateAll((all) =>
    all.flatMap((element) => {
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      const found: string[] = [];
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        for (const { 0: word, index } of (node.textContent ?? "").matchAll(/\S+/g)) {
          const range = document.createRange();
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
          if (lines.size > 1) found.push(word);
        }
      }
      return found;
    }),
  );

describe.each([360, 768, 1440])("at %d px", (width) => {
  test("the type and the name of a DNS record, beside a value of 510 letters", async () => {
    const { page, visit, close } = await world.signedIn(owner, { width });
    await visit("/app/lookup/dns");
    await page.locator("input[name=text]").fill("example.com");
    await page.keyboard.press("Enter");
    await page.locator(".records").waitFor();
    expect(await broken(page.locator(".record-type, .record-name"))).toEqual([]);
    const needed = await page.evaluate<number>("document.documentElement.scrollWidth");
    expect(needed).toBe(width);
    const [type, outcome] = await page
      .locator(".outcomes li", { hasText: "DNSKEY" })
      .evaluate((row) => [...row.children].map((part) => part.getBoundingClientRect()));
    expect((outcome?.left ?? 0) - (type?.right ?? 0)).toBeGreaterThan(3);
    await close();
  });

  test("what was done, in the audit log", async () => {
    const { page, visit, close } = await world.signedIn(owner, { width });
    await visit("/app/admin/audit");
    await settle(page);
    await page.locator("tbody th").first().waitFor();
    expect(await broken(page.locator("tbody th"))).toEqual([]);
    expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBe(width);
    await close();
  });
});
