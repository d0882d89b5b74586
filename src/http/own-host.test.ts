import { expect, test } from "vitest";
import { isOwnHost } from "./own-host.ts";

test.each([
  ["127.0.0.1", true],
  ["127.0.0.1:8080", true],
  ["192.168.1.5:80", true],
  ["[::1]", true],
  ["[::1]:8080", true],
  ["[FE80::1]:8080", true],
  ["localhost", true],
  ["LocalHost:65535", true],
  ["localhost.evil.example", false],
  ["evil.example", false],
  ["evil.example:8080", false],
  ["127.0.0.1.evil.example", false],
  ["127.0.0.1@evil.example", false],
  ["evil.localhost", false],
  ["repute:8080", false],
  ["::1", false],
  ["[127.0.0.1]", false],
  ["[evil]", false],
  ["", false],
  [":8080", false],
  ["[", false],
  ["[]", false],
])('Host "%s" without server.public_url: %s', (host, expected) => {
  expect(isOwnHost({ publicUrl: null }, host)).toBe(expected);
  // A proxy may write any, and the operator has said what links are made of.
  expect(isOwnHost({ publicUrl: "https://repute.example" }, host)).toBe(true);
});

test("HTTP/1.0 without a Host is no browser's", () => {
  expect(isOwnHost({ publicUrl: null }, undefined)).toBe(true);
});
