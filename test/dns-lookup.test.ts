import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createRunner, expectFailure, expectNarrow } from "./cli-runner.ts";
import {
  encodeReply,
  type TestQuestion,
  type TestRecord,
  type TestReply,
  type TestScript,
} from "./servers/dns-server.ts";
import { onInternet } from "./servers/resolvers.ts";
import { callPatiently, startTestService, type TestAccount, type TestService, until } from "./service.ts";

let service: TestService;
let account: TestAccount;
beforeAll(async () => {
  service = await startTestService({ file: { dns: { timeout_ms: 1000 } } });
});
beforeEach(async () => {
  account = await service.openAccount();
});
afterAll(() => service.close());

const SINGLE = "/api/dns-lookup";
const BULK = "/api/bulk/dns-lookup";
const FREE = "/api/free/dns-lookup";

const SOA: TestRecord = {
  name: "example.com",
  type: "SOA",
  data: { mname: "ns.example", rname: "a.example", serial: 1, refresh: 2, retry: 3, expire: 4, minimum: 5 },
};
const SERVFAIL: TestReply = { rcode: 2 };
const NXDOMAIN: TestReply = { rcode: 3, authorities: [SOA] };
const REFUSED: TestReply = { rcode: 5 };
const a = (...addresses: readonly string[]): TestReply => ({
  answers: addresses.map((data) => ({ type: "A", data })),
});

/** Answers by type, NODATA for the rest. */
const byType =
  (replies: Readonly<Record<string, TestReply | "silence">>): TestScript =>
  ({ type }) =>
    replies[type] ?? { authorities: [SOA] };

const call = (path: string, body: unknown) => callPatiently(service, { path, key: account.key, body });

const answerWith = (script: TestScript) => service.dns.use(onInternet(script));

/** A name that no test has asked for: what failed for one of them is not asked again for 5 seconds. */
let names = 0;
const freshName = () => `n${++names}.com`;

async function lookUp(script: TestScript, recordType?: string, domain = "example.com") {
  answerWith(script);
  const answer = await call(SINGLE, {
    domain,
    ...(recordType === undefined ? {} : { record_type: recordType }),
  });
  expect(answer.status).toBe(200);
  return { answer, data: answer.of("data") as Record<string, unknown> };
}

const charged = async () => 1_500_000 - (await service.balanceOf(account));

