import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { response, startWebServer, type WebAnswer } from "./servers/web-server.ts";
import { callPatiently, startTestService, type TestAccount, type TestService, until } from "./service.ts";

const SITE = "127.1.0.13";
const HALVES = "0.0.0.0/1\n128.0.0.0/1\n";

/** What the record service says of an address. */
const RECORDS: Readonly<Record<string, unknown>> = {
  "45.9.0.1": { error: "quota exceeded", results: [] },
  "45.9.0.2": { code: 401, message: "bad key", results: [] },
  "45.9.0.3": { results: [{ dataset: "XBL", valid_until: "soon" }] },
  "45.9.0.4": { results: [{ dataset: "XBL", listed: false }] },
  "45.9.0.5": { results: [{ dataset: "XBL", valid_until: 1_000_000_000 }] },
  "45.9.0.6": { results: [{ dataset: "XBL", cc: "=HYPERLINK", asn: 9_999_999_999 }] },
};

const answer: WebAnswer = ({ path }) => {
  if (path === "/halves" || path === "/cleared") return response(HALVES);
  if (path === "/honest") return response("45.8.0.1\n");
  const said = RECORDS[path.replace("/records/", "")];
  return said === undefined ? response("", { status: 500 }) : response(JSON.stringify(said));
};

let service: TestService;
let account: TestAccount;
let sitePort = 0;
beforeAll(async () => {
  const { url } = await startWebServer(answer, { whenDone: afterAll });
  const site = await startWebServer(
    ({ path }) =>
      path === "/go"
        ? response("", { status: 302, headers: { Location: "/update.%68ta" } })
        : response("WScript.Echo(1)", {
            headers: {
              "Content-Type": "application/octet-stream",
              "Content-Disposition": path === "/get" ? `attachment; filename="invoice.pdf.vbs"` : "inline",
            },
          }),
    { host: SITE, whenDone: afterAll },
  );
  sitePort = site.port;
  service = await startTestService({
    dns: ({ type }) => (type === "A" ? { answers: [{ type, data: SITE }] } : {}),
    file: {
      fetch: { allow_networks: ["127.1.0.0/16"] },
      enrichment: { record_api: { url: `${url}/records` } },
      allowlists: [{ key: "cleared", target: "ip", url: `${url}/cleared`, format: "plain" }],
      engines: {
        builtin: false,
        feeds: ["halves", "honest"].map((key) => ({
          key,
          target: "ip",
          url: `${url}/${key}`,
          format: "plain",
        })),
      },
    },
  });
  account = await service.openAccount();
});
afterAll(() => service.close());

const ask = async (path: string, body: object) => {
  const called = await callPatiently(service, { path, key: account.key, body }, [429, 503]);
  expect(called.status).toBe(200);
  return called;
};

describe("a record service", () => {
  test.each(["45.9.0.1", "45.9.0.2", "45.9.0.3", "45.9.0.7"])(
    "whose answer about %s is none adds no point and clears nothing",
    async (ip) => {
      const called = await ask("/api/check-ip", { ip });
      expect(called.of("data", "vendor_enrichment")).toBeUndefined();
      expect(called.text).not.toContain("signal_vendor_record");
    },
  );

  test.each([
    ["45.9.0.4", false],
    ["45.9.0.5", false],
    ["45.9.0.6", true],
  ])("that has a record of %s lists it: %s", async (ip, listed) => {
    const called = await ask("/api/check-ip", { ip });
    expect(called.of("data", "vendor_enrichment")).toMatchObject({ listed, country_code: null, asn: null });
    expect(called.text.includes("signal_vendor_record")).toBe(listed);
  });
});

test("lists of others that name every address in pieces list and clear none, and say why", async () => {
  const engines = async (ip: string) => (await ask("/api/check-ip", { ip })).of("data", "blacklists");
  await until(async () => JSON.stringify(await engines("45.8.0.1")).includes('"detected":true'));
  expect(await engines("45.8.0.1")).toMatchObject({
    detections: 1,
    engines: { honest: { detected: true } },
    allowlists: {},
    engines_unavailable: [{ key: "halves", status: "error" }],
  });
  const reasons = service.logged().match(/"list":"\w+","reason":"The list names 100 % of all addresses"/g);
  expect(reasons?.map((reason) => reason.split('"')[3]).sort()).toEqual(["cleared", "halves"]);
  expect(await engines("45.8.0.2")).toMatchObject({ detections: 0, allowlists: {}, coverage: 0.5 });
});

describe("a site", () => {
  test.each(["/go", "/get", "/a.%68ta"])("that leads to a script under %s is said to", async (path) => {
    const called = await ask("/api/url-reputation", { url: `http://shop.example.org:${sitePort}${path}` });
    expect(called.of("data", "report", "security_checks", "is_uncommon_clickable_url")).toBe(true);
    expect(called.text).toMatch(/Leads to a program \(\.(hta|vbs)\)/);
  });
});
