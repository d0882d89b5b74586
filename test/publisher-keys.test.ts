import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { zstdDecompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { ENDPOINTS } from "../src/http/dashboard/endpoints.ts";
import { PRODUCTS } from "../src/products/all.ts";
import { VIEWS } from "../src/products/views.ts";
import { createRunner } from "./cli-runner.ts";
import { personPage } from "./dashboard.ts";
import { type Publisher, startPublisher } from "./publishers.ts";
import { callPatiently, startTestService, type TestService, until } from "./service.ts";
import {
  createServicePlace,
  endServiceProcesses,
  type ServicePlace,
  type ServiceProcess,
  startServiceProcess,
} from "./service-process.ts";
import { listedAs, NOT_LISTED } from "./zones.ts";

// Programs take what a busy machine gives them.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

// Planted keys: of lists and of a zone, whose publishers repeat them wherever they can.
const HEADER_KEY = "Canary+Header/0123456789";
const URL_KEY = "canary url key".replaceAll(" ", "_%41");
const ZONE_KEY = "canaryzone0123456789";
/** Written with its list, and in no `engines.keys`. */
const OWN_TOKEN = "canary-own-token-0123";
const KEYS = { lab_header: HEADER_KEY, lab_url: URL_KEY, lab_zone: ZONE_KEY };
const LISTED = "45.45.45.45";
const HOSTILE = "{{key}}\n%41";

/** Every form in which a key could stand somewhere. */
const FORMS = [...Object.values(KEYS), OWN_TOKEN].flatMap((key) => [
  key,
  encodeURIComponent(key),
  Buffer.from(key).toString("base64"),
  Buffer.from(key).toString("hex"),
  JSON.stringify(key).slice(1, -1),
]);
const expectNone = (text: string, where: string): void => {
  for (const form of FORMS) expect(text.toLowerCase().includes(form.toLowerCase()), where).toBe(false);
};

let publisher: Publisher;
let elsewhere: Publisher;

beforeAll(async () => {
  elsewhere = await startPublisher((_, response) => void response.end(`${LISTED}\n`));
  publisher = await startPublisher(({ url = "", headers }, response) => {
    const key = String(headers["auth-key"] ?? "");
    const moveTo = (path: string) => response.writeHead(302, { location: elsewhere.url + path }).end();
    if (url === "/refuses") response.writeHead(403, { "x-key": key }).end(`Your key ${key} is bad`);
    else if (url === "/moves") moveTo("/moved");
    else if (url.startsWith("/gives-away")) moveTo(`/take?key=${url.split("=")[1]}`);
    else if (url === "/codes-it") moveTo(`/take?key=${Buffer.from(key).toString("hex")}`);
    else if (url === "/tells") response.end(`${LISTED},known to ${key}\n45.45.45.46,${btoa(key)}\n`);
    else response.writeHead(200, { etag: `"${key}"` }).end(`# for ${key}\n${LISTED}\n`);
  });
});
afterAll(async () => {
  await endServiceProcesses();
  await publisher.close();
  await elsewhere.close();
});

const common = { target: "ip", format: "plain", category: "attack", confidence: "high" };
const header = { auth: { key: "lab_header", header: "Auth-Key" } };
const engines = () => ({
  builtin: false,
  keys: KEYS,
  feeds: [
    { ...common, ...header, key: "keyed", url: `${publisher.url}/list` },
    { ...common, ...header, key: "refusing", url: `${publisher.url}/refuses` },
    { ...common, ...header, key: "moving", url: `${publisher.url}/moves` },
    { ...common, ...header, key: "coding", url: `${publisher.url}/codes-it` },
    {
      ...{ ...common, ...header, format: "csv", column: 0, note: 1 },
      ...{ key: "telling", url: `${publisher.url}/tells` },
    },
    {
      ...{ ...common, headers: { "Auth-Key": OWN_TOKEN }, format: "csv", column: 0, note: 1 },
      ...{ key: "told", url: `${publisher.url}/tells` },
    },
    {
      ...common,
      ...{ key: "giving", url: `${publisher.url}/plain` },
      auth: { key: "lab_url", url: `${publisher.url}/gives-away?key={key}` },
    },
    {
      ...common,
      ...{ key: "in_url", url: `${publisher.url}/plain` },
      auth: { key: "lab_url", url: `${publisher.url}/in-url?key={key}` },
    },
  ],
  dnsbl: [
    {
      ...{ key: "keyed_zone", target: "ip", zone: "{key}.zen.lab.example" },
      ...{ auth: { key: "lab_zone" }, self_test: "off" },
    },
  ],
});

describe("a planted publisher's key", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({
      file: {
        dashboard: { owners: ["boss@example.com"] },
        metrics: { listen: "127.0.0.1:0" },
        fetch: { allow_networks: ["127.0.0.0/8"] },
        engines: engines(),
      },
      // It repeats the key in its words.
      dns: ({ name, type }) => {
        if (!name.toLowerCase().endsWith(`.${ZONE_KEY}.zen.lab.example`)) return NOT_LISTED;
        return type === "TXT"
          ? { answers: [{ type: "TXT", data: `listed, asked as ${ZONE_KEY}` }] }
          : listedAs("127.0.0.2");
      },
    });
    await until(async () => {
      const rows = JSON.parse((await service.call({ method: "GET", path: "/api/engines" })).text).data
        .engines;
      const states = new Map(rows.map((row: { key: string; state: string }) => [row.key, row.state]));
      return (
        states.get("keyed") === "ok" &&
        states.get("refusing") === "refused" &&
        states.get("telling") === "ok" &&
        states.get("coding") === "error" &&
        states.get("giving") === "error"
      );
    });
  });
  afterAll(() => service.close());

  test("reaches its publisher, and no other host", () => {
    const said = publisher.asked.join("\n");
    expect(said).toContain(HEADER_KEY);
    expect(said).toContain(encodeURIComponent(URL_KEY));
    expect(elsewhere.asked.some((text) => text.includes("/moved"))).toBe(true);
    expect(elsewhere.asked.some((text) => text.includes("/take"))).toBe(false);
    expectNone(elsewhere.asked.join("\n"), "a request to another host");
  });

  test("stands in no answer of any product, in no view, and in no log line", async () => {
    const { key } = await service.openAccount();
    const ask = async (path: string, body: unknown) => {
      const answer = await callPatiently(service, { path, key, body });
      expectNone(answer.text + JSON.stringify(answer.headers), path);
      return answer;
    };
    for (const { name, field, bulk, free } of PRODUCTS) {
      const target = field === "ip" ? LISTED : field === "email" ? "a@exit.example" : "exit.example";
      const body = { [field]: field === "url" ? `http://${target}/` : target };
      for (const view of VIEWS) {
        const answer = await ask(`/api/${name}?view=${view}`, body);
        expect([name, view, answer.status]).toEqual([name, view, 200]);
        if (name === "check-ip" && view === "full") {
          expect(answer.text).toContain("keyed_zone");
          expect(answer.text).toContain("known to ***");
        }
        if (bulk !== null)
          await ask(`/api/bulk/${name}?view=${view}`, { [bulk.field]: [target, LISTED, "?"] });
      }
      if (free !== null) await ask(free.path, body);
      await ask(`/api/${name}`, { [field]: HOSTILE });
    }
    const questions = service.dns.questions.map(({ name }) => name.toLowerCase());
    expect(questions.some((name) => name.includes(ZONE_KEY))).toBe(true);
    expectNone(service.logged(), "the log");
    expectNone(service.printed.join("\n"), "what is printed");
  });

  test("stands on no page, in no file that is served and in no number that is counted", async () => {
    const document = JSON.parse(await (await fetch(`${service.address}/openapi.json`)).text());
    const paths = [
      ...Object.keys(document.paths).filter((path) => "get" in document.paths[path] && !path.includes("{")),
      ...[
        "/status",
        "/sources",
        "/pricing",
        "/guide",
        "/docs",
        "/docs/check-ip",
        "/readyz",
        "/livez",
        "/app",
        "/openapi.json",
      ],
      ...["/none", "/api/none", "/api/check-ip", "/robots.txt", `/lookup?q=${LISTED}`, `/tools/ip/${LISTED}`],
      ...["domain/exit.example", `url/${LISTED}`, "email/a@exit.example"].map((path) => `/tools/${path}`),
    ];
    for (const path of paths) {
      for (const accept of ["text/html", "application/json"]) {
        const answer = await fetch(service.address + path, { headers: { accept } });
        expect(answer.status, path).toBeLessThan(500);
        expectNone((await answer.text()) + JSON.stringify([...answer.headers]), path);
      }
    }
    const address = /"address":"(http:\/\/127\.0\.0\.1:\d+)"/.exec(service.logged())?.[1];
    const metrics = await (await fetch(`${address}/metrics`)).text();
    expect(metrics).toContain("repute_ready 1");
    expectNone(metrics, "the metrics");
  });

  test("stands in nothing that an owner sees, tries, updates or switches", async () => {
    const owner = await service.accounts.createAccount({ email: "boss@example.com", plan: "Enterprise" });
    const page = await personPage(service, owner.id);
    const feeds = await page.call("GET", "/feeds");
    expect(feeds.text).toContain("The key was not accepted");
    const texts = [feeds.text];
    for (const { method, path, isUpload } of Object.values(ENDPOINTS)) {
      if (method === "GET" && isUpload !== true && !path.includes(":")) {
        texts.push((await page.call("GET", path)).text);
      }
    }
    for (const key of ["keyed", "refusing", "giving", "keyed_zone"]) {
      texts.push((await page.call("POST", `/feeds/${key}/try`)).text);
      texts.push((await page.call("POST", `/feeds/${key}/update`)).text);
    }
    expect(texts.join()).toContain(LISTED);
    const off = await page.call("POST", "/feeds/keyed/switch", {
      value: false,
      reason: "It repeats another list",
    });
    expect(off.of("data", "status")).toBe("disabled");
    const audit = (await page.call("GET", "/admin/audit")).text;
    expect(audit).toContain("engine.switch_off");
    expect(audit).toContain("It repeats another list");
    const config = await createRunner(service.dataDir, { REPUTE_DATA_DIR: service.dataDir }).repute([
      "config",
    ]);
    expect(config.out).toContain("#   keyed: off");
    const on = await page.call("POST", "/feeds/keyed/switch", { value: null, reason: "It does not" });
    expect(on.of("data", "owner_switch")).toBeNull();
    expect((await page.call("POST", "/feeds/keyed/switch", { value: true, reason: " " })).status).toBe(422);
    expect((await page.call("POST", "/feeds/nothing/switch", { value: true, reason: "x" })).status).toBe(404);
    for (const text of [...texts, off.text, audit, on.text]) expectNone(text, "an owner's page");
    expectNone(service.logged(), "the log");
  });

  test("stands in no file of the data folder", () => {
    for (const name of readdirSync(service.dataDir, { recursive: true, encoding: "utf8" })) {
      const path = join(service.dataDir, name);
      // But the operator's own configuration, which the test put there.
      if (name.endsWith(".yaml") || !statSync(path).isFile()) continue;
      const octets = readFileSync(path);
      expectNone((name.endsWith(".zst") ? zstdDecompressSync(octets) : octets).toString("latin1"), name);
    }
  });
});

