import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { personPage } from "./dashboard.ts";
import { onInternet } from "./servers/resolvers.ts";
import { NXDOMAIN, startTestService, type TestService, until } from "./service.ts";

const TARGET = "45.45.45.45";
/** What only owners may know of the list below and of the records. */
const SECRETS = ["secret-reference", "secret-folder", "45.45.45.44/30", "45.45.45.40/29"];
const MODES = ["full", "reduced", "off"] as const;
type Mode = (typeof MODES)[number];

/** What is asked to see whether a zone answers to all names. */
const RANDOM_LABEL = /^[0-9a-f]{16,}\./;

let folder = "";
const services = new Map<Mode, TestService>();
const questions = new Map<Mode, string[]>(MODES.map((mode) => [mode, []]));

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "secret-folder-"));
  writeFileSync(join(folder, "own.txt"), "45.45.45.44/30\n");
  writeFileSync(join(folder, "allowed.txt"), "45.45.45.40/29\n");
  const start = (mode: Mode) =>
    startTestService({
      dns: onInternet(({ name, type }) => {
        questions.get(mode)?.push(`${name.toLowerCase().replace(RANDOM_LABEL, "")} ${type}`);
        if (!name.toLowerCase().endsWith("example.com")) return NXDOMAIN;
        return type === "TXT" ? { answers: [{ type: "TXT", data: "v=spf1 -all" }] } : {};
      }),
      file: {
        server: { trust_proxy: ["127.0.0.0/8"] },
        site: { reports: mode, security_contact: "mailto:security@example.org" },
        allowlists: [
          {
            ...{ key: "own_allowed", name: "An own allowlist", target: "ip", format: "plain" },
            url: pathToFileURL(join(folder, "allowed.txt")).href,
          },
        ],
        engines: {
          builtin: false,
          feeds: [
            {
              ...{ key: "own_list", name: "An own list", target: "ip", format: "plain", category: "abuse" },
              url: pathToFileURL(join(folder, "own.txt")).href,
              reference: "https://secret-reference.example/{value}",
              confidence: "high",
            },
            {
              ...{ key: "lost_list", name: "A lost list", target: "ip", format: "plain", category: "abuse" },
              url: pathToFileURL(join(folder, "missing.txt")).href,
            },
          ],
        },
      },
    });
  for (const mode of MODES) services.set(mode, await start(mode));
  for (const service of services.values())
    await until(async () => (await service.call({ method: "GET", path: "/readyz" })).status === 200);
});
afterAll(async () => {
  for (const service of services.values()) await service.close();
  rmSync(folder, { recursive: true, force: true });
});

const serviceOf = (mode: Mode): TestService => {
  const service = services.get(mode);
  if (service === undefined) throw new Error(`No service is ${mode}`);
  return service;
};

let clients = 0;

async function visit(mode: Mode, path: string, cookie = "") {
  const answer = await fetch(serviceOf(mode).address + path, {
    redirect: "manual",
    headers: { accept: "text/html", cookie, "x-forwarded-for": `203.0.113.${++clients % 250}` },
  });
  const html = await answer.text();
  const text = html
    .replace(/<!-- -->/g, "")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");
  return { status: answer.status, location: answer.headers.get("location"), html, text };
}

describe("site.reports: full", () => {
  test("shows strangers the reasons of an address, and of the operator's lists the names alone", async () => {
    const { status, html, text } = await visit("full", `/tools/ip/${TARGET}`);
    expect(status).toBe(200);
    expect(text).toMatch(/ Why .*An own list.*An allowlist names the target.* Did not answer 1 A lost list/);
    expect(SECRETS.filter((secret) => html.includes(secret))).toEqual([]);
    expect((await visit("reduced", `/tools/ip/${TARGET}`)).text).not.toContain(" Why ");
  });

  test("shows the records of all common types", async () => {
    const { text } = await visit("full", "/tools/dns/example.com");
    expect(text).toContain("v=spf1 -all");
    expect((await visit("reduced", "/tools/dns/example.com")).text).not.toContain("v=spf1 -all");
  });

  test.each(["/tools/domain/www.example.com", "/tools/ip/45.45.45.46", "/tools/email/jane%40example.net"])(
    "asks for %s what the reduced report asks, and nothing more",
    async (path) => {
      const asked = async (mode: Mode): Promise<readonly string[]> => {
        const before = questions.get(mode)?.length ?? 0;
        expect((await visit(mode, path)).status).toBe(200);
        return [...new Set(questions.get(mode)?.slice(before))].toSorted();
      };
      expect(await asked("full")).toEqual(await asked("reduced"));
    },
  );

  test("opens no URL", async () => {
    const { text } = await visit("full", `/tools/url?q=${encodeURIComponent("http://example.com/")}`);
    expect(text).toContain("The page was not opened");
  });
});

describe("site.reports: off", () => {
  test.each([
    "/",
    "/lookup?q=8.8.8.8",
    "/tools/ip",
    "/tools/ip/8.8.8.8",
    "/tools/url?q=http%3A%2F%2Fa.example",
  ])("sends strangers from %s to sign in", async (path) => {
    const { status, location } = await visit("off", path);
    expect([status, location]).toEqual([303, "/app"]);
  });

  test("leaves pages without reports, and the interface's free endpoints", async () => {
    expect((await visit("off", "/status")).status).toBe(200);
    const free = await serviceOf("off").call({ path: "/api/free/check-ip", body: { ip: TARGET } });
    expect(free.status).toBe(200);
  });

  test("offers who is signed in the report at its price, and looks nothing up before", async () => {
    const account = await serviceOf("off").openAccount();
    const page = await personPage(serviceOf("off"), account.id, "127.0.13.1");
    const { status, text } = await visit("off", `/tools/ip/${TARGET}`, page.cookie() ?? "");
    expect(status).toBe(200);
    expect(text).toContain("Whole report for 1 credit");
    expect(text).not.toContain("An own list");
  });
});

test("security.txt names the configured contact", async () => {
  const { status, html } = await visit("full", "/.well-known/security.txt");
  expect(status).toBe(200);
  expect(html).toMatch(/^Contact: mailto:security@example\.org\nExpires: \d{4}-\d\d-\d\dT00:00:00\.000Z\n/);
});
