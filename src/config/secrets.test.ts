import { expect, test } from "vitest";
import { maskSecrets, maskUrl } from "./secrets.ts";

test.each([
  { url: "postgres://me:pw@db.example/x", shown: "postgres://me:***@db.example/x" },
  { url: "postgres://me@db.example/x", shown: "postgres://me@db.example/x" },
  { url: "redis://:pw@h:6379/1", shown: "redis://:***@h:6379/1" },
  { url: "postgres://me:p@w@db/x", shown: "postgres://me:***@db/x" },
  { url: "postgres:///x?user=me&password=pw&host=h", shown: "postgres:///x?user=me&password=***&host=h" },
  { url: "https://x.example/a?ApiKey=pw&n=1#f", shown: "https://x.example/a?ApiKey=***&n=1#f" },
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
