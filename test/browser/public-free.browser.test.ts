import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LISTED, NOT_LISTED, openPublicWorld, type PublicWorld, SCRIPT } from "./public-world.ts";

let world: PublicWorld;
beforeAll(async () => {
  world = await openPublicWorld();
});
afterAll(() => world.close());

describe("without scripts", () => {
  test.each([
    [LISTED, /\/tools\/ip\/198\.41\.0\.4$/, /Listed by 1 of 1 engine/],
    ["example.com", /\/tools\/domain\/example\.com$/, /Not listed by any of|no verdict/],
    [
      "https://example.com/login",
      /\/tools\/url\?q=https%3A%2F%2Fexample\.com%2Flogin$/,
      /The page was not opened/,
    ],
    [
      "jane@example.com",
      /\/tools\/email\/jane%40example\.com$/,
      /Well formed; whether mail arrives was not asked/,
    ],
    ["AS15169", /\/tools\/whois\/AS15169$/, /Registered \d+ years ago/],
    ["192.0.2.0/24", /\/tools\/whois\?q=192\.0\.2\.0%2F24$/, /registry|registered/i],
  ])("the one field takes %s to a report with an address", async (text, address, says) => {
    const page = await world.newPageWithoutScript();
    await page.goto("/");
    await page.getByRole("textbox").fill(text);
    await page.getByRole("button", { name: "Look up" }).click();
    await page.getByRole("article").waitFor();
    expect(page.url()).toMatch(address);
    expect(await page.getByRole("article").innerText()).toMatch(says);
    const robots = page.locator('meta[name="robots"]');
    expect(await robots.getAttribute("content")).toBe("noindex");
    await page.context().close();
  });

  test.each(["ip", "domain", "email", "dns", "whois"])("the form of %s leads to the report", async (tool) => {
    const page = await world.newPageWithoutScript();
    await page.goto(`/tools/${tool}`);
    const example = (await page.getByRole("textbox").getAttribute("placeholder")) ?? "";
    await page.getByRole("textbox").fill(example);
    await page.getByRole("button", { name: "Look up" }).click();
    await page.waitForURL((url) => url.pathname === `/tools/${tool}/${encodeURIComponent(example)}`);
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe(example);
    // The line for a terminal is there to be marked; the button that copies it would do nothing.
    await page.getByText("Copy as curl").click();
    expect(await page.locator("pre", { hasText: "curl -s" }).isVisible()).toBe(true);
    expect(await page.getByRole("button", { name: "Copy", exact: false }).count()).toBe(0);
    await page.context().close();
  });

  test("the sixth look-up within a minute is refused, says when it goes on and keeps what was typed", async () => {
    const page = await world.newPageWithoutScript();
    for (let i = 0; i < 5; i++)
      expect((await page.goto(`/tools/email/a${i}%40example.com`))?.status()).toBe(200);
    const refused = await page.goto("/tools/email/a6%40example.com");
    expect(refused?.status()).toBe(429);
    expect(refused?.headers()["retry-after"]).toMatch(/^\d+$/);
    expect(refused?.headers()["x-ratelimit-limit"]).toBe("5");
    // Once: the sentence of the service has it.
    expect((await page.getByRole("alert").innerText()).match(/try again in \d+ s/gi)).toHaveLength(1);
    expect(await page.getByRole("textbox").inputValue()).toBe("a6@example.com");
    expect((await page.goto(`/tools/ip/${NOT_LISTED}`))?.status()).toBe(200);
    await page.context().close();
  });
});

describe("text of others", () => {
  test.each([
    ["a TXT record", "/tools/dns/example.com?type=TXT"],
    ["a registrar's name", "/tools/whois/example.com"],
    ["a holder's name", "/tools/whois/AS15169"],
    ["a list's name", `/tools/ip/${LISTED}`],
    ["what was asked for", `/tools/domain/${encodeURIComponent("<script>document.title='owned'<")}`],
    ["what was asked for in a query", `/tools/url?q=${encodeURIComponent(`http://example.com/${SCRIPT}`)}`],
    ["what was typed into the one field", `/lookup?q=${encodeURIComponent(SCRIPT)}`],
    ["a record type", `/tools/dns/example.com?type=${encodeURIComponent(`"><script>`)}`],
  ])("%s that is a script is shown as text and does not run", async (_, path) => {
    const visitor = await world.newVisitor();
    await visitor.visit(path);
    expect(await visitor.page.title()).not.toBe("owned");
    expect(await visitor.page.locator("main script, main img[src=x]").count()).toBe(0);
    expect(await visitor.page.content()).toContain("&lt;");
    expect(await visitor.faults()).toEqual([]);
    await visitor.close();
  });

  test("a sign that turns the direction of writing is made visible", async () => {
    const { page, visit, close } = await world.newVisitor();
    await visit("/tools/dns/example.com?type=TXT");
    expect(await page.locator("main").innerText()).not.toMatch(/\u202e/);
    await close();
  });

  test.each([
    "/tools/ip/%00%07%1b[31m",
    `/tools/domain/${"a".repeat(190)}`,
    "/tools/domain/..%2f..%2fetc%2fpasswd",
    "/tools/ip/%E2%80%AE1.1.1.1",
    `/tools/url?q=${encodeURIComponent("javascript:alert(1)")}`,
    `/lookup?q=${"x".repeat(3_000)}`,
  ])("%s is refused in a page", async (path) => {
    const visitor = await world.newVisitor();
    const answer = await visitor.page.goto(path);
    expect(answer?.status()).toBe(422);
    expect(await visitor.page.getByRole("alert").count()).toBe(1);
    expect(await visitor.faults()).toEqual([]);
    await visitor.close();
  });
});
