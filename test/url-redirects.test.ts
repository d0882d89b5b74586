import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { CANARY_HOST } from "./servers/dialing.ts";
import type { TestScript } from "./servers/dns-server.ts";
import { redirect, response, startWebServer, TEST_CA_FILE } from "./servers/web-server.ts";
import { callPatiently, startTestService, type TestAccount, type TestService, until } from "./service.ts";

const SITE = "127.1.0.12";
const HTML = { "Content-Type": "text/html" };
type Ways = Readonly<Record<string, string | Buffer>>;

/** Where the site redirects to by host and path, or by path alone, or what it answers; everything else is a page. */
let served: Ways = {};
const { port: PORT } = await startWebServer(
  ({ path, headers }) => {
    const host = headers.get("host")?.split(":")[0] ?? "";
    const way = served[`${host}${path}`] ?? served[path];
    if (Buffer.isBuffer(way)) return way;
    return way === undefined ? response("<title>Here</title>", { headers: HTML }) : redirect(way);
  },
  { host: SITE, whenDone: afterAll },
);
const at = (host: string, path = "/"): string => `http://${host}:${PORT}${path}`;

const dead = new Set(["dead.evil-host.com", "dead-url.example.org"]);
const zoneSilent = new Set<string>();

/** Every name is the site, but for dead ones; `bl.example` is a DNS blacklist of names, `ips.example` one of addresses. */
const script: TestScript = ({ name, type }) => {
  const asked = name.toLowerCase();
  if (asked.endsWith(".bl.example")) {
    const listed = asked.slice(0, -".bl.example".length);
    if (zoneSilent.has(listed)) return "silence";
    if (listed === "test" || listed === "zone-listed.example.net") {
      return type === "A" ? { answers: [{ type: "A", data: "127.0.0.2" }] } : {};
    }
    return { rcode: 3 };
  }
  if (asked.endsWith(".ips.example")) {
    return asked === "2.0.0.127.ips.example" && type === "A"
      ? { answers: [{ type: "A", data: "127.0.0.2" }] }
      : { rcode: 3 };
  }
  if (asked === "inside.example.org")
    return type === "A" ? { answers: [{ type: "A", data: CANARY_HOST }] } : {};
  if (dead.has(asked)) return { rcode: 3 };
  return type === "A" ? { answers: [{ type: "A", data: SITE }] } : {};
};

const LISTED_URLS = [
  at("shared.example.org", "/phish?x=1"),
  at("shared.example.org", "/no-query"),
  at("dead-url.example.org", "/gone"),
  at("inside.example.org", "/admin"),
  at("many.example.org", "/11"),
  at("good.example.org", "/bad-page"),
  at("self.example.org", "/reload"),
  `http://${SITE}:${PORT}/by-address`,
];

let dir: string;
let service: TestService;
let account: TestAccount;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "redirects-"));
  const listOf = (name: string, lines: readonly string[]) => {
    writeFileSync(join(dir, name), `${lines.join("\n")}\n`);
    return { url: pathToFileURL(join(dir, name)).href, format: "plain" };
  };
  const strong = { confidence: "high", category: "phishing" };
  service = await startTestService({
    dns: script,
    file: {
      dns: { timeout_ms: 300 },
      fetch: { allow_networks: ["127.1.0.0/16"], ca_file: TEST_CA_FILE },
      engines: {
        builtin: false,
        feeds: [
          { key: "urls", target: "url", ...strong, ...listOf("urls.txt", LISTED_URLS) },
          {
            key: "names",
            target: "domain",
            ...strong,
            ...listOf("names.txt", ["evil-host.com", "fp.good-site.org"]),
          },
          { key: "ips", target: "ip", ...strong, ...listOf("ips.txt", [SITE]) },
        ],
        dnsbl: [
          { key: "zone_names", target: "domain", zone: "bl.example" },
          { key: "zone_ips", target: "ip", zone: "ips.example" },
        ],
      },
      allowlists: [
        {
          key: "good",
          target: "domain",
          ...listOf("good.txt", ["good.example.org", "good-site.org", "short.example.com"]),
        },
      ],
    },
  });
  await until(async () => (await service.call({ method: "GET", path: "/readyz" })).status === 200);
  account = await service.openAccount();
});
afterAll(async () => {
  await service.close();
  rmSync(dir, { recursive: true });
});

const site = (ways: Ways): void => {
  served = ways;
};
afterEach(() => site({}));

const check = async (url: string) => {
  const answer = await callPatiently(service, {
    path: "/api/url-reputation",
    key: account.key,
    body: { url },
  });
  expect(answer.status).toBe(200);
  const engine = (key: string) => answer.of("data", "blacklists", "engines", key);
  return {
    answer,
    engine,
    status: answer.of("data", "url_fetch_status"),
    score: answer.of("data", "report", "risk_score"),
    hops: answer.of("data", "report", "redirection", "hops"),
  };
};