describe("POST /api/dns-lookup", () => {
  test("asks ALL when no type is said, each type for itself", async () => {
    const before = service.dns.questions.length;
    const { data } = await lookUp(byType({ A: a("192.0.2.2", "192.0.2.1"), MX: SERVFAIL, AAAA: REFUSED }));
    const asked = service.dns.questions
      .slice(before)
      .filter(({ name }) => name.toLowerCase() === "example.com")
      .map(({ type }) => type);
    expect(asked).not.toContain("ANY");
    expect(asked.toSorted()).toEqual(
      ["A", "AAAA", "CAA", "CNAME", "DNSKEY", "DS", "MX", "NS", "SOA", "TXT", "UNKNOWN_65"].toSorted(),
    );
    expect(data).toEqual({
      domain: "example.com",
      input: "example.com",
      domain_unicode: "example.com",
      registered_domain: "example.com",
      query_name: "example.com",
      records: {
        A: [
          { name: "example.com", type: "A", ttl: 60, value: "192.0.2.1", address: "192.0.2.1" },
          { name: "example.com", type: "A", ttl: 60, value: "192.0.2.2", address: "192.0.2.2" },
        ],
        CNAME: [],
        NS: [],
        TXT: [],
        SOA: [],
        CAA: [],
        DS: [],
        DNSKEY: [],
        HTTPS: [],
      },
      lookups: expect.objectContaining({
        A: {
          outcome: "ok",
          rcode: "NOERROR",
          authenticated_data: false,
          authority: null,
          records_total: 2,
          elapsed_ms: expect.any(Number),
        },
        NS: expect.objectContaining({ outcome: "nodata", authority: "example.com", records_total: 0 }),
        MX: expect.objectContaining({ outcome: "servfail", rcode: "SERVFAIL" }),
      }),
      rcode: "NOERROR",
      exists: true,
      authenticated_data: false,
      cname_chain: [],
      errors: [
        { type: "AAAA", outcome: "refused", message: "The resolver refused the question" },
        { type: "MX", outcome: "servfail", message: expect.any(String) },
      ],
      freshness: { data_age_s: 0, stale: false, cached: false, computed_at: expect.any(String) },
      unknown_fields: ["records.AAAA", "records.MX"],
      elapsed_ms: expect.any(Number),
    });
    expect(await charged()).toBe(1);
  });

  test.each<[string, TestScript, object]>([
    [
      "NXDOMAIN when any type says so",
      byType({ A: NXDOMAIN, MX: {}, TXT: SERVFAIL }),
      { rcode: "NXDOMAIN", exists: false },
    ],
    [
      "NOERROR when any answered",
      byType({ A: SERVFAIL, MX: {}, TXT: REFUSED }),
      { rcode: "NOERROR", exists: true },
    ],
    [
      "the commonest failure when none answered",
      byType({ A: REFUSED, MX: SERVFAIL, TXT: SERVFAIL }),
      { rcode: "SERVFAIL", exists: null },
    ],
    [
      "a failure that was said, among silence",
      byType({ A: "silence", MX: "silence", TXT: REFUSED }),
      { rcode: "REFUSED", exists: null },
    ],
    ["null when all timed out", () => "silence", { rcode: null, exists: null }],
    [
      "NXDOMAIN behind a CNAME, of a name that exists",
      byType({
        A: { rcode: 3, answers: [{ type: "CNAME", data: "gone.example" }] },
      }),
      { rcode: "NXDOMAIN", exists: true, cname_chain: ["gone.example"] },
    ],
  ])("has the rcode %s", async (_, script, expected) => {
    const { data } = await lookUp(script, "A,MX,TXT", freshName());
    expect(data).toMatchObject(expected);
    // A resolver that was silent is asked again within a second.
    await until(async () => (await lookUp(() => a("192.0.2.1"), "A", freshName())).data["exists"] === true);
  });

  test("has authenticated_data only when every answered type has AD", async () => {
    const signed = { ...a("192.0.2.1"), authenticatedData: true };
    const isAuthentic = async (script: TestScript) =>
      (await lookUp(script, "A,MX", freshName())).data["authenticated_data"];
    expect(await isAuthentic(byType({ A: signed, MX: SERVFAIL }))).toBe(true);
    expect(await isAuthentic(byType({ A: signed }))).toBe(false);
    expect(await isAuthentic(() => SERVFAIL)).toBe(false);
  });

  test.each<[string, TestScript]>([
    ["silence", () => "silence"],
    ["refusals", () => REFUSED],
    [
      "packets that are no DNS",
      ({ message }) => ({ raw: Buffer.concat([message.subarray(0, 2), Buffer.alloc(3)]) }),
    ],
  ])("is free of charge when every type met %s", async (_, script) => {
    const { answer, data } = await lookUp(script, "A,MX", freshName());
    expect(data).toMatchObject({ records: {}, freshness: { data_age_s: null } });
    expect(answer.headers["x-credits-charged"]).toBe("0");
    expect(await charged()).toBe(0);
  });

  test.each<[string, string, object]>([
    ["a name with an underscore", "_dmarc.Example.com.", { domain: "_dmarc.example.com" }],
    [
      "a name in Unicode",
      "Bücher.example",
      {
        domain: "xn--bcher-kva.example",
        domain_unicode: "bücher.example",
        query_name: "xn--bcher-kva.example",
      },
    ],
    ["a defanged name", " example[.]com ", { domain: "example.com", input: " example[.]com " }],
    ["a public suffix", "co.uk", { domain: "co.uk", registered_domain: null }],
    ["an IPv4 address", "192.0.2.1", { domain: "192.0.2.1", query_name: "1.2.0.192.in-addr.arpa" }],
    [
      "an IPv6 address",
      "[2001:DB8::1]",
      {
        domain: "2001:db8::1",
        query_name: `1${".0".repeat(23)}.8.b.d.0.1.0.0.2.ip6.arpa`,
        registered_domain: null,
      },
    ],
  ])("takes %s", async (_, domain, expected) => {
    expect((await lookUp(() => ({}), undefined, domain)).data).toMatchObject(expected);
  });

  test("asks PTR of an address, be nothing, ALL or PTR said", async () => {
    for (const type of [undefined, "all", "PTR", "ptr,ALL"]) {
      const { data } = await lookUp(
        byType({ PTR: { answers: [{ type: "PTR", data: "Host.example" }] } }),
        type,
        "8.8.8.8",
      );
      expect(data["records"]).toMatchObject({ PTR: [{ target: "host.example" }] });
    }
  });

  test.each<[string, readonly string[]]>([
    ["mx, A ,txt,A", ["MX", "A", "TXT"]],
    ["SRV,ALL", ["SRV", "A", "AAAA", "CNAME", "MX", "NS", "TXT", "SOA", "CAA", "DS", "DNSKEY", "HTTPS"]],
    ["TLSA,SVCB,NAPTR,PTR", ["TLSA", "SVCB", "NAPTR", "PTR"]],
    [Array.from({ length: 16 }, () => "A").join(","), ["A"]],
  ])("takes the types %j as %j, in this order", async (recordType, types) => {
    const { data } = await lookUp(() => ({}), recordType);
    expect(Object.keys(data["lookups"] as object)).toEqual(types);
  });

  test("answers 16 types in the time of the slowest: all are asked before one is answered", async () => {
    const asked = new Map<string, TestQuestion>();
    const name = freshName();
    const script: TestScript = (question) => {
      if (question.name.toLowerCase() === name) asked.set(question.type, question);
      if (asked.size === 16) {
        for (const one of asked.values()) service.dns.send(encodeReply(one, {}), one.clientPort);
      }
      return "silence";
    };
    const { data } = await lookUp(script, "ALL,SRV,PTR,TLSA,SVCB,NAPTR", name);
    expect(Object.keys(data["records"] as object)).toHaveLength(16);
  });

  test("states the total of records that do not fit, and stays below 256 KiB", async () => {
    const records: TestRecord[] = Array.from({ length: 250 }, (_, i) => ({
      type: "TXT",
      data: Buffer.alloc(230, i),
    }));
    const { answer, data } = await lookUp(
      ({ type }) => ({
        truncated: true,
        answers: type === "TXT" ? records : [{ type: "A", data: "192.0.2.1" }],
      }),
      "A,TXT",
      freshName(),
    );
    expect(answer.text.length).toBeLessThan(256 * 1024);
    const shown = data["records"] as { TXT: unknown[]; A: unknown[] };
    expect(shown.A).toHaveLength(1);
    expect(shown.TXT.length).toBeGreaterThan(10);
    expect(shown.TXT.length).toBeLessThan(250);
    expect(data["lookups"]).toMatchObject({ TXT: { records_total: 250 }, A: { records_total: 1 } });
  });
});

