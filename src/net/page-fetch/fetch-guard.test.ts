import { describe, expect, test } from "vitest";
import { CANARY_HOST, startCanary } from "../../../test/servers/dialing.ts";
import { createBrowser } from "../../../test/servers/page-fetch.ts";
import { redirect, startWebServer } from "../../../test/servers/web-server.ts";

/** Hosts of a canary, as a redirect or a caller may write them. */
const INSIDE = [
  ...[
    "127.200.0.1",
    "2143813633",
    "0x7fc80001",
    "0177.0310.0.1",
    "127.200.1",
    "①②⑦.②⓪⓪.⓪.①",
    "127。200。0。1",
  ],
  ...["[::ffff:127.200.0.1]", "[::ffff:7fc8:1]", "[::127.200.0.1]", "[64:ff9b::7fc8:1]", "[2002:7fc8:1::1]"],
  ...["[::1]", "localhost", "x.localhost", "0", "169.254.169.254", "inside.example", "mixed.example"],
  ...[
    "mixed6.example",
    "alias.example",
    "INSIDE.example.",
    "127.200.0.1.",
    "%31%32%37.200.0.1",
    "0x7f.0xc8.0.1",
  ],
];

/** A header holds octets: UTF-8 as a server would send it. */
const encodeHost = (host: string): string => Buffer.from(host).toString("latin1");

describe("PageFetch and forbidden addresses", () => {
  test.each(INSIDE)("is blocked at http://%s/", async (host) => {
    const canary = await startCanary();
    const page = await (await createBrowser()).fetchPage(`http://${host}:${canary.port}/`);
    expect(page).toMatchObject({
      status: "blocked",
      blockedReason: "private_address",
      firstHost: { resolution: "blocked", ip: null },
      response: null,
      tls: null,
      error: null,
      requestsCount: 0,
    });
    expect(canary.connections).toEqual([]);
  });

  test.each(INSIDE)("is blocked at a redirect to http://%s/", async (host) => {
    const canary = await startCanary();
    const server = await startWebServer(() =>
      redirect(`${host.includes("[") ? "https" : "http"}://${encodeHost(host)}:${canary.port}/x`),
    );
    const page = await (await createBrowser()).fetchPage(server.url);
    expect(page).toMatchObject({
      status: "blocked",
      blockedReason: "private_address",
      firstHost: { resolution: "ok", ip: { text: "127.0.0.1" } },
      hops: [{ url: `${server.url}/`, status: 302 }],
      response: null,
    });
    expect(page.finalUrl).toMatch(/\/x$/);
    expect(canary.connections).toEqual([]);
  });

  test("is blocked at forbidden ports", async () => {
    const { fetchPage } = await createBrowser();
    for (const port of [22, 25, 6379, 3306]) {
      const page = await fetchPage(`http://8.8.8.8:${port}/`);
      expect(page).toMatchObject({ status: "blocked", blockedReason: "forbidden_port" });
    }
  });

  test("is blocked when a name changes its mind", async () => {
    const canary = await startCanary();
    let asked = 0;
    const browser = await createBrowser({
      script: ({ type }) => {
        const data = asked++ < 2 ? "127.0.0.1" : CANARY_HOST;
        return { answers: type === "A" ? [{ type: "A", data, ttl: 0 }] : [] };
      },
    });
    const server = await startWebServer(() => redirect("/again"));
    const page = await browser.fetchPage(`http://rebinding.example:${server.port}/`);
    expect(page).toMatchObject({ status: "blocked", requestsCount: 1 });
    expect(canary.connections).toEqual([]);
  });
});