const START = at("start.example.net", "/");
/** One list of high confidence about phishing, 0.85, and the signal of an unusual port, 0.1. */
const WITH_PORT = 87;
const PHISH = at("shared.example.org", "/phish?x=1");

describe("a URL that redirects to a listed one", () => {
  test("is named by the URL list, at level url, for the hop that leads there", async () => {
    site({ "start.example.net/": at("middle.example.net", "/2"), "/2": PHISH });
    const { engine, score, hops } = await check(START);
    expect(engine("urls")).toMatchObject({ detected: true, matched: { value: PHISH, level: "url", hop: 1 } });
    expect(score).toMatchObject({
      result: WITH_PORT,
      factors: [
        {
          key: "urls",
          reason: "Redirects to a listed URL: listed as phishing by urls (exact URL, redirect 2)",
        },
        { key: "signal_non_standard_port" },
      ],
    });
    expect(hops).toMatchObject([
      { detections: 0, listed_by: [], allowed_by: [] },
      { detections: 1, listed_by: [{ key: "urls", level: "url" }] },
    ]);
  });

  test.each([
    ["in the middle of the way", { "/": PHISH, "/phish?x=1": at("end.example.net") }, 0],
    [
      "by a refresh in the page",
      { "/": response(`<meta http-equiv=refresh content="0;url=${PHISH}">`, { headers: HTML }) },
      0,
    ],
    ["by a Refresh header", { "/": response("", { headers: { Refresh: `3; url=${PHISH}` } }) }, 0],
    [
      "with a fragment, upper case and an escaped letter",
      { "/": `HTTP://SHARED.example.org.:${PORT}/%70hish?x=1#top` },
      0,
    ],
    ["with a user name", { "/": PHISH.replace("//", "//me:secret@") }, 0],
    ["with a query that the entry does not have", { "/": at("shared.example.org", "/no-query?a=b") }, 0],
    [
      "by a relative refresh below another <base>",
      {
        "/": response(
          `<base href="${at("shared.example.org")}"><meta http-equiv=refresh content="0;url=phish?x=1">`,
          { headers: HTML },
        ),
      },
      0,
    ],
  ])("is found %s", async (_, ways, hop) => {
    site(
      Object.fromEntries(
        Object.entries(ways).map(([path, way]) => [path === "/" ? "start.example.net/" : path, way]),
      ),
    );
    const { engine } = await check(START);
    expect(engine("urls")).toMatchObject({ detected: true, matched: { level: "url", hop } });
  });

  test.each([
    ["dns_error", at("dead-url.example.org", "/gone"), "the host of the listed URL has no address"],
    ["blocked", at("inside.example.org", "/admin"), "the listed URL leads inside"],
  ])("is found when the fetch ends as %s: %s", async (status, location) => {
    site({ "start.example.net/": location });
    const checked = await check(START);
    expect(checked.status).toBe(status);
    expect(checked.engine("urls")).toMatchObject({ matched: { value: location, level: "url", hop: 0 } });
  });

  test("is found when that redirect is one too many", async () => {
    const ways = Array.from({ length: 11 }, (_, i) => [`/${i}`, at("many.example.org", `/${i + 1}`)]);
    site(Object.fromEntries(ways));
    const { answer, engine, status, hops, score } = await check(at("many.example.org", "/0"));
    expect(status).toBe("too_many_redirects");
    expect(hops).toHaveLength(10);
    // The host of a listed URL from the first hop on, the listed URL itself at the end: that says more.
    expect(engine("urls")).toMatchObject({ matched: { level: "url", hop: 10 } });
    expect(answer.of("data", "report", "redirection", "unfollowed")).toEqual({
      location: at("many.example.org", "/11"),
      detections: 1,
      listed_by: [{ key: "urls", level: "url" }],
      allowed_by: [],
      shared_infrastructure: null,
    });
    expect(score).toMatchObject({ result: WITH_PORT });
  });

  test("says what it says of the URL itself where that is listed too", async () => {
    site({ "shared.example.org/no-query": PHISH });
    const { answer, engine } = await check(at("shared.example.org", "/no-query"));
    expect(engine("urls")).toMatchObject({
      matched: { value: at("shared.example.org", "/no-query"), level: "url" },
    });
    expect(answer.text).not.toContain('"hop"');
  });

  test("is no other hop when the way goes round in a circle", async () => {
    site({ "/phish?x=1": at("middle.example.net", "/2"), "/2": PHISH });
    const { answer, status, hops } = await check(PHISH);
    expect(status).toBe("redirect_loop");
    expect(answer.text).not.toContain('"hop"');
    expect(hops).toMatchObject([
      { detections: 0 },
      { detections: 1, listed_by: [{ key: "urls", level: "url" }] },
    ]);
  });

  test("that reloads itself is a loop, is analysed and has no redirect", async () => {
    site({
      "/reload": response("<title>Tick</title><meta http-equiv=refresh content=5>", { headers: HTML }),
    });
    const { answer, status, engine } = await check(at("self.example.org", "/reload"));
    expect(status).toBe("redirect_loop");
    expect(answer.of("data", "report", "html_info", "title")).toBe("Tick");
    expect(engine("urls")).toMatchObject({ matched: { level: "url" } });
    expect(answer.text).not.toContain('"hop"');
  });
});

