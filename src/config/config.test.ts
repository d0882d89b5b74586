import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { loadConfig, printableConfig } from "./config.ts";
import { ConfigError } from "./config-error.ts";

const cwd = mkdtempSync(join(tmpdir(), "repute-config-"));
afterAll(() => rmSync(cwd, { recursive: true }));

let count = 0;
function fileWith(text: string | Uint8Array): string {
  count++;
  const file = join(cwd, `file-${count}.yaml`);
  writeFileSync(file, text);
  return file;
}

const loadFile = (text: string | Uint8Array) => loadConfig({ env: { REPUTE_CONFIG: fileWith(text) }, cwd });

function messageOf(load: () => unknown): string {
  try {
    load();
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error("It was accepted");
}

describe("loadConfig()", () => {
  test("has a default for everything, and needs no file", () => {
    const config = loadConfig({ env: {}, cwd });
    expect(config).toMatchObject({
      host: "127.0.0.1",
      port: 8080,
      dataDir: join(cwd, "data"),
      configFile: null,
      databaseUrl: join(cwd, "data", "repute.db"),
      valkeyUrl: null,
      logLevel: "info",
      bootstrap: true,
    });
    expect(config.file).toMatchObject({
      server: { trust_proxy: [], public_url: null },
      dns: { servers: [], timeout_ms: 2000, dnsbl_servers: [] },
      rdap: { bootstrap_url: "https://data.iana.org/rdap/" },
      whois: { servers: {} },
      fetch: { allow_networks: [], ca_file: null, timeout_ms: 10_000, max_bytes: 5_242_880 },
      engines: { builtin: true, disable: [], feeds: [], dnsbl: [] },
      allowlists: [],
      enrichment: { asn_listing: { zone: null } },
      usage: { store_targets: null, keep_days: 90, keep_results_days: 30, keep_results_mb: 100 },
      billing: { stripe_secret_key: null, stripe_webhook_secret: null, prices: {} },
      dashboard: { signup: "closed", owners: [] },
      metrics: { listen: null },
    });
  });

  test("reads the file of the operator's guide", () => {
    const config = loadFile(`
server:
  trust_proxy: []
  public_url: https://rep.example
dns:
  servers: ["127.0.0.1:5300"]
  timeout_ms: 2000
  dnsbl_servers: []
rdap:
  bootstrap_url: https://data.iana.org/rdap/
whois:
  servers: { lab: "127.0.0.1:4343" }
fetch:
  allow_networks: []
  ca_file: null
  timeout_ms: 10000
  max_bytes: 5242880
engines:
  builtin: true
  disable: [some_key]
  feeds:
    - { key: my_list, name: My list, target: ip, url: "https://lists.example/a", format: netset,
        refresh_minutes: 60, reference: "https://lists.example/{value}" }
  dnsbl:
    - { key: my_zone, name: My zone, target: ip, zone: bl.example,
        listed: ["127.0.0.2-127.0.0.11"], refused: ["127.255.255.0/24"],
        reference: "https://lists.example/{value}" }
allowlists:
  - { target: domain, url: "file:/srv/allow.txt", format: plain }
enrichment:
  asn_listing: { zone: null }
billing:
  stripe_secret_key: null
  stripe_webhook_secret: null
`);
    expect(config.file.server.public_url).toBe("https://rep.example");
    expect(config.file.engines.feeds[0]).toMatchObject({
      key: "my_list",
      refresh_minutes: 60,
      enabled: true,
    });
    expect(config.file.whois.servers).toEqual({ lab: "127.0.0.1:4343" });
  });

  test.each([
    { text: "", why: "an empty file" },
    { text: "# nothing yet\n", why: "only comments" },
    { text: "dns:\n#  timeout_ms: 100\nserver:\nallowlists:\n", why: "sections without keys" },
    { text: "\uFEFFdns: { timeout_ms: 2000 }\n", why: "a byte order mark" },
  ])("takes $why as the defaults", ({ text }) => {
    expect(loadFile(text).file).toEqual(loadConfig({ env: {}, cwd }).file);
  });

  test("finds repute.yaml in the working directory, and says that it did", () => {
    const folder = join(cwd, "with-file");
    mkdirSync(folder);
    writeFileSync(join(folder, "repute.yaml"), "dns: { timeout_ms: 123 }\n");
    const config = loadConfig({ env: {}, cwd: folder });
    expect(config.file.dns.timeout_ms).toBe(123);
    expect(config.configFile).toBe(join(folder, "repute.yaml"));
  });

  test("puts STRIPE_SECRET_KEY before the file's", () => {
    const env = {
      REPUTE_CONFIG: fileWith("billing: { stripe_secret_key: sk_file }"),
      STRIPE_SECRET_KEY: "sk_env",
    };
    expect(loadConfig({ env, cwd }).file.billing.stripe_secret_key).toBe("sk_env");
  });

  test("reads every variable; an empty one counts as absent", () => {
    const env = {
      HOST: "::1",
      PORT: "0",
      REPUTE_DATA_DIR: "state",
      DATABASE_URL: "postgres://u:p@db.example/repute",
      VALKEY_URL: "redis://limits.example:6379/1",
      LOG_LEVEL: "warn",
      REPUTE_BOOTSTRAP: "off",
      REPUTE_CONFIG: "",
    };
    expect(loadConfig({ env, cwd })).toMatchObject({
      host: "::1",
      port: 0,
      dataDir: join(cwd, "state"),
      databaseUrl: "postgres://u:p@db.example/repute",
      valkeyUrl: "redis://limits.example:6379/1",
      logLevel: "warn",
      bootstrap: false,
      configFile: null,
    });
  });
});

describe("loadConfig() refuses a variable and names it:", () => {
  test.each([
    { env: { PORT: "http" }, says: 'PORT: expected an integer from 0 to 65535, found "http"' },
    { env: { PORT: "65536" }, says: 'PORT: expected an integer from 0 to 65535, found "65536"' },
    { env: { PORT: "-1" }, says: 'PORT: expected an integer from 0 to 65535, found "-1"' },
    { env: { HOST: "a b" }, says: 'HOST: expected an address or a host name, found "a b"' },
    {
      env: { LOG_LEVEL: "loud" },
      says: 'LOG_LEVEL: expected one of trace, debug, info, warn, error, fatal, silent, found "loud"',
    },
    { env: { REPUTE_BOOTSTRAP: "0" }, says: 'REPUTE_BOOTSTRAP: expected one of on, off, found "0"' },
    {
      env: { DATABASE_URL: "mysql://u:hunter2@db/x" },
      says: 'DATABASE_URL: expected postgres://… or postgresql://…, found a URL of the scheme "mysql" that is not shown',
    },
    {
      env: { DATABASE_URL: "hunter2" },
      says: "DATABASE_URL: expected postgres://… or postgresql://…, found no URL",
    },
    ...["u:hun/hunter2@db/x", "u:hun#hunter2@db/x", "u:hunter2@db:99999/x", "u:hunter2@db one/x"].flatMap(
      (rest) => [
        {
          env: { DATABASE_URL: `postgres://${rest}` },
          says: "DATABASE_URL: expected postgres://USER:PASSWORD@HOST:PORT/DATABASE with %2F, %3F, %23, %40 and %25 for",
        },
        {
          env: { VALKEY_URL: `redis://${rest}` },
          says: "VALKEY_URL: expected redis://USER:PASSWORD@HOST:PORT with %2F, %3F, %23, %40 and %25 for",
        },
      ],
    ),
    {
      env: { DATABASE_URL: "postgres://u:hunter2@db/x?sslmode=required" },
      says: "DATABASE_URL: expected one of disable, prefer, require, verify-ca, verify-full, no-verify for sslmode, found a URL",
    },
    { env: { VALKEY_URL: "http://x" }, says: "VALKEY_URL: expected redis://… or rediss://…, found a URL" },
    {
      env: { STRIPE_SECRET_KEY: "sk_hunter2\n" },
      says: "STRIPE_SECRET_KEY: expected printable ASCII characters in one line, without blanks, found a value",
    },
    ...["/limits", "/-1", "/1/2", "?db=limits"].map((end) => ({
      env: { VALKEY_URL: `redis://:hunter2@x${end}` },
      says: "VALKEY_URL: expected a number for the database (redis://HOST:PORT/0), found a URL that is not shown",
    })),
  ])("$env", ({ env, says }) => {
    const message = messageOf(() => loadConfig({ env, cwd }));
    expect(message).toContain(`Invalid environment: ${says}`);
    expect(message).not.toContain("hunter2");
  });

  test("REPUTE_CONFIG that names no file, or a folder", () => {
    const missing = join(cwd, "missing.yaml");
    expect(messageOf(() => loadConfig({ env: { REPUTE_CONFIG: missing }, cwd }))).toBe(
      `Cannot read the configuration file "${missing}": there is no such file`,
    );
    expect(messageOf(() => loadConfig({ env: { REPUTE_CONFIG: cwd }, cwd }))).toContain("it is a folder");
  });
});

test("loadConfig() refuses a file that is not UTF-8", () => {
  expect(messageOf(() => loadFile(new Uint8Array([0x61, 0xff])))).toContain("it is not UTF-8");
});

describe("printableConfig()", () => {
  const env = {
    REPUTE_CONFIG: fileWith(`
billing: { stripe_webhook_secret: whsec_hunter2 }
enrichment: { record_api: { url: "https://u:hunter2@records.example", username: me, password: hunter2 } }
mail: { smtp_url: "smtp://me:hunter2@mail.example" }
engines:
  feeds:
    - { key: a, target: ip, format: plain, url: "https://x.example/?apikey=hunter2&n=1", headers: { Authorization: hunter2 } }
`),
    DATABASE_URL: "postgres://me:hunter2@db.example/repute?password=hunter2",
    VALKEY_URL: "redis://:hunter2@limits.example",
    STRIPE_SECRET_KEY: "sk_hunter2",
  };

  test("masks every secret and shows what is not one", () => {
    const text = printableConfig(loadConfig({ env, cwd }));
    expect(text).not.toContain("hunter2");
    expect(parse(text)).toMatchObject({
      environment: { DATABASE_URL: "postgres://me:***@db.example/repute?password=***", PORT: 8080 },
      billing: { stripe_secret_key: "***", stripe_webhook_secret: "***" },
      enrichment: { record_api: { username: "me", password: "***" } },
      mail: { smtp_url: "smtp://me:***@mail.example" },
      engines: { feeds: [{ url: "https://x.example/?apikey=***&n=1", headers: { Authorization: "***" } }] },
    });
  });

  test("shows a secret that is not set as null, and gives sections that a file may hold", () => {
    const { environment, ...sections } = parse(printableConfig(loadConfig({ env: {}, cwd })));
    expect(sections.billing.stripe_secret_key).toBeNull();
    expect(environment.DATABASE_URL).toBe(join(cwd, "data", "repute.db"));
    expect(loadFile(JSON.stringify(sections)).file).toEqual(loadConfig({ env: {}, cwd }).file);
  });
});
