import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "../base/clock.ts";
import { answered } from "../base/failure.ts";
import type { Http } from "../net/http/http-types.ts";
import { createRecordApi } from "./record-api.ts";
import { NOT_LISTED } from "./vendor.ts";

let server: Server;
let reply: { status: number; body: string } = { status: 200, body: "" };
let seen: { url: string; authorization: string | undefined }[] = [];

beforeEach(async () => {
  seen = [];
  server = createServer((request, response) => {
    seen.push({ url: request.url ?? "", authorization: request.headers.authorization });
    response.writeHead(reply.status).end(reply.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterEach(() => server.close());

/** A plain client: the guard and the bounds of the real one are tested with it. */
const http: Pick<Http, "get"> = {
  get: async ({ url, headers }) => {
    const response = await globalThis.fetch(url, headers ? { headers: { ...headers } } : {});
    const body = Buffer.from(await response.arrayBuffer());
    return answered({ status: response.status, headers: new Map(), body, url });
  },
};

const NOW = new Date("2026-11-21T12:00:00Z");
const api = () => {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === "string") throw new Error("not listening");
  const made = createRecordApi(
    { url: `http://127.0.0.1:${address.port}/v1/`, username: "me", password: "p:w", timeout_ms: 1000 },
    { http, clock: { ...systemClock, now: () => NOW } },
  );
  if (made === null) throw new Error("no api");
  return made;
};
const results = (...records: unknown[]) => ({ status: 200, body: JSON.stringify({ results: records }) });

describe("createRecordApi()", () => {
  test("is null without a url", () => {
    const options = { url: null, username: null, password: null, timeout_ms: 1000 };
    expect(createRecordApi(options, { http, clock: systemClock })).toBeNull();
  });

  test("asks for the target with Basic authentication, and once while the answer is kept", async () => {
    reply = results();
    const records = api();
    expect(await records.find("2001:db8::1")).toEqual({ said: NOT_LISTED, asOf: NOW, cached: false });
    expect(await records.find("2001:db8::1")).toEqual({ said: NOT_LISTED, asOf: NOW, cached: true });
    expect(seen).toEqual([
      { url: "/v1/2001%3Adb8%3A%3A1", authorization: `Basic ${Buffer.from("me:p:w").toString("base64")}` },
    ]);
  });

  test("takes the newest record that is still valid", async () => {
    reply = results(
      { dataset: "CSS", listed: 1_795_000_000, valid_until: 1_795_100_000 },
      {
        dataset: "XBL",
        botname: "mirai",
        listed: 1_795_200_000,
        valid_until: 1_999_999_999,
        seen: 1_795_200_000,
        seen_count: 3,
        cc: "nl",
        asn: "AS64500",
      },
      { dataset: "BCL", listed: "2026-01-01T00:00:00Z", valid_until: 1_999_999_999 },
    );
    expect((await api().find("192.0.2.7"))?.said).toEqual({
      ...NOT_LISTED,
      listed: true,
      dataset: "XBL",
      botname: "mirai",
      listed_at: "2026-11-20T18:40:00Z",
      valid_until: "2033-05-18T03:33:19Z",
      seen_count: 3,
      country_code: "NL",
      asn: 64500,
    });
  });

  test.each([
    ["2026-02-31T00:00:00Z", null],
    ["2025-02-29", null],
    ["12026-01-01", null],
    [1e12, null],
    [-5, null],
    ["2026-02-28 10:00:00", "2026-02-28T10:00:00Z"],
  ])("shows a time of %j as %j", async (listed, shown) => {
    reply = results({ dataset: "XBL", listed, valid_until: 1_999_999_999 });
    expect((await api().find("192.0.2.7"))?.said).toMatchObject({ listed: true, listed_at: shown });
  });

  test.each([[["x"]], [[null]], [[7, { dataset: "CSS", valid_until: 1_000_000_000 }]]])(
    "takes %j, where a record cannot be read and none is valid, for no answer",
    async (records) => {
      reply = results(...records);
      expect(await api().find("192.0.2.7")).toBeNull();
    },
  );

  test.each([
    ["soon"],
    ["2026-02-31T00:00:00Z"],
    ["-5"],
    [true],
    [[1_999_999_999]],
    [{ seconds: 1_999_999_999 }],
  ])("takes a record that holds until %j for neither a listing nor none", async (until) => {
    const unreadable = { dataset: "XBL", valid_until: until };
    reply = results(unreadable, { dataset: "CSS", valid_until: 1_000_000_000 });
    expect(await api().find("192.0.2.7")).toBeNull();
    reply = results(unreadable, { dataset: "CSS", valid_until: 1_999_999_999 });
    expect((await api().find("192.0.2.7"))?.said).toMatchObject({ listed: true, dataset: "CSS" });
  });

  test.each([
    [undefined, true, null],
    [null, true, null],
    ["", true, null],
    [1e12, true, null],
    ["2033-05-18T03:33:19Z", true, "2033-05-18T03:33:19Z"],
    [-5, false, null],
    [0, false, null],
    ["2026-11-21T11:59:59Z", false, null],
  ])("a record until %j is a listing: %j", async (until, listed, shown) => {
    reply = results({ dataset: "XBL", valid_until: until });
    expect((await api().find("192.0.2.7"))?.said).toMatchObject({ listed, valid_until: shown });
  });

  test.each(["false", "FALSE", "no", 0, "0"])("a record listed since %j is no listing", async (listed) => {
    reply = results({ dataset: "XBL", listed });
    expect((await api().find("192.0.2.7"))?.said).toEqual(NOT_LISTED);
  });

  test.each(["code", "status", "status_code", "statusCode"])(
    "%s that is no word says nothing",
    async (name) => {
      for (const value of [{ toString: 1 }, { valueOf: null, toString: null }, [404], [[]]]) {
        reply = { ...results(), body: JSON.stringify({ [name]: value, results: [] }) };
        expect((await api().find("192.0.2.7"))?.said).toEqual(NOT_LISTED);
      }
    },
  );

  test("a record that says itself that nothing is listed is no listing", async () => {
    reply = results({ dataset: "XBL", listed: false });
    expect((await api().find("192.0.2.7"))?.said).toEqual(NOT_LISTED);
    reply = results({ dataset: "XBL", listed: true });
    expect((await api().find("192.0.2.7"))?.said).toMatchObject({ listed: true, listed_at: null });
  });

  test.each([
    [{ cc: "NLD", asn: 4_294_967_296, seen_count: -1 }],
    [{ cc: "=1", asn: "9999999999", seen_count: 1.5 }],
    [{ cc: "", asn: -1, seen_count: "many" }],
    [{ cc: ["NL"], asn: "AS-1", seen_count: 1e300 }],
  ])("shows no value that there cannot be: %j", async (record) => {
    reply = results(record);
    const { said } = (await api().find("192.0.2.7")) ?? {};
    expect(said).toEqual({ ...NOT_LISTED, listed: true });
  });

  test.each([
    { error: "quota exceeded" },
    { errors: ["bad key"] },
    { error: true },
    { success: false },
    { status: "failed" },
    { code: 401, message: "bad key" },
    { code: "429" },
    { status: 503 },
  ])("takes %j beside no record for no answer, and beside one for a part of it", async (failure) => {
    reply = { status: 200, body: JSON.stringify({ ...failure, results: [] }) };
    expect(await api().find("192.0.2.7")).toBeNull();
    reply = { status: 200, body: JSON.stringify({ ...failure, results: [{ dataset: "XBL" }] }) };
    expect((await api().find("192.0.2.7"))?.said).toMatchObject({ listed: true, dataset: "XBL" });
  });

  test.each([
    {},
    { error: null },
    { errors: [] },
    { error: "" },
    { success: true },
    { code: 200 },
    { status: "ok" },
    { code: 4040, message: "none" },
  ])("takes %j beside no record for not listed", async (more) => {
    reply = { status: 200, body: JSON.stringify({ ...more, results: [] }) };
    expect((await api().find("192.0.2.7"))?.said).toEqual(NOT_LISTED);
  });

  test.each([
    [{ status: 404, body: "" }, NOT_LISTED],
    [{ status: 500, body: "" }, null],
    [{ status: 200, body: "<html>" }, null],
    [{ status: 200, body: "[]" }, null],
    [results(7, null, { dataset: { a: 1 } }), { ...NOT_LISTED, listed: true }],
  ])("%o is %o", async (given, expected) => {
    reply = given;
    expect((await api().find("192.0.2.7"))?.said ?? null).toEqual(expected);
  });
});
