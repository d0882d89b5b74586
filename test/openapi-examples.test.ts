import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { openApiDocument } from "../src/http/openapi.ts";
import { at } from "./contract.ts";
import { schemaFaults } from "./json-schema.ts";
import { recorded } from "./registries.ts";
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

type Operation = {
  readonly path: string;
  readonly method: string;
  readonly id: string;
  readonly example: unknown;
};

const DOCUMENT = openApiDocument({ version: "0.3.0", publicUrl: null });

function operations(): readonly Operation[] {
  const paths = Object.entries(Object(at(DOCUMENT, ["paths"])));
  return paths.flatMap(([path, methods]) =>
    Object.entries(Object(methods)).map(([method, operation]) => ({
      path,
      method,
      id: String(at(operation, ["operationId"])),
      example: at(operation, ["requestBody", "content", "application/json", "example"]),
    })),
  );
}

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
    for (const { path, method, id, example } of operations()) {
      const answer = await service.call({ method: method.toUpperCase(), path, key, body: example });
      expect([id, answer.status]).toEqual([id, 200]);
      const fresh: unknown = JSON.parse(answer.text);
      const file = join(FOLDER, `${id}.json`);
      const kept: unknown = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : null;
      if (process.env["UPDATE_EXAMPLES"] !== undefined) {
        const text = JSON.stringify(fresh, null, 1).replaceAll(registries.host, "rdap.example.net");
        // Times and ids differ with every run: an example of the right shape stays.
        if (!isDeepStrictEqual(shapeOf(kept), shapeOf(fresh))) writeFileSync(file, `${text}\n`);
        continue;
      }
      expect(kept, `There is no example of ${id}: \`${UPDATE}\` writes it`).not.toBeNull();
      const schema = at(DOCUMENT, [
        "paths",
        path,
        method,
        "responses",
        "200",
        "content",
        "application/json",
        "schema",
      ]);
      expect(schemaFaults(DOCUMENT, schema, kept)).toEqual([]);
      const differs = `The example of ${id} has another shape than the answer: \`${UPDATE}\` writes it anew`;
      expect(shapeOf(kept), differs).toEqual(shapeOf(fresh));
      expect(
        at(DOCUMENT, ["paths", path, method, "responses", "200", "content", "application/json", "example"]),
      ).toEqual(kept);
    }
  } finally {
    await service.close();
    await registries.close();
    rmSync(dir, { recursive: true });
  }
});
