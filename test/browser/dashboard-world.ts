import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { PASSWORD, personPage } from "../dashboard.ts";
import {
  startTestService,
  type TestAccount,
  type TestService,
  type TestServiceOptions,
  until,
} from "../service.ts";
import { openBrowser, openVisitor, settle, type Visitor, type VisitorOptions } from "./visitor.ts";

/** On the list "Attackers of the test". */
export const LISTED = "198.41.0.4";
export const NOT_LISTED = "8.8.8.8";

export type DashboardWorld = {
  readonly service: TestService;
  readonly browser: Browser;
  readonly newVisitor: (options?: VisitorOptions) => Promise<Visitor>;
  /** A visitor who has signed in with the password of the account. */
  readonly signedIn: (account: TestAccount, options?: VisitorOptions) => Promise<Visitor>;
  readonly close: () => Promise<void>;
};

/** The service with its pages, a list of its own, open sign-up, and a browser. Its first account is an owner's. */
export async function openDashboardWorld(options: TestServiceOptions = {}): Promise<DashboardWorld> {
  const folder = mkdtempSync(join(tmpdir(), "repute-browser-"));
  const list = join(folder, "list.txt");
  writeFileSync(list, `${LISTED}\n`);
  const own = join(folder, "own.txt");
  writeFileSync(own, "193.0.6.139\n");
  const feed = { target: "ip", format: "plain", category: "attack", confidence: "high" };
  const { file = {}, ...rest } = options;
  const started = await startTestService({
    ...rest,
    file: {
      dns: { timeout_ms: 300 },
      dashboard: { signup: "open", owners: ["account-1@example.com"] },
      allowlists: [
        {
          key: "own",
          name: "Addresses of our own",
          target: "ip",
          format: "plain",
          url: pathToFileURL(own).href,
        },
      ],
      engines: {
        builtin: false,
        feeds: [
          { key: "attackers", name: "Attackers of the test", url: pathToFileURL(list).href, ...feed },
          {
            key: "missing",
            name: "A list that is away",
            url: pathToFileURL(join(folder, "none")).href,
            ...feed,
          },
        ],
      },
      ...file,
    },
  });
  let opened = 0;
  const service: TestService = {
    ...started,
    openAccount: (wish) => started.openAccount({ email: `account-${++opened}@example.com`, ...wish }),
  };
  await until(async () => (await service.call({ method: "GET", path: "/readyz" })).status === 200);
  const browser = await openBrowser();
  const newVisitor: DashboardWorld["newVisitor"] = (how) => openVisitor(browser, service.address, how);
  return {
    service,
    browser,
    newVisitor,
    signedIn: async (account, how) => {
      const visitor = await newVisitor(how);
      await signIn(service, visitor, account);
      return visitor;
    },
    close: async () => {
      await browser.close();
      await service.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const withPassword = new WeakSet<TestAccount>();

/** Signs in by the form, with the account's password; one without gets it by a link first. */
export async function signIn(service: TestService, visitor: Visitor, account: TestAccount): Promise<void> {
  if (!withPassword.has(account)) await personPage(service, account.id);
  withPassword.add(account);
  const { page, visit } = visitor;
  await visit("/app/sign-in");
  await givePassword(visitor, account.email);
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  await settle(page);
}

/** Fills the form of the sign-in page that is open. */
export async function givePassword({ page }: Visitor, email: string): Promise<void> {
  await page.getByLabel("E-mail", { exact: true }).fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.keyboard.press("Enter");
}

/** The same with an API key. */
export async function giveKey({ page }: Visitor, key: string): Promise<void> {
  await page.getByRole("radio", { name: "API key" }).check();
  await page.locator("input[name=api_key]").fill(key);
  await page.keyboard.press("Enter");
}

/** Fills the field of the Lookup page and waits for what comes. */
export async function lookUp({ page }: Visitor, text: string): Promise<void> {
  await page.locator("input[name=text]").fill(text);
  await page.keyboard.press("Enter");
  await page.locator(".answer, .states, .field-error").first().waitFor({ timeout: 30_000 });
  await settle(page);
}
