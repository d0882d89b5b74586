import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { chromium, type Page } from "playwright-core";
import { stringify } from "yaml";
import { CHROMIUM } from "../test/browser/built-pages.ts";
import { startDnsServer } from "../test/servers/dns-server.ts";
import { onInternet } from "../test/servers/resolvers.ts";

/*
 * The README's pictures, taken of the service itself with its seed and three lists of an operator's. Nothing leaves the
 * machine: the resolver is our own and knows one name.
 */

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("..", import.meta.url));
const IMAGES = join(ROOT, "docs/images");
const folder = mkdtempSync(join(tmpdir(), "repute-pictures-"));
const program = join(ROOT, "bin/repute.cjs");
const LISTED = "185.220.101.1";

const script = onInternet(({ type, name }) => {
  if (type === "PTR" && name.startsWith("1.101.220.185."))
    return { answers: [{ type: "PTR", data: "exit.example" }] };
  return type === "A" && name === "exit.example"
    ? { answers: [{ type: "A", data: LISTED }] }
    : { rcode: 3, answers: [] };
});
const resolver = await startDnsServer(script);
const feeds = [
  ["ssh_honeypot", "SSH honeypot", "attack", "high", [LISTED, "203.0.113.9"]],
  ["mail_gateway", "Mail gateway", "spam", "medium", ["185.220.101.0/24"]],
  ["web_firewall", "Web firewall", "attack", "medium", ["198.51.100.7"]],
] as const;
const env = {
  ...process.env,
  REPUTE_DATA_DIR: join(folder, "data"),
  REPUTE_CONFIG: join(folder, "repute.yaml"),
  REPUTE_BOOTSTRAP: "off",
  HOST: "127.0.0.1",
  PORT: "0",
  LOG_LEVEL: "warn",
};
/** Calls before the pictures: what the overview shows. */
const CALLS: readonly (readonly [path: string, body: object])[] = [
  ["check-ip", { ip: "8.8.8.8" }],
  ["check-ip", { ip: LISTED }],
  ["bulk/check-ip", { ips: ["1.1.1.1", "9.9.9.9", LISTED] }],
  ["check-ip", { ip: "300.1.1.1" }],
  ["email-reputation", { email: "postmaster@exit.example" }],
  ["dns-lookup", { domain: "exit.example", record_type: "A" }],
];
const started: ChildProcess[] = [];

try {
  writeFileSync(env.REPUTE_CONFIG, stringify(configuration()));
  await run(
    process.execPath,
    [program, "account", "create", "--email", "mara@example.org", "--plan", "Pro"],
    {
      env,
    },
  );
  const { stdout } = await run(
    process.execPath,
    [program, "key", "create", "--account", "mara@example.org", "--name", "Sign-up form", "--json"],
    { env },
  );
  const { key } = JSON.parse(stdout);
  const address = await serve();
  await waitUntilReady(address);
  for (const [path, body] of CALLS) await call(`${address}/api/${path}`, key, body);
  mkdirSync(IMAGES, { recursive: true });
  await takePictures(address, key);
} finally {
  for (const child of started) child.kill("SIGTERM");
  await resolver.close();
  rmSync(folder, { recursive: true, force: true });
}

function configuration(): object {
  return {
    dns: { servers: [resolver.address] },
    engines: {
      feeds: feeds.map(([key, name, category, confidence, lines]) => {
        const file = join(folder, `${key}.txt`);
        writeFileSync(file, `${lines.join("\n")}\n`);
        const url = pathToFileURL(file).href;
        return { key, name, target: "ip", format: "plain", category, confidence, url };
      }),
    },
  };
}

function serve(): Promise<string> {
  const child = spawn(process.execPath, [program, "serve"], { env, stdio: ["ignore", "pipe", "inherit"] });
  started.push(child);
  return new Promise((resolve, reject) => {
    child.once("exit", () => reject(new Error("The service ended")));
    createInterface(child.stdout).on("line", (line) => {
      const address = /^Listening on (http:\S+)$/.exec(line)?.[1];
      if (address !== undefined) resolve(address);
    });
  });
}

async function waitUntilReady(address: string): Promise<void> {
  while ((await fetch(`${address}/readyz`)).status !== 200) await new Promise((go) => setTimeout(go, 200));
}

async function call(url: string, key: string, body: object): Promise<void> {
  const headers = { "Content-Type": "application/json", "X-API-Key": key };
  const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  console.log(`${answer.status} ${url}`);
  await answer.arrayBuffer();
}

async function takePictures(address: string, key: string): Promise<void> {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage({ baseURL: address, deviceScaleFactor: 1.5, reducedMotion: "reduce" });
    await take(page, "/", "home", { width: 1200, height: 760 });
    await take(page, `/tools/ip/${LISTED}`, "ip-report", { width: 1200, height: 900 });
    await page.goto("/app/sign-in");
    await page.getByRole("radio", { name: "API key" }).check();
    await page.locator("input[name=api_key]").fill(key);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    await take(page, "/app", "dashboard", { width: 1280, height: 860 });
  } finally {
    await browser.close();
  }
}

async function take(
  page: Page,
  path: string,
  name: string,
  size: { width: number; height: number },
): Promise<void> {
  await page.setViewportSize(size);
  await page.goto(path);
  await page.locator("h1").first().waitFor();
  await page.locator(".skeleton").waitFor({ state: "detached" });
  await page.screenshot({ path: join(IMAGES, `${name}.png`) });
  console.log(`docs/images/${name}.png`);
}