describe("422 of dns-lookup:", () => {
  const typeFault = (input: string, reason: string) => ({
    loc: ["body", "record_type"],
    type: "value_error",
    input,
    ctx: { reason },
    msg: expect.any(String),
  });
  const domainFault = (input: string, reason: string) => ({
    ...typeFault(input, reason),
    loc: ["body", "domain"],
  });
  test.each<[string, object, readonly object[]]>([
    ["an unknown type", { record_type: "AXFR" }, [typeFault("AXFR", "unknown_type")]],
    ["a numbered type", { record_type: "TYPE65534" }, [typeFault("TYPE65534", "unknown_type")]],
    ["a word of JavaScript", { record_type: "constructor" }, [typeFault("constructor", "unknown_type")]],
    ["another letter that is S in upper case", { record_type: "ſRV" }, [typeFault("ſRV", "unknown_type")]],
    ["ANY", { record_type: "A,any" }, [typeFault("A,any", "any_type")]],
    ["nothing", { record_type: "" }, [typeFault("", "empty_type")]],
    ["a comma too much", { record_type: "A," }, [typeFault("A,", "empty_type")]],
    [
      "17 types",
      { record_type: `${"A,".repeat(16)}A` },
      [typeFault(`${"A,".repeat(16)}A`, "too_many_types")],
    ],
    ["a type of an address but PTR", { domain: "8.8.8.8", record_type: "A" }, [typeFault("A", "ptr_only")]],
    [
      "a type beside ALL of an address",
      { domain: "::1", record_type: "ALL,MX" },
      [typeFault("ALL,MX", "ptr_only")],
    ],
    [
      "both members",
      { domain: "a..b", record_type: "X" },
      [domainFault("a..b", "empty_label"), typeFault("X", "unknown_type")],
    ],
    ["an address in octal", { domain: "0177.0.0.1" }, [domainFault("0177.0.0.1", "invalid_ip")]],
    ["a URL", { domain: "https://example.com/" }, [domainFault("https://example.com/", "url")]],
    ["one label", { domain: "localhost" }, [domainFault("localhost", "single_label")]],
    [
      "null as the type",
      { record_type: null },
      [{ loc: ["body", "record_type"], type: "string_type", input: null, msg: expect.any(String) }],
    ],
  ])("%s", async (_, members, detail) => {
    const body = { domain: "example.com", ...members };
    for (const path of [SINGLE, FREE]) {
      const answer = await service.call({ path, key: account.key, body, from: nextClient() });
      expect(answer.status).toBe(422);
      expect(answer.of("detail")).toEqual(detail);
    }
    expect(await charged()).toBe(0);
  });

  test("no name and an unknown type, both", async () => {
    const body = { record_type: "X" };
    const answer = await call(SINGLE, body);
    expect(answer.of("detail")).toEqual([
      { loc: ["body", "domain"], type: "missing", input: body, msg: expect.any(String) },
      typeFault("X", "unknown_type"),
    ]);
  });

  test("an unknown type is one 422 for a batch, beside the faults of its list", async () => {
    const answer = await call(BULK, { domains: [], record_type: "ANY" });
    expect(answer.of("detail")).toEqual([
      expect.objectContaining({ loc: ["body", "domains"], type: "too_short" }),
      typeFault("ANY", "any_type"),
    ]);
  });
});