describe("a URL that redirects to a listed host", () => {
  test.each([
    [at("evil-host.com"), "names", { value: "evil-host.com", level: "domain", hop: 0 }, "a listed host"],
    [
      at("www.evil-host.com"),
      "names",
      { value: "evil-host.com", level: "registered_domain", hop: 0 },
      "a listed host",
    ],
    [
      at("dead.evil-host.com"),
      "names",
      { value: "evil-host.com", level: "registered_domain", hop: 0 },
      "a listed host",
    ],
    [at("shared.example.org", "/other"), "urls", { level: "url_host", hop: 0 }, "the host of a listed URL"],
    [at(SITE, "/x"), "ips", { value: SITE, level: "ip", hop: 0 }, "a listed host"],
    [
      at("zone-listed.example.net"),
      "zone_names",
      { value: "zone-listed.example.net", level: "domain", hop: 0 },
      "a listed host",
    ],
  ])("%s is found by %s at %j", async (location, key, matched, words) => {
    site({ "start.example.net/": location });
    const { engine, score } = await check(START);
    expect(engine(key)).toMatchObject({ detected: true, matched });
    expect(JSON.stringify(score)).toContain(`Redirects to ${words}: listed`);
  });

  test("asks DNS blacklists about its host, also where that may not be reached", async () => {
    site({ "start.example.net/": at("asked.example.net"), "asked.example.net/": "http://10.9.8.7/" });
    const { status } = await check(START);
    const names = service.dns.questions.map(({ name }) => name.toLowerCase());
    expect(names).toContain("asked.example.net.bl.example");
    expect(status).toBe("blocked");
    // An operator's own zone is asked about every address (design 3.5).
    expect(names).toContain("7.8.9.10.ips.example");
  });

  test("asks a DNS blacklist once about the host of several hops", async () => {
    site({ "once.example.net/": at("once.example.net", "/2"), "/2": at("once.example.net", "/3") });
    await check(at("once.example.net"));
    const names = service.dns.questions.map(({ name }) => name.toLowerCase());
    expect(names.filter((name) => name === "once.example.net.bl.example")).toHaveLength(1);
  });

  test("has no answer of a DNS blacklist that was silent about one hop", async () => {
    zoneSilent.add("silent.example.net");
    onTestFinished(() => zoneSilent.clear());
    site({ "start.example.net/": at("silent.example.net") });
    const { answer, engine } = await check(START);
    expect(engine("zone_names")).toBeUndefined();
    expect(answer.of("data", "blacklists", "engines_unavailable")).toMatchObject([
      { key: "zone_names", status: "timeout" },
    ]);
  });
});

describe("an allowlist", () => {
  test("of the first URL does not clear a listed URL that it redirects to", async () => {
    site({ "short.example.com/": PHISH });
    const { answer, score } = await check(at("short.example.com"));
    expect(Object.keys(Object(answer.of("data", "blacklists", "allowlists")))).toEqual(["good"]);
    expect(score).toMatchObject({ result: WITH_PORT, adjustments: [] });
  });

  test("of the first URL does not clear a host of a redirect that is listed", async () => {
    site({ "short.example.com/": at("www.evil-host.com") });
    expect((await check(at("short.example.com"))).score).toMatchObject({ result: 71, adjustments: [] });
  });

  test("of the last URL does not clear the first one", async () => {
    site({ "evil-host.com/": at("good.example.org") });
    const { answer, hops, score } = await check(at("evil-host.com"));
    expect(answer.of("data", "blacklists", "allowlists")).toEqual({});
    expect(hops).toMatchObject([{ detections: 1, allowed_by: [{ key: "good", level: "domain" }] }]);
    expect(score).toMatchObject({ result: 93, adjustments: [] });
  });

  test("clears what is listed at its own place, down to what the signals alone give", async () => {
    site({ "start.example.net/": at("fp.good-site.org") });
    const { engine, hops, score } = await check(START);
    expect(engine("names")).toMatchObject({
      detected: true,
      matched: { value: "fp.good-site.org", hop: 0 },
    });
    expect(hops).toMatchObject([{ allowed_by: [{ key: "good", level: "registered_domain" }] }]);
    expect(score).toMatchObject({ result: 10, adjustments: [{ key: "allowlisted" }] });
  });

  test("of a host does not clear a listed URL on it", async () => {
    site({ "start.example.net/": at("good.example.org", "/bad-page") });
    const { score } = await check(START);
    expect(score).toMatchObject({ result: WITH_PORT, adjustments: [] });
  });
});
