import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/*
 * The package as a user gets it: packed, installed into an empty folder, started, called. Says what it did, and fails
 * with the first thing that is not as it should be.
 */

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "repute-package-"));
const repute = join(folder, "node_modules/.bin/repute");
const env = { ...process.env, REPUTE_DATA_DIR: join(folder, "data"), PORT: "0", LOG_LEVEL: "warn" };
const started: ChildProcess[] = [];

try {
  await install();
  await lookUp();
  await readPage();
  await serve();
} finally {
  for (const child of started) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
}

async function install(): Promise<void> {
  const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", folder], { cwd: ROOT });
  // What scripts print comes first.
  const [{ filename, size, entryCount }] = JSON.parse(stdout.slice(stdout.search(/^\[/m)));
  console.log(`Packed ${filename}: ${entryCount} files, ${(size / 1e6).toFixed(1)} MB`);
  await run("npm", ["install", "--no-audit", "--no-fund", join(folder, filename)], { cwd: folder });
  const { stdout: version } = await run(repute, ["--version"], { env });
  console.log(`Installed ${version.trim()}`);
}

/** The command line: seed, catalogues and the child process that prepares data. */
async function lookUp(): Promise<void> {
  const { stdout } = await run(repute, ["check", "ip", "8.8.8.8", "--json"], { env, maxBuffer: 1 << 24 });
  const { asn, blacklists } = JSON.parse(stdout);
  expect(asn.asn === "AS15169" && blacklists.engines_count >= 7, "check ip answers from the seed");
}

/** A page so large that a worker thread reads it. */
async function readPage(): Promise<void> {
  const server = createServer((_request, response) => {
    response.setHeader("Content-Type", "text/html; charset=utf-8");
    response.end(`<title>A large page</title>${"<p>words</p>".repeat(20_000)}`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/`;
  const file = join(folder, "page.yaml");
  writeFileSync(file, "fetch: { allow_networks: [127.0.0.0/8] }\n");
  const options = { env: { ...env, REPUTE_CONFIG: file }, maxBuffer: 1 << 24 };
  const { stdout } = await run(repute, ["check", "url", url, "--json"], options);
  server.close();
  expect(stdout.includes('"A large page"'), "a large page is read by a worker");
}

async function serve(): Promise<void> {
  const service = spawn(repute, ["serve"], { env, stdio: ["ignore", "pipe", "inherit"] });
  started.push(service);
  const ended = new Promise<number | null>((resolve) => service.once("exit", resolve));
  const text = await printed(service);
  const origin = /Listening on (\S+)/.exec(text)?.[1] ?? "";
  const key = /rpt_\w{43}/.exec(text)?.[0] ?? "";
  const answer = await call(`${origin}/api/check-ip`, key);
  expect(answer.status === 200, `a call is answered: ${answer.status}`);
  for (const path of ["/openapi.json", "/docs", "/docs/check-ip", "/guide/mail"]) {
    const { status } = await fetch(origin + path);
    expect(status === 200, `${path}: ${status}`);
  }
  const page = await fetch(origin, { headers: { Accept: "text/html" } });
  expect((await page.text()).includes("</html>"), `the public site is there: ${page.status}`);
  const { status: dashboard } = await fetch(`${origin}/app`);
  expect(dashboard === 200, `the dashboard is there: ${dashboard}`);
  service.kill("SIGTERM");
  expect((await ended) === 0, "SIGTERM ends it with 0");
}

/** Everything up to the `curl` line of the first start. */
function printed(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout?.on("data", (piece) => {
      text += piece;
      if (/^ *curl .*\n/m.test(text)) resolve(text);
    });
    child.once("exit", () => reject(new Error(`The service ended: ${text}`)));
  });
}

async function call(url: string, key: string): Promise<Response> {
  for (;;) {
    const answer = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-API-Key": key },
      body: '{"ip":"8.8.8.8"}',
    });
    if (answer.status !== 503) return answer;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

function expect(isMet: boolean, text: string): void {
  if (!isMet) throw new Error(`Not so: ${text}`);
  console.log(text);
}