/** A free tool's caller who has not called before. */
let clients = 0;
const nextClient = () => `127.7.${++clients >> 8}.${clients & 255}`;

describe("POST /api/bulk/dns-lookup", () => {
  test("answers every item, equal ones by one lookup, and charges each", async () => {
    answerWith(({ name, type }) => {
      if (name.toLowerCase() === "dead.example") return "silence";
      return type === "A" ? a("192.0.2.1") : SERVFAIL;
    });
    const before = service.dns.questions.length;
    const domains = ["Example.com", "example.com.", "a..b", "8.8.8.8", "dead.example"];
    const answer = await call(BULK, { domains, record_type: "A" });
    expect(answer.of("data")).toMatchObject({
      product: "dns-lookup",
      total_items: 5,
      successful: 2,
      credits_charged: 5,
    });
    expect(answer.of("data", "results")).toMatchObject([
      { input: "Example.com", status: "success", result: { domain: "example.com", input: "Example.com" } },
      { input: "example.com.", status: "success", result: { domain: "example.com", input: "example.com." } },
      { input: "a..b", error: expect.stringMatching(/^invalid_input: /) },
      { input: "8.8.8.8", error: "invalid_input: Of an IP address only PTR can be asked" },
      { input: "dead.example", error: "timeout: no record type was answered in time" },
    ]);
    const asked = service.dns.questions.slice(before).map(({ name }) => name.toLowerCase());
    expect(asked.filter((name) => name === "example.com")).toHaveLength(1);
    expect(await charged()).toBe(5);
  });

  test("asks PTR of addresses and ALL of names when no type is said", async () => {
    answerWith(() => REFUSED);
    const answer = await call(BULK, { domains: ["8.8.8.8", "example.com"] });
    expect(answer.of("data", "results")).toMatchObject([
      { error: "upstream_error: no record type was answered: The resolver refused the question" },
      { error: "upstream_error: no record type was answered: The resolver refused the question" },
    ]);
  });
});

