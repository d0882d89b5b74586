import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { recorded } from "../registries.ts";
import type { TestScript } from "../servers/dns-server.ts";
import { bootstrapFile, NOT_FOUND, startRdapServer } from "../servers/rdap-server.ts";
import { knowsNobody, startTestService, type TestService, until } from "../service.ts";
import { openBrowser, openVisitor, type Theme, type Visitor } from "./visitor.ts";

/** On the list "Attackers of the test". */
export const LISTED = "198.41.0.4";
export const NOT_LISTED = "8.8.8.8";

/** Runs when any page takes it for markup. */
export const SCRIPT = `</title><script>document.title="owned"</script><img src=x onerror="document.title='owned'">`;

export type PublicWorld = {
  readonly service: TestService;
  readonly browser: Browser;
  /** A new visitor with an address of their own: the limits of the free tools are theirs alone. */
  readonly newVisitor: (options?: { theme?: Theme; width?: number }) => Promise<Visitor>;
  /** A page where no script runs. */
  readonly newPageWithoutScript: () => Promise<Page>;
  readonly close: () => Promise<void>;
};

const hostileZone: TestScript = (question) => {
  if (question.name.toLowerCase() !== "example.com") return knowsNobody(question);
  if (question.type === "A") return { answers: [{ type: "A", data: "127.1.0.7" }] };
  if (question.type === "MX")
    return { answers: [{ type: "MX", data: { preference: 10, exchange: "mx.example.com" } }] };
  return question.type === "TXT" ? { answers: [{ type: "TXT", data: [SCRIPT, "\u202egnp.exe"] }] } : {};
};

/** What a registry says, its registrar and holder with hostile names. */
const hostile = (name: string): object =>
  JSON.parse(
    JSON.stringify(recorded(name), (_, value: unknown) =>
      typeof value === "string" && /^(Example Registrar, Inc\.|Google LLC|GOOGLE)$/.test(value)
        ? SCRIPT
        : value,
    ),
  );

/** The service with its pages, a list, a registry and a zone of its own, and a browser. */
export async function openPublicWorld(): Promise<PublicWorld> {
  const folder = mkdtempSync(join(tmpdir(), "repute-public-"));
  const list = join(folder, "list.txt");
  writeFileSync(list, `${LISTED}\n`);
  const registry = await startRdapServer();
  registry.use((path) => registryAnswer(path, registry.url));
  const feed = { target: "ip", format: "plain", category: "attack", confidence: "high" };
  const service = await startTestService({
    dns: hostileZone,
    file: {
      server: { trust_proxy: ["127.0.0.0/8"] },
      dns: { timeout_ms: 300 },
      rdap: { bootstrap_url: registry.url },
      fetch: { allow_networks: ["127.0.0.0/8"] },
      engines: {
        builtin: false,
        feeds: [{ key: "attackers", name: `Attackers ${SCRIPT}`, url: pathToFileURL(list).href, ...feed }],
      },
    },
  });
  await until(async () => (await service.call({ method: "GET", path: "/readyz" })).status === 200);
  const browser = await openBrowser();
  let visitors = 0;
  const ownAddress = () => ({ "X-Forwarded-For": `203.0.113.${++visitors % 250}` });
  return {
    service,
    browser,
    newVisitor: async (how) => {
      const visitor = await openVisitor(browser, service.address, how);
      await visitor.page.setExtraHTTPHeaders(ownAddress());
      return visitor;
    },
    newPageWithoutScript: async () => {
      const options = { baseURL: service.address, javaScriptEnabled: false, extraHTTPHeaders: ownAddress() };
      const page = await (await browser.newContext(options)).newPage();
      page.setDefaultTimeout(8_000);
      return page;
    },
    close: async () => {
      await browser.close();
      await service.close();
      await registry.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function registryAnswer(path: string, url: string) {
  switch (path) {
    case "/dns.json":
      return bootstrapFile({ com: url });
    case "/asn.json":
      return bootstrapFile({ "1-64000": url });
    case "/ipv4.json":
    case "/ipv6.json":
      return bootstrapFile({});
    case "/domain/example.com":
      return { json: hostile("gtld-thin") };
    case "/autnum/15169":
      return { json: hostile("arin-autnum") };
    default:
      return NOT_FOUND;
  }
}
