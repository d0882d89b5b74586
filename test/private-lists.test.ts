import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { keyPage, personPage } from "./dashboard.ts";
import { callPatiently, NXDOMAIN, startTestService, type TestService, until } from "./service.ts";

const LISTED = "198.18.5.5";
const TARGET = "45.45.45.45";
/** So many entries: a number that stands nowhere else. */
const ENTRIES = 4_321;

let folder = "";
let service: TestService;

const urlOf = (name: string): string => pathToFileURL(join(folder, name)).href;

/** What only owners may know of the lists below; none of it says which lists there are. */
const SECRETS = [
  "secret-folder",
  "secret-reference",
  "secret-home",
  "zone.secret.example",
  "4,321",
  "4321",
  "it does not exist",
  "REFUSED",
  "secret_column",
];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "secret-folder-"));
  const addresses = Array.from({ length: ENTRIES - 2 }, (_, i) => `45.46.${i >> 8}.${i & 255}`);
  writeFileSync(join(folder, "own.txt"), [TARGET, LISTED, ...addresses].join("\n"));
  writeFileSync(join(folder, "allowed.txt"), "45.45.45.46\n");
  const common = { target: "ip", format: "plain", category: "abuse", confidence: "high" };
  service = await startTestService({
    dns: ({ name }) => (name.includes("zone.secret.example") ? { rcode: 5 } : NXDOMAIN),
    file: {
      dashboard: { owners: ["boss@example.com"] },
      engines: {
        builtin: false,
        feeds: [
          {
            ...common,
            key: "own_list",
            name: "An own list",
            url: urlOf("own.txt"),
            reference: "https://secret-reference.example/{value}",
            homepage: "https://secret-home.example/",
          },
          { ...common, key: "lost_list", name: "A lost list", url: urlOf("missing.txt") },
          {
            ...common,
            ...{ key: "odd_list", name: "An odd list", url: urlOf("own.txt") },
            ...{ format: "csv", column: "secret_column" },
          },
        ],
        dnsbl: [{ key: "own_zone", name: "An own zone", zone: "zone.secret.example", target: "ip" }],
      },
      allowlists: [
        {
          key: "own_allowed",
          name: "An own allowlist",
          url: urlOf("allowed.txt"),
          format: "plain",
          target: "ip",
        },
      ],
    },
  });
  await until(async () => (await service.call({ method: "GET", path: "/readyz" })).status === 200);
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

function expectNoSecret(text: string): void {
  expect(SECRETS.filter((secret) => text.includes(secret))).toEqual([]);
}

const page = async (path: string): Promise<string> =>
  (await fetch(service.address + path, { headers: { accept: "text/html" } })).text();

test.each(["/status", "/sources"])("%s names the operator's lists, and describes none", async (path) => {
  const text = await page(path);
  for (const name of ["An own list", "A lost list", "An own zone", "An own allowlist"])
    expect(text).toContain(name);
  expect(text).toContain("configured by the operator");
  expectNoSecret(text);
  expect(text).not.toMatch(/\d+ entries(?!\.)/);
});

test("free reports name the operator's lists, without their links", async () => {
  const answer = await service.call({ path: "/api/free/check-ip", body: { ip: TARGET } });
  expect(answer.of("data", "engines")).toContainEqual({
    name: "An own list",
    detected: true,
    reference: null,
    category: "abuse",
    level: "ip",
    last_seen: null,
    data_age_s: expect.any(Number),
    stale: false,
  });
  expectNoSecret(answer.text);
  for (const path of [`/tools/ip/${TARGET}`, `/tools/url?q=${encodeURIComponent(`http://${TARGET}/`)}`]) {
    const shown = await page(path);
    expect(shown).toContain("An own list");
    expectNoSecret(shown);
  }
});

test("/api/engines names the operator's lists, and describes none", async () => {
  const { text, of } = await service.call({ method: "GET", path: "/api/engines" });
  expectNoSecret(text);
  const unknown = { licence: null, homepage: null, entries: null, last_success: null };
  const rated = { category: "abuse", confidence: "high", enabled: true, half_life_days: 14 };
  expect(of("data", "engines")).toContainEqual(
    expect.objectContaining({ key: "lost_list", name: "A lost list", state: "error", ...rated, ...unknown }),
  );
  expect(of("data", "engines")).toContainEqual(
    expect.objectContaining({ key: "own_zone", kind: "dnsbl", ...unknown }),
  );
});

test("/readyz names the operator's lists that cannot answer, and does not say why", async () => {
  const ready = await service.call({ method: "GET", path: "/readyz" });
  const detail = "Cannot be used; `repute feeds list` says why";
  expect(ready.of("lists_in_error")).toEqual([
    { key: "lost_list", detail },
    { key: "odd_list", detail },
  ]);
});

test("reports do not tell why a list of the operator's cannot be retrieved", async () => {
  const { key } = await service.openAccount();
  const answer = await callPatiently(service, { path: "/api/check-ip", key, body: { ip: TARGET } });
  const unavailable = JSON.parse(answer.text).data.blacklists.engines_unavailable;
  expect(unavailable).toContainEqual({
    key: "lost_list",
    name: "A lost list",
    status: "error",
    since: expect.any(String),
    detail: "Cannot be used; `repute feeds list` says why",
  });
  // The reference of a list is made for the reports of those who have an account.
  expect(JSON.parse(answer.text).data.blacklists.engines.own_list.reference).toMatch(/^https:\/\/secret-ref/);
  expect(answer.text).not.toContain("does not exist");
  expect(answer.text).not.toContain("secret-folder");
});

test("the dashboard tells sizes and errors of the operator's lists to owners alone", async () => {
  const stranger = await keyPage(service, (await service.openAccount()).key);
  const boss = await service.accounts.createAccount({ email: "boss@example.com", plan: "Free" });
  const owner = await personPage(service, boss.id);
  const rowsOf = async (who: typeof owner) =>
    new Map<string, object>(
      JSON.parse((await who.call("GET", "/feeds")).text).data.feeds.map((row: { key: string }) => [
        row.key,
        row,
      ]),
    );
  const [known, hidden] = [await rowsOf(owner), await rowsOf(stranger)];
  expect(known.get("own_list")).toMatchObject({ entries: ENTRIES, dropped: 0 });
  expect(known.get("lost_list")).toMatchObject({ last_error: expect.stringContaining("does not exist") });
  expect([...hidden.keys()]).toEqual([...known.keys()]);
  for (const [key, row] of hidden) {
    // The tables of places and networks are built in.
    if (!key.startsWith("table-"))
      expect(row).toMatchObject({ entries: null, dropped: null, last_error: null, tries: [] });
  }
});