describe("from the outside", () => {
  let place: ServicePlace;
  let service: ServiceProcess;
  beforeAll(async () => {
    place = await createServicePlace(null, { file: { engines: { ...engines(), keys: {} } } });
    const variables = Object.entries(KEYS).map(([name, key]) => [`REPUTE_KEY_${name.toUpperCase()}`, key]);
    Object.assign(place.env, Object.fromEntries(variables), { LOG_LEVEL: "trace" });
    service = startServiceProcess(place.env);
    await service.listening;
  });

  test("no process argument, no log line at trace and no command shows a key that the environment gives", async () => {
    const before = publisher.asked.length;
    await until(() => publisher.asked.length >= before + 4);
    for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
      try {
        expectNone(readFileSync(`/proc/${pid}/cmdline`, "utf8"), `process ${pid}`);
      } catch (error) {
        if (!(error instanceof Error && "code" in error)) throw error; // it has ended
      }
    }
    const runner = createRunner(place.dataDir, place.env);
    const commands = [
      ["config"],
      ["engines", "list"],
      ["engines", "try", "keyed", "refusing"],
      ["feeds", "list"],
      ["check", "ip", LISTED],
    ];
    for (const args of commands) {
      const { out, error } = await runner.program(args);
      expect(out).not.toBe("");
      expectNone(out + error, args.join(" "));
    }
    expectNone(service.out(), "the log");
  });

  test.each(["two\nlines", "a blank", "abc"])(
    "a key that is %j stops the start and is not repeated",
    async (key) => {
      const env = { ...place.env, REPUTE_KEY_LAB_HEADER: key };
      const { status, error } = await createRunner(place.dataDir, env).program(["config"]);
      expect(status).toBe(1);
      expect(error).toContain("REPUTE_KEY_LAB_HEADER: expected 4 to 512 printable ASCII characters");
      expect(error).not.toContain(key);
    },
  );
});
