import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { type PicturedService, stands, startPictured, withBrowser } from "./pictured-service.ts";
import { ATTACKER, openPicturedWorld, PHISHING } from "./pictured-world.ts";

/*
 * The twelve pictures that the review of 0.3.0 found faults in, taken again: what is built in cannot be downloaded, as where there is
 * no network, and the lists and tables beside it are of today.
 */

const IMAGES = fileURLToPath(new URL("../docs/images/review", import.meta.url));
const PHONE = { width: 360, height: 1300 };
const DESKTOP = { width: 1280, height: 900 };

const BULK_LINES = [
  "name,address,seen",
  '"host 1, x",121.139.15.185,2026-11-09',
  '"host 2, x",2.57.122[.]238,2026-11-01',
  '"host 3, x",hxxps://www.example[.]com/paypal,2026-11-02',
  '"host 4, x",jane[at]example[.]com,2026-11-03',
  '"host 5, x",8.8.8.8:53,2026-11-04',
  '"host 6, x",not an address,2026-11-05',
];

type Shots = {
  readonly service: PicturedService;
  readonly stranger: Page;
  readonly owner: Page;
  readonly browser: Browser;
};

const world = await openPicturedWorld();
try {
  const { engines } = world.sections;
  const away = {
    ...{ key: "away", name: "A list that is away", target: "ip", format: "plain" },
    url: "file:///nowhere/list",
  };
  const sections = { ...world.sections, engines: { feeds: [...engines.feeds, away] } };
  const service = await startPictured(sections);
  try {
    await service.untilFresh(engines.feeds.map(({ key }) => key));
    mkdirSync(IMAGES, { recursive: true });
    await withBrowser(async (browser) => {
      const stranger = await newPage(browser, service);
      const owner = await newPage(browser, service);
      await service.signIn(owner);
      const shots = { service, stranger, owner, browser };
      await takePublic(shots);
      await takeReports(shots);
      await takeDashboard(shots);
      await takePhone(shots);
    });
  } finally {
    await service.close();
  }
} finally {
  await world.close();
}

/** In a context of its own, which may have several. */
async function newPage(browser: Browser, { address }: PicturedService, dark = false): Promise<Page> {
  const context = await browser.newContext({
    baseURL: address,
    viewport: DESKTOP,
    colorScheme: dark ? "dark" : "light",
    reducedMotion: "reduce",
  });
  return context.newPage();
}

async function takePublic({ stranger, browser }: Shots): Promise<void> {
  const size = { width: 1280, height: 620 };
  const clean = await shoot(stranger, "/tools/ip/8.8.8.8", size);
  await sideBySide(browser, "01-clean-but-stale-and-all-is-well", [
    clean,
    await shoot(stranger, "/status", size),
  ]);
  await save(stranger, `/tools/ip/${ATTACKER}`, "02-public-ip-listed");
  await save(stranger, `/tools/url/${encodeURIComponent(PHISHING)}`, "03-public-url-phishing");
  await save(stranger, "/docs", "11-docs-swagger", false);
  await save(stranger, "/status", "12-status");
}

async function takeReports({ owner }: Shots): Promise<void> {
  const reports = [
    [ATTACKER, "04-report-ip"],
    ["google.com", "05-report-google"],
    ["xn--pypal-4ve.com", "06-report-unregistered-idn"],
  ] as const;
  for (const [target, name] of reports) {
    await lookUp(owner, target);
    await save(owner, null, name);
  }
}

async function takeDashboard({ owner }: Shots): Promise<void> {
  // Another tab of the same browser.
  const tab = await owner.context().newPage();
  await lookUp(tab, "8.8.8[.]8");
  await save(tab, null, "07-lookup-needs-key", false);
  await tab.goto("/app/bulk");
  await stands(tab);
  await tab.locator("textarea").fill(BULK_LINES.join("\n"));
  await tab.getByRole("button", { name: /^Check \d+ lines/ }).click();
  await tab.getByRole("heading", { name: "Pasted lines" }).waitFor();
  await save(tab, null, "08-bulk-defanged-refused", false);
  await save(tab, "/app/feeds", "09-feeds-one-cause-44-rows", false);
  await tab.close();
}

async function takePhone({ service, browser }: Shots): Promise<void> {
  const dark = await newPage(browser, service, true);
  await service.signIn(dark);
  const pictures: Buffer[] = [];
  for (const path of ["/app/admin/audit", "/app/billing", "/app"])
    pictures.push(await shoot(dark, path, PHONE));
  const light = await newPage(browser, service);
  pictures.push(await shoot(light, `/tools/ip/${ATTACKER}`, PHONE));
  await sideBySide(browser, "10-phone-360", pictures);
}

async function lookUp(page: Page, text: string): Promise<void> {
  await page.goto("/app/lookup");
  await stands(page);
  await page.locator("input[name=text]").fill(text);
  await page.keyboard.press("Enter");
  await page.locator(".answer").first().waitFor({ timeout: 60_000 });
  await stands(page);
}

/** The window on a page, without what is below. */
async function shoot(page: Page, path: string, size: { width: number; height: number }): Promise<Buffer> {
  await page.setViewportSize(size);
  await page.goto(path);
  await stands(page);
  return page.screenshot({ timeout: 300_000 });
}

/** Saves a page, or the one that is open; all of it unless said otherwise. */
async function save(page: Page, path: string | null, name: string, fullPage = true): Promise<void> {
  await page.setViewportSize(DESKTOP);
  if (path !== null) await page.goto(path);
  await stands(page);
  await page.screenshot({ timeout: 300_000, path: join(IMAGES, `${name}.png`), fullPage });
  console.log(`docs/images/review/${name}.png`);
}

async function sideBySide(browser: Browser, name: string, pictures: readonly Buffer[]): Promise<void> {
  const page = await browser.newPage();
  const images = pictures.map((one) => `<img src="data:image/png;base64,${one.toString("base64")}">`);
  await page.setContent(
    `<body style="display:inline-flex;gap:12px;margin:0;background:#777">${images.join("")}</body>`,
  );
  await page.locator("body").screenshot({ timeout: 300_000, path: join(IMAGES, `${name}.png`) });
  await page.close();
  console.log(`docs/images/review/${name}.png`);
}
