import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { openApiDocument } from "../src/http/openapi.ts";
import { exampleName } from "../src/http/openapi-examples.ts";
import { PRODUCTS } from "../src/products/all.ts";
import { viewShapesOf } from "../src/products/view-shapes.ts";
import { VIEWS, type View } from "../src/products/views.ts";
import { at } from "./contract.ts";
import { createSchemaJudge } from "./json-schema.ts";
import { recorded } from "./registries.ts";
import { risDump, risLine } from "./ris.ts";
import type { TestRecord, TestScript } from "./servers/dns-server.ts";
import { NOT_FOUND, startRdapServer } from "./servers/rdap-server.ts";
import { response, startWebServer } from "./servers/web-server.ts";
import { startTestService, until } from "./service.ts";

// The answers that the OpenAPI document shows are real ones: this test holds them against the service and the schema.
const UPDATE = "UPDATE_EXAMPLES=1 npm test -- test/openapi-examples.test.ts";

const FOLDER = fileURLToPath(new URL("../src/http/examples/", import.meta.url));
/** Only the shape of the answers is compared: another run on the machine may have its own site. */
const SITE =
  process.env["UPDATE_EXAMPLES"] === undefined
    ? `127.1.${1 + ((process.pid >> 8) % 250)}.${process.pid & 255}`
    : "127.1.0.7";
/** Of the product's example. */
const SITE_PORT = 8080;

const ZONE: Readonly<Record<string, readonly TestRecord["data"][]>> = {
  "A example.com": [SITE],
  "MX example.com": [{ preference: 10, exchange: "mx.example.com" }],
  "A mx.example.com": ["127.1.0.8"],
  "NS example.com": ["ns.example.com"],
  "A ns.example.com": ["127.1.0.9"],
  "TXT example.com": [["v=spf1 mx -all"]],
  "TXT _dmarc.example.com": [["v=DMARC1; p=reject"]],
  "PTR 8.8.8.8.in-addr.arpa": ["dns.google"],
  "A dns.google": ["8.8.8.8"],
};
const script: TestScript = ({ name, type }) => {
  const asked = name.toLowerCase();
  const data = ZONE[`${type} ${asked}`];
  const isThere = Object.keys(ZONE).some((key) => key.endsWith(` ${asked}`));
  if (data === undefined) return isThere ? {} : { rcode: 3 };
  return { answers: data.map((one): TestRecord => ({ type, data: one })) };
};

const PAGE =
  '<!doctype html><html lang="en"><title>Welcome</title><body><h1>Welcome</h1><p>Nothing is for sale here.</p></body></html>';

async function startRegistries() {
  const server = await startRdapServer();
  const services = (keys: readonly string[]) => ({
    json: { version: "1.0", services: [[keys, [server.url]]] },
  });
  server.use((path) => {
    if (path === "/dns.json") return services(["com"]);
    if (path === "/ipv4.json") return services(["8.0.0.0/8"]);
    if (path === "/asn.json") return services(["15169-15169"]);
    if (path === "/domain/example.com") {
      return { json: { ...recorded("gtld-thick-words"), ldhName: "example.com" } };
    }
    if (path.startsWith("/ip/")) return { json: recorded("arin-network") };
    return path.startsWith("/autnum/") ? { json: recorded("arin-autnum") } : NOT_FOUND;
  });
  return server;
}

/** Routes and names as their publishers write them; places are the shipped ones. */
function writeTables(dir: string) {
  const fileOf = (name: string, text: string) => {
    writeFileSync(join(dir, name), text);
    return pathToFileURL(join(dir, name)).href;
  };
  return {
    city: null,
    routes_ipv4: fileOf("ipv4", risDump([risLine(15169, "8.8.8.0/24"), risLine(15169, "8.8.4.0/24")])),
    routes_ipv6: fileOf("ipv6", risDump([risLine(15169, "2001:4860::/32")])),
    as_names: fileOf("names", "15169 GOOGLE, US\n"),
  };
}

type Operation = {
  readonly path: string;
  readonly method: string;
  readonly id: string;
  readonly example: unknown;
  /** Null: it has none. */
  readonly view: View | null;
};

const DOCUMENT = openApiDocument({ version: "0.3.0", publicUrl: null });
const schemaFaults = createSchemaJudge(DOCUMENT);

