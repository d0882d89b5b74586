import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TestRecord, TestScript } from "./servers/dns-server.ts";
import { startTestService, type TestAccount, type TestService } from "./service.ts";

const ZONE: Readonly<Record<string, readonly TestRecord["data"][]>> = {
  "MX firm-mail.com": [
    { preference: 20, exchange: "b.firm-mail.com" },
    { preference: 10, exchange: "aspmx.l.google.com" },
  ],
  "A b.firm-mail.com": ["127.1.0.8"],
  "TXT firm-mail.com": [["v=spf1 -all"]],
  "MX no-mail.com": [{ preference: 0, exchange: "." }],
  "A only-address.com": ["127.1.0.9"],
  "TXT no-hosts.com": [["hello"]],
  "MX throwaway-mx.com": [{ preference: 10, exchange: "mx.mailinator.com" }],
  "MX duck.com": [{ preference: 10, exchange: "mx.duck.com" }],
  "A silent-mail.com": [],
};

const script: TestScript = ({ name, type }) => {
  const asked = name.toLowerCase();
  if (asked.endsWith("silent-mail.com")) return "silence";
  const data = ZONE[`${type} ${asked}`];
  const isThere = Object.keys(ZONE).some((key) => key.endsWith(` ${asked}`));
  if (data === undefined) return isThere ? {} : { rcode: 3 };
  return { answers: data.map((one): TestRecord => ({ type, data: one })) };
};

let service: TestService;
let account: TestAccount;
beforeAll(async () => {
  service = await startTestService({
    dns: script,
    file: { dns: { timeout_ms: 300 }, whois: { servers: { lab: "127.0.0.1:1" } } },
  });
  account = await service.openAccount({ credits: 1000 });
});
afterAll(() => service.close());

const ask = async (email: string) => {
  const answer = await service.call({ path: "/api/email-reputation", key: account.key, body: { email } });
  return { answer, data: answer.of("data") };
};

describe("POST /api/email-reputation", () => {
  test("tells how a domain takes mail, by priority, and charges one credit", async () => {
    const before = await service.balanceOf(account);
    const { data } = await ask("Jane.Doe@FIRM-mail.com");
    expect(data).toMatchObject({
      email: "Jane.Doe@firm-mail.com",
      input: "Jane.Doe@FIRM-mail.com",
      is_valid_format: true,
      has_mx_records: true,
      mx_records: ["aspmx.l.google.com", "b.firm-mail.com"],
      mx_status: "ok",
      mx_provider: "Google",
      domain: "firm-mail.com",
      domain_category: "corporate",
      is_spoofable: true,
      should_block: false,
      smtp: { checked: false },
    });
    expect(await service.balanceOf(account)).toBe(before - 1);
  });

  test.each([
    ["a@no-mail.com", "null_mx", true],
    ["a@only-address.com", "implicit_a", false],
    ["a@no-hosts.com", "none", true],
    ["a@nobody-has-this-name.com", "nxdomain", true],
    ["a@silent-mail.com", "timeout", false],
  ])("%s: mail %s, block %s", async (email, status, block) => {
    const { answer, data } = await ask(email);
    expect(data).toMatchObject({
      mx_status: status,
      has_mx_records: false,
      mx_records: [],
      should_block: block,
    });
    const score = answer.of("data", "score");
    if (block) expect(score).toBeLessThanOrEqual(20);
    if (status === "timeout") {
      expect(answer.of("data", "unknown_fields")).toEqual(
        expect.arrayContaining(["has_mx_records", "mx_records", "spf", "dmarc"]),
      );
    }
  });

  test.each([
    ["a@throwaway-mx.com", { is_disposable: true, domain_category: "disposable", should_block: true }],
    ["a@mailinator.com", { is_disposable: true, is_privacy_relay: false }],
    ["jane@duck.com", { is_privacy_relay: true, is_disposable: false, is_free_provider: false }],
    ["jane@gmail.com", { is_free_provider: true, domain_category: "free" }],
    ["abuse@firm-mail.com", { is_role_address: true, role: "abuse" }],
    ["no-reply@firm-mail.com", { is_noreply: true }],
    ["qwxzrtplk@firm-mail.com", { is_suspicious_username: true, username_reasons: ["no_vowels"] }],
    ["j.d+x@gmail.com", { normalized_email: "jd@gmail.com", is_tagged: true, username: "j.d" }],
    ["a@gmial.com", { did_you_mean: "a@gmail.com" }],
    ["a@gmail.con", { did_you_mean: "a@gmail.com", is_valid_format: false, format_error: "tld" }],
    ["a@host.lab", { is_valid_format: true }],
  ])("%s: %o", async (email, expected) => {
    expect((await ask(email)).data).toMatchObject(expected);
  });

  test.each([
    ["no at sign", "no_at"],
    ["a..b@example.com", "local_part"],
    ["a@[192.0.2.1]", "domain"],
    [`${"a".repeat(250)}@example.com`, "too_long"],
  ])("%s is answered as %s, charged, and nothing is looked up", async (email, error) => {
    const asked = service.dns.questions.length;
    const { answer, data } = await ask(email);
    expect(answer.status).toBe(200);
    expect(data).toMatchObject({
      is_valid_format: false,
      format_error: error,
      mx_records: [],
      mx_status: null,
      score: 0,
      should_block: true,
      risk_score: { result: 99, factors: [{ key: "signal_invalid_format", points: 99 }] },
    });
    expect(service.dns.questions.slice(asked).filter(({ type }) => type === "MX")).toEqual([]);
  });

  test.each([
    [{ email: " " }, "value_error"],
    [{ email: "a".repeat(321) }, "value_error"],
    [{ email: null }, "string_type"],
    [{}, "missing"],
  ])("%o is refused: %s", async (body, type) => {
    const answer = await service.call({ path: "/api/email-reputation", key: account.key, body });
    expect(answer.status).toBe(422);
    expect(answer.of("detail", "0")).toMatchObject({ type });
  });
});

describe("POST /api/free/email-check", () => {
  test.each([
    ["jane@gmail.com", "Valid address."],
    ["a@mailinator.com", "Disposable address."],
    ["nobody", "Not a valid address: there is no @ in it."],
  ])("%s: %s", async (email, message) => {
    const asked = service.dns.questions.length;
    const answer = await service.call({ path: "/api/free/email-check", from: "127.0.0.32", body: { email } });
    expect(answer.of("data", "message")).toBe(message);
    expect(service.dns.questions.slice(asked).filter(({ type }) => type === "MX")).toEqual([]);
  });
});
