import { afterAll, beforeAll, expect, test } from "vitest";
import { type Publisher, startPublisher } from "../publishers.ts";
import { until } from "../service.ts";
import { type DashboardWorld, openDashboardWorld } from "./dashboard-world.ts";
import { openVisitor, type Visitor } from "./visitor.ts";

const EXIT = "198.41.0.9";

let publisher: Publisher;
let world: DashboardWorld;
let owner: Visitor;
beforeAll(async () => {
  let isAway = false;
  publisher = await startPublisher((_, response) => {
    if (isAway) response.writeHead(503).end();
    else response.end(`${EXIT}\n`);
  });
  const feed = { target: "ip", format: "plain", url: `${publisher.url}/list` };
  const vpn = { ...feed, key: "exits", name: "Exits of a VPN", category: "vpn", provider: "Brand VPN" };
  world = await openDashboardWorld({
    file: { engines: { builtin: false, feeds: [vpn] }, exports: [{ name: "edge" }] },
  });
  const { service } = world;
  owner = await world.signedIn(await service.openAccount());
  await until(async () =>
    (await owner.page.request.get("/api/dashboard/feeds"))
      .text()
      .then((text) => text.includes('"entries":1')),
  );
  isAway = true;
  await owner.visit("/app/feeds");
  await owner.page.getByText("Exits of a VPN").click();
  await owner.page.getByRole("button", { name: "Update now" }).click();
}, 120_000);
afterAll(async () => {
  await owner?.close();
  await world?.close();
  await publisher?.close();
});

test("a list whose last download failed is said to answer from what it had, and never to be healthy", async () => {
  const row = owner.page.locator(".feed").filter({ hasText: "Exits of a VPN" }).locator("summary");
  await row.getByText("Last download failed").waitFor();
  expect(await row.innerText()).toMatch(/503 · still answers from the data of \d+ \w+ \d{4}/);
  expect(await row.innerText()).not.toContain("Healthy");
  const [tag, what] = await Promise.all(
    [".tag", ".feed-what"].map((part) => row.locator(part).boundingBox()),
  );
  expect(Number(tag?.x) + Number(tag?.width)).toBeLessThan(Number(what?.x));
  expect(await owner.picture("feeds-behind")).toEqual([]);
  expect(await owner.inspect()).toEqual([]);
});

test("the page of strangers names the brand of a VPN, and does not call it abuse", async () => {
  const stranger = await openVisitor(world.browser, world.service.address);
  await stranger.visit(`/tools/ip/${EXIT}`);
  await stranger.page.getByText("Operated by").waitFor();
  expect(await stranger.page.locator("main").innerText()).toContain("Brand VPN");
  expect(await stranger.page.locator("main").innerText()).toContain(
    "Known as VPN, which is not abuse by itself.",
  );
  expect(await stranger.picture("vpn-free")).toEqual([]);
  expect(await stranger.inspect()).toEqual([]);
  await stranger.close();
});