function operations(): readonly Operation[] {
  const paths = Object.entries(Object(at(DOCUMENT, ["paths"])));
  return paths.flatMap(([path, methods]) =>
    Object.entries(Object(methods)).flatMap(([method, operation]) => {
      const id = String(at(operation, ["operationId"]));
      const example = at(operation, ["requestBody", "content", "application/json", "example"]);
      return viewsOf(id).map((view) => ({ path, method, id, example, view }));
    }),
  );
}

/** Each view that has a shape of its own. */
function viewsOf(id: string): readonly (View | null)[] {
  const product = PRODUCTS.find(({ name }) => name === id || `bulk-${name}` === id);
  if (product === undefined) return [null];
  const shapes = viewShapesOf(product);
  return VIEWS.filter((view) => view === "standard" || shapes[view] !== shapes.standard);
}

/** JSON with what fits on a line on one. */
const exampleText = (value: unknown): string =>
  JSON.stringify(value, null, 1).replace(/[[{][^[\]{}]*[\]}]/g, (leaf) => {
    const line = leaf.replace(/\n\s*/g, " ");
    return line.length <= 110 ? line : leaf;
  });

/** Members and types; a list has the shapes of its entries. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return [...new Set(value.map((entry) => JSON.stringify(shapeOf(entry))))].sort();
  if (typeof value !== "object" || value === null) return value === null ? "null" : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shapeOf(member)]));
}

test("every operation shows an answer that the service gives and its schema takes", async () => {
  const dir = mkdtempSync(join(tmpdir(), "examples-"));
  writeFileSync(join(dir, "list.txt"), "192.0.2.0/24\n");
  writeFileSync(join(dir, "names.txt"), "bad.example\n");
  const registries = await startRegistries();
  await startWebServer(() => response(PAGE, { headers: { "Content-Type": "text/html" } }), {
    host: SITE,
    port: SITE_PORT,
  });
  const feed = { format: "netset", category: "attack", confidence: "high" };
  const service = await startTestService({
    dns: script,
    file: {
      rdap: { bootstrap_url: registries.url },
      geo: { tables: writeTables(dir) },
      fetch: { allow_networks: ["127.1.0.0/16"] },
      engines: {
        builtin: false,
        feeds: [
          {
            key: "my_list",
            name: "My list",
            target: "ip",
            url: pathToFileURL(join(dir, "list.txt")).href,
            ...feed,
          },
          {
            key: "my_names",
            name: "My names",
            target: "domain",
            url: pathToFileURL(join(dir, "names.txt")).href,
            ...feed,
            format: "plain",
          },
        ],
      },
    },
  });
  try {
    await until(async () => (await service.call({ method: "GET", path: "/readyz" })).status === 200);
    const { key } = await service.openAccount({ credits: 10_000 });
    const routed = { path: "/api/check-ip", key, body: { ip: "8.8.8.8" } };
    await until(async () => (await service.call(routed)).of("data", "asn", "route") === "8.8.8.0/24");
    for (const { path, method, id, example, view } of operations()) {
      const query = view === null ? "" : `?view=${view}`;
      const answer = await service.call({
        method: method.toUpperCase(),
        path: path + query,
        key,
        body: example,
      });
      expect([id, view, answer.status]).toEqual([id, view, 200]);
      const fresh: unknown = JSON.parse(answer.text);
      const answered = at(DOCUMENT, [
        "paths",
        path,
        method,
        "responses",
        "200",
        "content",
        "application/json",
      ]);
      const shown = view === null ? at(answered, ["example"]) : at(answered, ["examples", view, "value"]);
      if (process.env["UPDATE_EXAMPLES"] !== undefined) {
        // Times and ids differ with every run: an example of the right shape stays. A batch's is made from its item's.
        if (id.startsWith("bulk-") || isDeepStrictEqual(shapeOf(shown), shapeOf(fresh))) continue;
        const file = join(FOLDER, `${view === null ? id : exampleName(id, view)}.json`);
        const kept = view === "full" ? { data: { blacklists: at(fresh, ["data", "blacklists"]) } } : fresh;
        writeFileSync(file, `${exampleText(kept).replaceAll(registries.host, "rdap.example.net")}\n`);
        continue;
      }
      const named = `${id}${query}`;
      expect(shown, `There is no example of ${named}: \`${UPDATE}\` writes it`).toBeDefined();
      expect(schemaFaults(Object(at(answered, ["schema"])), shown)).toEqual([]);
      const differs = `The example of ${named} has another shape than the answer: \`${UPDATE}\` writes it anew`;
      expect(shapeOf(shown), differs).toEqual(shapeOf(fresh));
    }
  } finally {
    await service.close();
    await registries.close();
    rmSync(dir, { recursive: true });
  }
});
