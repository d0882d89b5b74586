/// <reference lib="dom" />
import { afterAll, beforeAll, expect, test } from "vitest";
import { REFERENCE_NAMES } from "../../src/http/pages/reference.ts";
import { LANGUAGES } from "../../src/http/pages/snippets.ts";
import { type DashboardWorld, NOT_LISTED, openDashboardWorld } from "./dashboard-world.ts";
import { THEMES, type Visitor } from "./visitor.ts";

let world: DashboardWorld;
beforeAll(async () => {
  world = await openDashboardWorld();
});
afterAll(() => world.close());

/** Octets of the page, its scripts and styles, uncompressed. */
async function weightOf(path: string): Promise<number> {
  const { address } = world.service;
  const html = await (await fetch(address + path)).text();
  const files = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+\.(?:js|css))"/g)].map(
    ([, file]) => file ?? "",
  );
  const bodies = await Promise.all(
    [...new Set(files)].map(async (file) => (await fetch(address + file)).arrayBuffer()),
  );
  return bodies.reduce((sum, body) => sum + body.byteLength, Buffer.byteLength(html));
}

test.each(["", ...REFERENCE_NAMES].map((name) => `/docs/${name}`.replace(/\/$/, "")))(
  "%s is light, fits and is accessible",
  async (path) => {
    expect(await weightOf(path)).toBeLessThan(150_000);
    const visitor = await world.newVisitor();
    await visitor.visit(path);
    expect(await visitor.page.locator("h1").count()).toBe(1);
    const headings = await visitor.page.locator("h1, h2").allInnerTexts();
    expect(headings).toEqual([...new Set(headings)]);
    for (const colorScheme of THEMES) {
      await visitor.page.emulateMedia({ colorScheme });
      expect(await visitor.inspect()).toEqual([]);
    }
    expect(await visitor.picture(`docs${path.replaceAll("/", "-")}`)).toEqual([]);
    expect(await visitor.faults()).toEqual([]);
    expect(await visitor.scriptBytes()).toBeLessThan(15_000);
    await visitor.close();
  },
);

/** Sends the first call of a page, and what is shown of its answer. */
async function sendFirst({ page }: Visitor, key: string): Promise<string> {
  const form = page.locator("form[data-try]").first();
  await form.locator("[name=key]").fill(key);
  await form.locator("[name=query-view]").selectOption("verdict");
  await form.locator("[name=body]").fill(JSON.stringify({ ip: NOT_LISTED }));
  await form.getByRole("button", { name: "Send" }).click();
  const answer = form.locator("output");
  await answer.getByText(/^(\d{3} in \d+ ms|Enter an API key.*)$/).waitFor();
  return answer.innerText();
}

test("a call is tried with a key, which pays for it", async () => {
  const account = await world.service.openAccount({ credits: 10 });
  const visitor = await world.newVisitor();
  await visitor.visit("/docs/check-ip");
  const answer = await sendFirst(visitor, account.key);
  expect(answer).toMatch(/^200 in \d+ ms/);
  expect(answer).toContain("x-credits-remaining: 9");
  expect(answer).toContain(`"ip": "${NOT_LISTED}"`);
  expect(await sendFirst(visitor, "rpt_wrong")).toContain("UNAUTHORIZED");
  expect(await visitor.faults()).toEqual([]);
  await visitor.close();
});

test("signed in, a call needs no key; a stranger is told what is missing", async () => {
  const account = await world.service.openAccount({ credits: 10 });
  const visitor = await world.signedIn(account);
  await visitor.visit("/docs/check-ip");
  expect(await sendFirst(visitor, "")).toMatch(/^200 in \d+ ms/);
  expect(await world.service.balanceOf(account)).toBe(9);
  await visitor.close();
  const stranger = await world.newVisitor();
  await stranger.visit("/docs/check-ip");
  expect(await sendFirst(stranger, "")).toContain("Enter an API key, or sign in");
  await stranger.close();
});

test("the code follows what is typed into the form, and never shows the key", async () => {
  const visitor = await world.newVisitor();
  const { page } = visitor;
  await visitor.visit("/docs/check-ip");
  const form = page.locator("form[data-try]").first();
  const key = form.getByLabel("API key");
  expect([await key.getAttribute("type"), await key.getAttribute("autocomplete")]).toEqual([
    "password",
    "off",
  ]);
  await key.fill("rpt_typed");
  await form.locator("[name=query-view]").selectOption("compact");
  await form.locator("[name=body]").fill(`{"ip": "192.0.2.77", "more": [true, null]}`);
  const codeOf = async (language: string) =>
    (await page.locator(`.operation [data-language="${language}"] code`).first().textContent()) ?? "";
  for (const language of LANGUAGES) {
    const code = await codeOf(language);
    expect(code).toContain("/api/check-ip?view=compact");
    expect(code).toContain("192.0.2.77");
    expect(code).not.toContain("rpt_typed");
  }
  expect(await codeOf("Python")).toContain(`{"ip": "192.0.2.77", "more": [True, None]}`);
  await form.locator("[name=body]").fill(`{"ip": "192.0.2.78"`);
  await page.getByText("The body of the form is not JSON").first().waitFor();
  expect(await codeOf("curl")).toContain("192.0.2.77");
  await form.locator("[name=body]").fill(`{"ip": "192.0.2.78"}`);
  await page.getByText("The body of the form is not JSON").first().waitFor({ state: "hidden" });
  expect(await codeOf("curl")).toContain(`-d '{"ip":"192.0.2.78"}'`);
  await form.getByRole("button", { name: "Show the API key" }).click();
  expect(await key.getAttribute("type")).toBe("text");
  expect(await visitor.inspect()).toEqual([]);
  expect(await visitor.faults()).toEqual([]);
  await visitor.close();
});

test("without scripts a page has code and examples, and no form that does nothing", async () => {
  const html = await (await fetch(`${world.service.address}/docs/check-ip`)).text();
  for (const language of LANGUAGES) expect(html).toContain(`data-language="${language}"`);
  expect(html).toMatch(/<form class="try-it"[^>]* hidden=""/);
});
