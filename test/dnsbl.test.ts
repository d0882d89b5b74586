import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TestReply, TestScript } from "./servers/dns-server.ts";
import { startTestService, type TestAccount, type TestService, until } from "./service.ts";
import { listedAs, NOT_LISTED, wellKept } from "./zones.ts";

/** Whole service, its built-in zones and six of the operator's, of which half lie, refuse or hang. */
const laboratory: TestScript = (question) => {
  const name = question.name.toLowerCase();
  if (name.endsWith("trap-mail.com")) return trapMail(question.type);
  if (name.endsWith(".lists.example")) {
    return wellKept(({ type }) =>
      type === "A"
        ? listedAs("127.0.0.4", "127.0.0.2")
        : { answers: [{ type: "TXT", data: "Seen in a trap" }] },
    )(question);
  }
  if (name.endsWith(".world.example")) return listedAs("127.0.0.2");
  if (name.endsWith(".refuses.example")) return { rcode: 5 };
  if (name.endsWith(".rewritten.example")) return listedAs("198.51.100.9");
  if (name.endsWith(".hangs.example")) return "silence";
  return wellKept(() => NOT_LISTED)(question);
};

/** A domain, and its only mail host. */
function trapMail(type: string): TestReply {
  if (type === "MX") return { answers: [{ type, data: { preference: 10, exchange: "mx.trap-mail.com" } }] };
  return type === "A" ? { answers: [{ type, data: "20.0.0.7" }] } : {};
}

const zones = ["lists", "clean", "world", "refuses", "rewritten", "hangs"];
const dnsbl = zones.map((word) => ({ key: word, name: word, target: "ip", zone: `${word}.example` }));

let service: TestService;
let account: TestAccount;
beforeAll(async () => {
  service = await startTestService({
    dns: laboratory,
    file: { dns: { timeout_ms: 3000 }, engines: { dnsbl } },
  });
  account = await service.openAccount();
});
afterAll(() => service.close());

const check = (ip: string) => service.call({ path: "/api/check-ip", key: account.key, body: { ip } });

describe("check-ip with DNS blacklists", () => {
  test("reports what each zone said, and names those that said nothing", async () => {
    const answer = await check("20.0.0.7");
    const of = (...path: string[]) => answer.of("data", "blacklists", ...path);
    expect(of("engines", "lists")).toMatchObject({
      detected: true,
      kind: "dnsbl",
      category: "abuse",
      family: "lists",
      matched: { value: "20.0.0.7", level: "ip" },
      codes: ["127.0.0.2", "127.0.0.4"],
      reason: "Seen in a trap",
      data_age_s: 0,
      stale: false,
    });
    expect(of("engines", "clean")).toMatchObject({ detected: false, data_age_s: 0, stale: false });
    expect(of("engines", "spamcop")).toMatchObject({ detected: false, name: expect.any(String) });
    const silent = of("engines_unavailable");
    for (const [key, status] of [
      ["world", "self_test_failed"],
      ["refuses", "refused"],
      ["rewritten", "error"],
      ["hangs", "timeout"],
    ]) {
      expect(silent).toContainEqual(expect.objectContaining({ key, status }));
      expect(of("engines", key ?? "")).toBeUndefined();
    }
    expect(of("engines_disabled")).toMatchObject({ count: expect.any(Number), see: "/api/engines" });
    expect(answer.of("data", "freshness", "cached")).toBe(false);
  });

  test("answers again from the cache, and says so", async () => {
    const answer = await check("20.0.0.7");
    expect(answer.of("data", "freshness", "cached")).toBe(true);
    expect(answer.of("data", "blacklists", "engines", "lists", "detected")).toBe(true);
  });

  test("answers of an address count in those of the mail hosts that have it", async () => {
    const body = { email: "jane@trap-mail.com" };
    const answer = await service.call({ path: "/api/email-reputation", key: account.key, body });
    expect(answer.of("data", "mx_hosts")).toMatchObject([{ ips: ["20.0.0.7"], detections: 1 }]);
    expect(answer.of("data", "freshness", "cached")).toBe(true);
  });

  test("asks no built-in zone about an address without a holder", async () => {
    const before = service.dns.questions.length;
    const answer = await check("10.1.2.3");
    expect(Object.keys(Object(answer.of("data", "blacklists", "engines")))).toEqual(["clean", "lists"]);
    const asked = service.dns.questions.slice(before).map(({ name }) => name.toLowerCase());
    const strangers = asked.filter((name) => name.startsWith("3.2.1.10.") && !name.endsWith(".example"));
    expect(strangers.filter((name) => !name.endsWith(".in-addr.arpa"))).toEqual([]);
  });

  test("a bulk call asks about each address once", async () => {
    const ips = ["20.0.1.1", "20.0.1.2", "20.0.1.1"];
    const answer = await service.call({ path: "/api/bulk/check-ip", key: account.key, body: { ips } });
    expect(answer.status).toBe(200);
    const asked = service.dns.questions.filter(
      ({ name, type }) => type === "A" && name.toLowerCase() === "1.1.0.20.clean.example",
    );
    expect(asked).toHaveLength(1);
  });

  test("a zone that recovers answers again", async () => {
    service.dns.use((question) =>
      question.name.toLowerCase().endsWith(".refuses.example")
        ? wellKept(() => NOT_LISTED)(question)
        : laboratory(question),
    );
    await until(
      async () =>
        (await check("20.0.2.1")).of("data", "blacklists", "engines", "refuses", "detected") === false,
    );
  });
});
