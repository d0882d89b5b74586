import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestScript } from "../servers/dns-server.ts";
import { response, startWebServer } from "../servers/web-server.ts";
import { startWhoisServer, type TestWhoisServer } from "../servers/whois-server.ts";
import type { TestAccount } from "../service.ts";
import { type DashboardWorld, LISTED, lookUp, openDashboardWorld } from "./dashboard-world.ts";
import type { Visitor } from "./visitor.ts";

// Each of these would call `alert`, which the visitor notes as a fault, or break the policy, which it notes as well.
const SCRIPT = "<script>alert(1)</script>";
const IMAGE = '<img src="x" onerror="alert(1)">';
const SVG = '"><svg onload=alert(1)>';
const SITE = "127.1.0.9";

const script: TestScript = ({ name, type }) => {
  if (!name.toLowerCase().endsWith("hostile.com")) return { rcode: 3 };
  if (type === "A") return { answers: [{ type: "A", data: SITE }] };
  if (type === "TXT") return { answers: [{ type: "TXT", data: [SCRIPT, `${IMAGE}${SVG}`] }] };
  return {};
};

const whoisText = `Domain Name: evil.lab\r
Registrar: ${SCRIPT}${IMAGE}\r
Registrant Name: ${SVG}\r
Registrant Organization: ${IMAGE}\r
Creation Date: 2020-01-01T00:00:00Z\r
Name Server: ns1.${SVG}\r
Domain Status: ${SCRIPT}\r
`;

const pageText = `<html><head><title>${`Title ${SCRIPT}${IMAGE}`.replaceAll("<", "&lt;")}</title></head>
<body><form action="https://${SITE}/x"><input type="password"></form></body></html>`;

let world: DashboardWorld;
let whois: TestWhoisServer;
let account: TestAccount;
let visitor: Visitor;
beforeAll(async () => {
  whois = await startWhoisServer(() => whoisText);
  world = await openDashboardWorld({
    dns: script,
    file: {
      whois: { servers: { lab: whois.address } },
      fetch: { allow_networks: ["127.1.0.0/16"] },
      engines: {
        builtin: false,
        feeds: [
          {
            key: "hostile",
            name: `${SCRIPT}${IMAGE}`,
            target: "ip",
            format: "plain",
            url: pathToFileURL(import.meta.filename).href,
          },
        ],
      },
    },
  });
  account = await world.service.openAccount();
  visitor = await world.signedIn(account);
});
afterAll(async () => {
  await world.close();
  await whois.close();
});

const shown = (text: string) =>
  visitor.page.getByText(text, { exact: false }).filter({ visible: true }).first();

test("script in the name of a key stays a text, in the list, the dialogs, the usage and the owners' pages", async () => {
  const { page, visit } = visitor;
  await visit("/app/keys");
  await page.getByRole("button", { name: "Create key" }).click();
  await page.getByLabel("Name").fill(`${SCRIPT}${IMAGE}`);
  await page.keyboard.press("Enter");
  const key = await page.locator(".secret code").innerText();
  await page.getByRole("button", { name: "I have stored it" }).click();
  await shown(SCRIPT).waitFor();
  await page.getByRole("button", { name: /^Revoke <script>/ }).click();
  await page.getByRole("button", { name: "Keep it" }).click();
  const body = { ip: LISTED };
  await world.service.call({ method: "POST", path: "/api/check-ip", key, body });
  await visit("/app/usage");
  await page.getByRole("radio", { name: "Key" }).check();
  await shown(SCRIPT).waitFor();
  await visit(`/app/admin/accounts/${account.id}`);
  await shown(SCRIPT).waitFor();
  expect(await visitor.faults()).toEqual([]);
});

test("script in the name of a feed stays a text", async () => {
  await visitor.visit("/app/feeds");
  await shown(SCRIPT).waitFor();
  await visitor.page.locator(".feed summary").first().click();
  await visitor.visit("/app/lookup/ip");
  await lookUp(visitor, LISTED);
  await visitor.page.locator(".answer").getByText(SCRIPT).first().waitFor({ state: "attached" });
  expect(await visitor.faults()).toEqual([]);
});

test("script in a registry's answer stays a text, readable and raw", async () => {
  await visitor.visit("/app/lookup/whois");
  await lookUp(visitor, "evil.lab");
  await shown("alert(1)").waitFor();
  await visitor.page.getByRole("tab", { name: "JSON" }).click();
  await visitor.page.locator(".json-tree").filter({ visible: true }).waitFor();
  expect(whois.questions.length).toBeGreaterThan(0);
  expect(await visitor.faults()).toEqual([]);
});

test("script in DNS records stays a text", async () => {
  await visitor.visit("/app/lookup/dns");
  await lookUp(visitor, "hostile.com");
  await shown("alert(1)").waitFor();
  expect(await visitor.faults()).toEqual([]);
});

test("script in the title of a page stays a text", async () => {
  const headers = { "Content-Type": "text/html" };
  const site = await startWebServer(() => response(pageText, { headers }), { host: SITE });
  await visitor.visit("/app/lookup/url");
  await lookUp(visitor, `http://hostile.com:${site.port}/${encodeURIComponent(SCRIPT)}`);
  await shown("alert(1)").waitFor();
  expect(await visitor.faults()).toEqual([]);
});

test("script in what is looked up stays a text", async () => {
  await visitor.visit(`/app/lookup/domain?q=${encodeURIComponent(SVG)}`);
  expect(await visitor.page.locator("input[name=text]").inputValue()).toBe(SVG);
  await visitor.visit(`/app/lookup/${encodeURIComponent(SCRIPT)}`);
  expect(await visitor.faults()).toEqual([]);
});