describe("POST /api/free/dns-lookup", () => {
  const mx = (count: number): TestReply => ({
    answers: Array.from({ length: count }, (_, i) => ({
      type: "MX",
      data: { preference: i, exchange: `m${i}.example` },
    })),
  });
  test.each<[string, object, TestScript, string, object]>([
    [
      "records",
      {},
      byType({ A: a("192.0.2.1", "192.0.2.2", "192.0.2.3") }),
      "3 A records.",
      { record_type: "A", records_total: 3 },
    ],
    ["one record", {}, byType({ A: a("192.0.2.1") }), "1 A record.", {}],
    ["no record", {}, byType({}), "No A records.", { records: [], records_total: 0 }],
    ["no name", {}, () => NXDOMAIN, "The name does not exist.", {}],
    ["silence", {}, () => "silence", "The lookup failed: timeout.", { unknown_fields: ["records"] }],
    ["a refusal", {}, () => REFUSED, "The lookup failed: refused.", {}],
    [
      "several types",
      { record_type: "A,MX" },
      byType({ A: a("192.0.2.1"), MX: mx(2) }),
      "3 records.",
      { record_type: "A,MX" },
    ],
    ["no record of several types", { record_type: "A,MX" }, byType({}), "No records.", {}],
    [
      "a type that failed among several",
      { record_type: "A,MX" },
      byType({ A: a("192.0.2.1"), MX: SERVFAIL }),
      "1 record. No answer about MX.",
      { unknown_fields: ["records"] },
    ],
    [
      "an address",
      { domain: "8.8.8.8" },
      byType({ PTR: { answers: [{ type: "PTR", data: "dns.example" }] } }),
      "1 PTR record.",
      { domain: "8.8.8.8", record_type: "PTR" },
    ],
  ])("says %s in a sentence", async (_, members, script, message, expected) => {
    answerWith(script);
    const body = { domain: freshName(), ...members };
    const answer = await service.call({ path: FREE, body, from: nextClient() });
    expect(answer.of("data")).toMatchObject({ message, ...expected });
  });

  test("shows the first five records and tells how many there are", async () => {
    answerWith(byType({ MX: mx(7) }));
    const answer = await service.call({
      path: FREE,
      body: { domain: "example.com", record_type: "mx" },
      from: nextClient(),
    });
    expect(answer.of("data", "records_total")).toBe(7);
    expect((answer.of("data", "records") as { value: string }[]).map(({ value }) => value)).toEqual(
      [0, 1, 2, 3, 4].map((i) => `${i} m${i}.example`),
    );
  });
});

describe("repute check dns", () => {
  const runner = () =>
    createRunner(service.dataDir, {
      REPUTE_DATA_DIR: service.dataDir,
      REPUTE_CONFIG: join(service.dataDir, "repute-test.yaml"),
    });

  test("prints the endpoint's data with --json, of the types named by --type", async () => {
    answerWith(byType({ MX: { answers: [{ type: "MX", data: { preference: 1, exchange: "m.example" } }] } }));
    const data = await runner().json(["check", "dns", "example.com", "--type", "mx,a"]);
    expect(data).toMatchObject({ records: { MX: [{ value: "1 m.example" }], A: [] }, rcode: "NOERROR" });
    expect(Object.keys(data.lookups)).toEqual(["MX", "A"]);
  });

  test("asks ALL when no type is named, and fits 80 columns", async () => {
    const key = `v=DKIM1; p=${"A1b2".repeat(100)}`;
    answerWith(
      byType({
        A: a("192.0.2.1"),
        TXT: { answers: [{ type: "TXT", data: [key.slice(0, 200), key.slice(200)] }] },
        CAA: SERVFAIL,
      }),
    );
    const { status, out } = await runner().repute(["check", "dns", "example.com"]);
    expect(status).toBe(0);
    expectNarrow(out);
    expect(out.split("\n").slice(0, 4)).toEqual([
      "example.com",
      "  2 records",
      "",
      "  A             60  192.0.2.1",
    ]);
    expect(out).toContain("None of AAAA, CNAME, MX, NS, SOA, DS, DNSKEY, HTTPS");
    expect(out).toMatch(/^No answer\n {2}CAA {5}servfail: /m);
  });

  test("fails with status 1 when nothing was answered, and 2 for wrong usage", async () => {
    answerWith(() => REFUSED);
    const { status, error } = await runner().repute(["check", "dns", "example.com", "--type", "A"]);
    expect({ status, error }).toEqual({
      status: 1,
      error: "error: upstream_error: no record type was answered: The resolver refused the question\n",
    });
    expectFailure(await runner().repute(["check", "dns", "example.com", "--type", "ANY"]), 2, "ANY");
    expectFailure(await runner().repute(["check", "ip", "8.8.8.8", "--type", "A"]), 2, "takes no --type");
  });
});
