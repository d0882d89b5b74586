import { expect, test } from "vitest";
import { scrub } from "../base/clean-text.ts";
import { parseConfigText } from "./read-file.ts";
import { maskSecrets, maskUrl, publisherSecrets } from "./secrets.ts";

test.each([
  { url: "postgres://me:pw@db.example/x", shown: "postgres://me:***@db.example/x" },
  { url: "postgres://me@db.example/x", shown: "postgres://me@db.example/x" },
  { url: "redis://:pw@h:6379/1", shown: "redis://:***@h:6379/1" },
  { url: "postgres://me:p@w@db/x", shown: "postgres://me:***@db/x" },
  { url: "postgres:///x?user=me&password=pw&host=h", shown: "postgres:///x?user=me&password=***&host=h" },
  { url: "https://x.example/a?ApiKey=pw&n=1#f", shown: "https://x.example/a?ApiKey=***&n=1#f" },
  { url: "https://x.example/a?k=pw", shown: "https://x.example/a?k=***" },
  {
    url: "https://x.example/0123456789abcdef0123/list.txt?id=aaaa-0000-bbbb-1111-cccc",
    shown: "https://x.example/***/list.txt?id=***",
  },
  {
    url: "https://x.example/a-long-name-without-digits/list-of-2026.txt",
    shown: "https://x.example/a-long-name-without-digits/list-of-2026.txt",
  },
  { url: "https://x.example/list?n=1", shown: "https://x.example/list?n=1" },
  { url: "file:///srv/a.txt", shown: "file:///srv/a.txt" },
  { url: "no URL: a@b", shown: "no URL: a@b" },
])("maskUrl() shows $url as $shown", ({ url, shown }) => {
  expect(maskUrl(url)).toBe(shown);
});

test("maskSecrets() goes by the names of members, keeps null and numbers that are no secrets", () => {
  const value = {
    a: { api_secret: "x", webhook_token: 5, password: null },
    headers: { A: "x" },
    list: ["x", 1, null],
  };
  expect(maskSecrets(value)).toEqual({
    a: { api_secret: "***", webhook_token: "***", password: null },
    headers: { A: "***" },
    list: ["x", 1, null],
  });
});

test("maskSecrets() hides a subscriber's key in the name of a zone", () => {
  const zone = (name: string) => maskSecrets({ dnsbl: [{ zone: name }] });
  expect(zone("ab3defghijklmnopqrstuvwxyz.zen.dq.spamhaus.net")).toEqual({
    dnsbl: [{ zone: "***.zen.dq.spamhaus.net" }],
  });
  for (const plain of ["bl.example", "hostkarma.junkemailfilter.com", "dnsbl-1.uceprotect.net"]) {
    expect(zone(plain)).toEqual({ dnsbl: [{ zone: plain }] });
  }
});

test("payment secrets and the mail server's password are not shown", () => {
  const file = parseConfigText(
    'billing: { stripe_secret_key: sk_live_hunter2, stripe_webhook_secret: whsec_hunter2 }\nmail: { smtp_url: "smtp://me:hunter2@mail.example" }\n',
    "x.yaml",
  );
  expect(JSON.stringify(maskSecrets(file))).not.toContain("hunter2");
  expect(scrub("Invalid key sk_live_hunter2abc, rk_test_****ter2, whsec_hunter2abc")).toBe(
    "Invalid key sk_***, rk_***, whsec_***",
  );
});

test.each<[file: object, secrets: readonly string[]]>([
  [{ engines: { keys: { short: "abc" } } }, ["abc"]],
  [
    { engines: { feeds: [{ headers: { "X-Token": "0123456789", Accept: "application/json" } }] } },
    ["0123456789", "0123456789"],
  ],
  [
    { allowlists: [{ headers: { authorization: "Bearer secret-token" } }] },
    ["Bearer secret-token", "secret-token"],
  ],
  [{ engines: { feeds: [{ headers: { "X-Kind": "a b", "User-Agent": "lists-reader/1.0" } }] } }, []],
  [
    { engines: { feeds: [{ url: "https://me:pass%2Bword1@lists.example/a" }] } },
    ["pass%2Bword1", "pass+word1"],
  ],
  [{ engines: { feeds: [{ url: "https://me:pass%word1@lists.example/a" }] } }, ["pass%word1", "pass%word1"]],
  [{ engines: { feeds: [{ url: "https://lists.example/a", homepage: null }] }, rate: 5 }, []],
])("publisherSecrets() of %j", (file, secrets) => {
  expect(publisherSecrets(file)).toEqual(secrets);
});
