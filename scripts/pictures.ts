import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { type PicturedService, stands, startPictured, withBrowser } from "./pictured-service.ts";
import { EXIT, openPicturedWorld } from "./pictured-world.ts";

/*
 * The README's pictures, taken of the service itself with lists and tables of today, all of them on loopback.
 */

const IMAGES = fileURLToPath(new URL("../docs/images", import.meta.url));

/** Calls before the pictures: what the overview shows. */
const CALLS: readonly (readonly [path: string, body: object])[] = [
  ["check-ip", { ip: "8.8.8.8" }],
  ["check-ip", { ip: EXIT }],
  ["bulk/check-ip", { ips: ["1.1.1.1", "9.9.9.9", EXIT] }],
  ["check-ip", { ip: "300.1.1.1" }],
  ["email-reputation", { email: "postmaster@exit.example" }],
  ["dns-lookup", { domain: "exit.example", record_type: "A" }],
];

const world = await openPicturedWorld();
try {
  const service = await startPictured(world.sections);
  try {
    await service.untilFresh(world.sections.engines.feeds.map(({ key }) => key));
    await service.repute("feeds", "update");
    for (const [path, body] of CALLS) await call(service, path, body);
    mkdirSync(IMAGES, { recursive: true });
    await takePictures(service);
  } finally {
    await service.close();
  }
} finally {
  await world.close();
}

async function call({ address, key }: PicturedService, path: string, body: object): Promise<void> {
  const headers = { "Content-Type": "application/json", "X-API-Key": key };
  const answer = await fetch(`${address}/api/${path}`, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
  console.log(`${answer.status} ${path}`);
  await answer.arrayBuffer();
}

async function takePictures(service: PicturedService): Promise<void> {
  await withBrowser(async (browser) => {
    const page = await browser.newPage({
      baseURL: service.address,
      deviceScaleFactor: 1.5,
      reducedMotion: "reduce",
    });
    await take(page, "/", "home", { width: 1200, height: 760 });
    await take(page, `/tools/ip/${EXIT}`, "ip-report", { width: 1200, height: 900 });
    await service.signIn(page);
    await take(page, "/app", "dashboard", { width: 1280, height: 860 });
  });
}

async function take(
  page: Page,
  path: string,
  name: string,
  size: { width: number; height: number },
): Promise<void> {
  await page.setViewportSize(size);
  await page.goto(path);
  await stands(page);
  await page.screenshot({ timeout: 300_000, path: join(IMAGES, `${name}.png`) });
  console.log(`docs/images/${name}.png`);
}
