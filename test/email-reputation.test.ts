import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TestRecord, TestScript } from "./servers/dns-server.ts";
import { BUILTIN_ZONES, startTestService, type TestAccount, type TestService, until } from "./service.ts";

const hostsOf = (domain: string, count: number) =>
  Array.from({ length: count }, (_, i) => ({ preference: i + 10, exchange: `mx${i + 10}.${domain}` }));

const addressesOf = (domain: string, count: number) =>
  Object.fromEntries(hostsOf(domain, count).map(({ exchange }, i) => [`A ${exchange}`, [`127.1.1.${i}`]]));

const ZONE: Readonly<Record<string, readonly TestRecord["data"][]>> = {
  "MX firm-mail.com": [
    { preference: 20, exchange: "b.firm-mail.com" },
    { preference: 10, exchange: "aspmx.l.google.com" },
    { preference: 30, exchange: "aspmx.l.google.com" },
  ],
  "A b.firm-mail.com": ["127.1.0.8"],
  "TXT firm-mail.com": [["v=spf1 -all"]],
  "MX no-mail.com": [{ preference: 0, exchange: "." }],
  "A only-address.com": ["127.1.0.9"],
  "TXT no-hosts.com": [["hello"]],
  "MX dead-hosts.com": [
    { preference: 10, exchange: "gone.dead-hosts.com" },
    { preference: 20, exchange: "empty.dead-hosts.com" },
  ],
  "TXT empty.dead-hosts.com": [["no address"]],
  "MX half-dead.com": [
    { preference: 10, exchange: "gone.half-dead.com" },
    { preference: 20, exchange: "mx.silent-mail.com" },
  ],
  "MX throwaway-mx.com": [{ preference: 10, exchange: "mx.mailinator.com" }],
  "MX eight-hosts.com": hostsOf("eight-hosts.com", 8),
  ...addressesOf("eight-hosts.com", 8),
  "MX late-throwaway.com": [
    ...hostsOf("late-throwaway.com", 55),
    { preference: 90, exchange: "mx.mailinator.com" },
  ],
  ...addressesOf("late-throwaway.com", 55),
  "MX many-addresses.com": [{ preference: 10, exchange: "mx.many-addresses.com" }],
  "A mx.many-addresses.com": Array.from({ length: 101 }, (_, i) => `127.1.2.${i}`),
  "A host.parent-policy.com": ["127.1.0.9"],
  "TXT _dmarc.parent-policy.com": [["v=DMARC1; p=reject; sp=none"]],
  "TXT _dmarc.strict-parent.com": [["v=DMARC1; p=none; sp=reject"]],
  "MX duck.com": [{ preference: 10, exchange: "mx.duck.com" }],
  "A silent-mail.com": [],
  "A mail.com": ["127.1.0.9"],
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
const dir = mkdtempSync(join(tmpdir(), "mailboxes-"));
beforeAll(async () => {
  const list = join(dir, "mailboxes.txt");
  writeFileSync(list, "badmailbox@gmail.com\n");
  const mailboxes = { key: "mailboxes", target: "email", format: "plain", url: pathToFileURL(list).href };
  service = await startTestService({
    dns: script,
    file: {
      dns: { timeout_ms: 1000 },
      whois: { servers: { lab: "127.0.0.1:1" } },
      engines: { disable: BUILTIN_ZONES, feeds: [mailboxes] },
    },
  });
  await until(async () => (await service.call({ method: "GET", path: "/readyz" })).status === 200);
  account = await service.openAccount({ credits: 1000 });
});
afterAll(async () => {
  await service.close();
  rmSync(dir, { recursive: true });
});

const ask = async (email: string) => {
  const answer = await service.call({ path: "/api/email-reputation", key: account.key, body: { email } });
  return { answer, data: answer.of("data") };
};

describe("POST /api/email-reputation", () => {
  test("finds a listed mailbox by every spelling that its provider delivers to it", async () => {
    const matchedBy = async (email: string) =>
      (await ask(email)).answer.of("data", "blacklists", "engines", "mailboxes", "matched");
    const listed = { value: "badmailbox@gmail.com", level: "email" };
    expect(await matchedBy("Bad.Mailbox+x@GMAIL.com")).toEqual(listed);
    expect(await matchedBy("badmailbox@gmail.com")).toEqual(listed);
    expect(await matchedBy("bad.mailbox@example.com")).toBeUndefined();
    expect(await matchedBy('"badmailbox"@gmail.com')).toEqual(listed);
    expect(await matchedBy('"Bad.Mail\\box+x"@gmail.com')).toEqual(listed);
  });

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

  test("none of whose mail hosts has an address takes no mail; one that did not answer may have one", async () => {
    const dead = await ask("a@dead-hosts.com");
    expect(dead.data).toMatchObject({
      mx_status: "none",
      has_mx_records: false,
      mx_records: ["gone.dead-hosts.com", "empty.dead-hosts.com"],
      should_block: true,
    });
    expect(dead.answer.of("data", "score")).toBeLessThanOrEqual(20);
    const half = await ask("a@half-dead.com");
    expect(half.data).toMatchObject({ mx_status: "ok", has_mx_records: true, should_block: false });
    expect(half.answer.of("data", "unknown_fields")).toContain("mx_hosts");
  });

  test.each([
    ["a@no-mail.com", "null_mx", true],
    ["a@only-address.com", "implicit_a", false],
    ["a@no-hosts.com", "none", true],
    ["a@no-such-name-here.com", "nxdomain", true],
    ["a@silent-mail.com", "timeout", false],
  ])("%s: mail %s, block %s", async (email, status, block) => {
    const { answer, data } = await ask(email);
    expect(data).toMatchObject({
      mx_status: status,
      has_mx_records: false,
      mx_records: [],
      should_block: block,
    });
    const names = [answer.of("data", "risk_score", "factors")].flat().map((factor) => Object(factor).key);
    expect(names.includes("signal_no_spf")).toBe(Object(answer.of("data", "spf")).present === false);
    const score = answer.of("data", "score");
    if (block) expect(score).toBeLessThanOrEqual(20);
    if (status === "timeout") {
      expect(answer.of("data", "unknown_fields")).toEqual(
        expect.arrayContaining(["has_mx_records", "mx_records", "spf", "dmarc", "score", "should_block"]),
      );
    } else expect(answer.of("data", "unknown_fields")).not.toContain("should_block");
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
    ['"j.d+x"@gmail.com', { normalized_email: "jd@gmail.com", is_tagged: true, username: "j.d" }],
    ['"Po\\stmaster"@firm-mail.com', { is_role_address: true, role: "postmaster", username: "Postmaster" }],
    ['"no-reply"@firm-mail.com', { is_noreply: true, normalized_email: "no-reply@firm-mail.com" }],
    ["a@gmial.com", { did_you_mean: "a@gmail.com" }],
    ["a@gm\u0430il.com", { did_you_mean: "a@gmail.com", is_free_provider: false }],
    ["a@grnail.com", { did_you_mean: "a@gmail.com", is_free_provider: false }],
    ["a@mail.com", { mx_status: "implicit_a", did_you_mean: "a@gmail.com" }],
    ["a@gmail.con", { did_you_mean: "a@gmail.com", is_valid_format: false, format_error: "tld" }],
    ["a@host.lab", { is_valid_format: true }],
    ['""@firm-mail.com', { is_valid_format: true, email: '""@firm-mail.com' }],
    ['"ü"@firm-mail.com', { is_valid_format: true, is_smtputf8: true }],
    ["13579@firm-mail.com", { is_suspicious_username: true, username_reasons: ["trailing_digits"] }],
  ])("%s: %o", async (email, expected) => {
    expect((await ask(email)).data).toMatchObject(expected);
  });

  test("lists all mail hosts with their addresses", async () => {
    const { data, answer } = await ask("a@eight-hosts.com");
    const hosts = hostsOf("eight-hosts.com", 8);
    expect(data).toMatchObject({
      mx_records: hosts.map(({ exchange }) => exchange),
      mx_hosts: hosts.map((_, i) => ({ ips: [`127.1.1.${i}`] })),
      is_disposable: false,
    });
    expect(answer.of("data", "unknown_fields")).not.toContain("mx_hosts");
  });

  test("judges the names of hosts whose addresses are too many to be asked for, and says so", async () => {
    const { data, answer } = await ask("a@late-throwaway.com");
    expect(answer.of("data", "mx_records")).toHaveLength(56);
    expect(data).toMatchObject({ is_disposable: true, should_block: true });
    expect(answer.of("data", "mx_hosts", "50")).toMatchObject({ ips: [] });
    expect(answer.of("data", "unknown_fields")).toContain("mx_hosts");
  });

  test("says so when a host has more addresses than the engines are asked about", async () => {
    const { answer } = await ask("a@many-addresses.com");
    expect(answer.of("data", "mx_hosts", "0", "ips")).toHaveLength(100);
    expect(answer.of("data", "unknown_fields")).toContain("mx_hosts");
  });

  test.each([
    ["a@parent-policy.com", false],
    ["a@host.parent-policy.com", true],
    ["a@strict-parent.com", true],
    ["a@host.strict-parent.com", false],
  ])("%s can be spoofed: %s", async (email, isSpoofable) => {
    expect((await ask(email)).data).toMatchObject({ is_spoofable: isSpoofable });
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
    ["someone", "Not a valid address: there is no @ in it."],
  ])("%s: %s", async (email, message) => {
    const asked = service.dns.questions.length;
    const answer = await service.call({ path: "/api/free/email-check", from: "127.0.0.32", body: { email } });
    expect(answer.of("data", "message")).toBe(message);
    expect(service.dns.questions.slice(asked).filter(({ type }) => type === "MX")).toEqual([]);
  });
});
