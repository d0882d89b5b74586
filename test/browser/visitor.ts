import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { type Browser, chromium, type Page } from "playwright-core";
import { CHROMIUM, OUTPUT } from "./built-pages.ts";

export type Theme = "light" | "dark";

export const THEMES: readonly Theme[] = ["light", "dark"];
const WIDTHS = [360, 768, 1280] as const;

/** A visitor with a browser of their own: cookies, storage, and everything that went wrong there. */
export type Visitor = {
  readonly page: Page;
  /** Goes to a path of the service and waits until the page stands. */
  readonly visit: (path: string) => Promise<void>;
  /** What no page may do: errors on the console, breaches of the policy, calls to other hosts, faults of the service. */
  readonly faults: () => Promise<readonly string[]>;
  /** What axe finds wrong on the page as it is. */
  readonly inspect: () => Promise<readonly string[]>;
  /** Pictures of the page in both themes and three widths; what is wider than its window is a fault. */
  readonly picture: (name: string) => Promise<readonly string[]>;
  /** Octets of JavaScript that were loaded so far, compressed. */
  readonly scriptBytes: () => Promise<number>;
  readonly close: () => Promise<void>;
};

/** A browser without a window. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export type VisitorOptions = {
  readonly theme?: Theme;
  readonly width?: number;
  /** Another host that the pages may lead to: the payment provider's. */
  readonly beside?: string;
};

/** A new visitor of a service, with nothing remembered. */
export async function openVisitor(
  browser: Browser,
  address: string,
  { theme = "light", width = 1280, beside }: VisitorOptions = {},
): Promise<Visitor> {
  const context = await browser.newContext({
    baseURL: address,
    colorScheme: theme,
    viewport: { width, height: 900 },
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const watch = await watchPage(page, [address, ...(beside === undefined ? [] : [beside])]);
  return {
    page,
    visit: async (path) => {
      await page.goto(path);
      await settle(page);
    },
    faults: watch.faults,
    inspect: () => inspect(page),
    picture: (name) => picture(page, name),
    scriptBytes: watch.scriptBytes,
    close: () => context.close(),
  };
}

/** Waits until the heading is there and nothing is being loaded. */
export async function settle(page: Page): Promise<void> {
  await page.locator("h1").first().waitFor();
  // Of several, the first that is left: the wait ends when there is none.
  await page.locator(".skeleton").first().waitFor({ state: "detached" });
}

async function watchPage(page: Page, hosts: readonly string[]) {
  const found: string[] = [];
  const scripts = new Map<string, Promise<Buffer>>();
  // The console repeats each answer from 400 on; whether it is right, the tests say.
  page.on("console", (message) => {
    if (message.type() !== "error" && message.type() !== "warning") return;
    if (!message.text().startsWith("Failed to load resource")) found.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => found.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => {
    found.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (!hosts.includes(origin) && protocol !== "data:" && protocol !== "blob:") {
      found.push(`request: ${request.url()}`);
    }
  });
  page.on("response", (response) => {
    if (response.status() >= 500) found.push(`status ${response.status()}: ${response.url()}`);
    if (!response.url().endsWith(".js")) return;
    const body = response.body();
    // A page that was left meanwhile has none to give: only a caller that asks for the size need hear of it.
    body.catch(() => undefined);
    scripts.set(response.url(), body);
  });
  await page.exposeFunction("reputeViolation", (text: string) => found.push(`policy: ${text}`));
  await page.addInitScript(`addEventListener("securitypolicyviolation", (breach) =>
    reputeViolation(breach.violatedDirective + " " + breach.blockedURI));`);
  return {
    faults: async () => [...found],
    scriptBytes: async () => {
      const bodies = await Promise.all(scripts.values());
      return bodies.reduce((sum, body) => sum + gzipSync(body, { level: 6 }).length, 0);
    },
  };
}

type AxeFinding = { readonly id: string; readonly help: string; readonly nodes: readonly { html: string }[] };

async function inspect(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
  const findings = await page.evaluate<readonly AxeFinding[]>(
    `axe.run(document, { runOnly: ${JSON.stringify(rules)} }).then(({ violations }) => violations)`,
  );
  return findings.map(
    ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`,
  );
}

async function picture(page: Page, name: string): Promise<readonly string[]> {
  const before = page.viewportSize();
  const wide: string[] = [];
  for (const theme of THEMES) {
    await page.emulateMedia({ colorScheme: theme });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      const needed = await page.evaluate<number>("document.documentElement.scrollWidth");
      if (needed > width) wide.push(`${name} needs ${needed} px of ${width}`);
      await page.screenshot({ path: join(OUTPUT, `${name}-${theme}-${width}.png`), fullPage: true });
    }
  }
  if (before !== null) await page.setViewportSize(before);
  return wide;
}
