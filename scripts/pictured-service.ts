import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Browser, chromium, type Page } from "playwright-core";
import { stringify } from "yaml";
import { CHROMIUM } from "../test/browser/built-pages.ts";

/*
 * A service that pictures are taken of: the program itself in a folder of its own, and a browser. Nothing leaves the machine.
 */

const run = promisify(execFile);
const program = fileURLToPath(new URL("../bin/repute.cjs", import.meta.url));

const OWNER = "mara@example.org";
const PASSWORD = "correct horse battery staple";

export type PicturedService = {
  readonly address: string;
  /** Of the owner. */
  readonly key: string;
  /** The program on the service's folder. */
  readonly repute: (...args: readonly string[]) => Promise<string>;
  /** Waits until these engines have data of today. */
  readonly untilFresh: (keys: readonly string[]) => Promise<void>;
  /** Signs in by the form, with a password. */
  readonly signIn: (page: Page) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Starts the service with these sections in its configuration, and waits until it is ready. */
export async function startPictured(file: Readonly<Record<string, unknown>>): Promise<PicturedService> {
  const folder = mkdtempSync(join(tmpdir(), "repute-pictures-"));
  const env = {
    ...process.env,
    REPUTE_DATA_DIR: join(folder, "data"),
    REPUTE_CONFIG: join(folder, "repute.yaml"),
    REPUTE_BOOTSTRAP: "off",
    HOST: "127.0.0.1",
    PORT: "0",
    LOG_LEVEL: "warn",
  };
  writeFileSync(env.REPUTE_CONFIG, stringify({ dashboard: { owners: [OWNER] }, ...file }));
  const repute = async (...args: readonly string[]) =>
    (await run(process.execPath, [program, ...args], { env })).stdout;
  await repute("account", "create", "--email", OWNER, "--plan", "Pro");
  const { key } = JSON.parse(
    await repute("key", "create", "--account", OWNER, "--name", "Sign-up form", "--json"),
  );
  const child = spawn(process.execPath, [program, "serve"], { env, stdio: ["ignore", "pipe", "inherit"] });
  const address = await addressOf(child);
  const untilFresh: PicturedService["untilFresh"] = async (keys) => {
    while (!(await areFresh(address, keys))) await new Promise((go) => setTimeout(go, 500));
  };
  while ((await fetch(`${address}/readyz`)).status !== 200) await new Promise((go) => setTimeout(go, 500));
  const { link } = JSON.parse(await repute("account", "reset-password", OWNER, "--json"));
  let isSet = false;
  return {
    address,
    key,
    repute,
    untilFresh,
    signIn: async (page) => {
      await page.goto(isSet ? `${address}/app/sign-in` : link);
      if (isSet) await page.getByLabel("E-mail", { exact: true }).fill(OWNER);
      await page.getByLabel(isSet ? "Password" : /password/i, { exact: isSet }).fill(PASSWORD);
      await page.keyboard.press("Enter");
      isSet = true;
      await page.getByRole("heading", { name: "Overview" }).waitFor();
    },
    close: async () => {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once("exit", () => reject(new Error("The service ended")));
    if (child.stdout === null) return reject(new Error("The service has no output"));
    createInterface(child.stdout).on("line", (line) => {
      const address = /^Listening on (http:\S+)$/.exec(line)?.[1];
      if (address !== undefined) resolve(address);
    });
  });
}

async function areFresh(address: string, keys: readonly string[]): Promise<boolean> {
  const { data } = Object(await (await fetch(`${address}/api/engines`)).json());
  const engines: readonly { key: string; state: string }[] = data.engines;
  const fresh = new Set(engines.filter(({ state }) => state === "ok").map(({ key }) => key));
  return keys.every((key) => fresh.has(key));
}

/** A browser without a window, for as long as `use` takes. */
export async function withBrowser(use: (browser: Browser) => Promise<void>): Promise<void> {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  try {
    await use(browser);
  } finally {
    await browser.close();
  }
}

/** Waits until the heading is there and nothing is being loaded. */
export async function stands(page: Page): Promise<void> {
  await page.locator("h1").first().waitFor();
  await page.locator(".skeleton").first().waitFor({ state: "detached" });
}
