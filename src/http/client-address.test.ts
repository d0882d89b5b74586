import { describe, expect, test } from "vitest";
import type { Ip } from "../targets/ip.ts";
import { clientAddress } from "./client-address.ts";

const TRUSTED = new Set(["127.0.0.1", "10.0.0.9", "2001:db8::9"]);
const isTrusted = ({ text }: Ip): boolean => TRUSTED.has(text);
const addressOf = (forwarded: string | undefined, peer = "127.0.0.1"): string | null =>
  clientAddress(peer, forwarded, isTrusted)?.text ?? null;

describe("the caller's address behind a trusted proxy", () => {
  test.each([
    ["203.0.113.7", "203.0.113.7"],
    ["198.51.100.7, 203.0.113.7", "203.0.113.7"],
    ["203.0.113.7, 10.0.0.9,127.0.0.1", "203.0.113.7"],
    // As Azure's gateway and IIS write it.
    ["203.0.113.7:4711", "203.0.113.7"],
    ["198.51.100.7, 203.0.113.7:80 , 10.0.0.9:443", "203.0.113.7"],
    ["[2001:db8::7]:4711", "2001:db8::7"],
    ["[2001:db8::7]", "2001:db8::7"],
    ["2001:db8::7:80", "2001:db8::7:80"],
    ["203.0.113.7, [2001:db8::9]:1", "203.0.113.7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
  ])("is told by %s", (forwarded, address) => {
    expect(addressOf(forwarded)).toBe(address);
    // A stranger's word counts for nothing.
    expect(addressOf(forwarded, "192.0.2.1")).toBe("192.0.2.1");
  });

  test.each([
    "",
    "unknown",
    "203.0.113.7:",
    "203.0.113.7:471100",
    "203.0.113.7:80:80",
    "203.0.113.7:-1",
    "[2001:db8::7",
    "2001:db8::7]:80",
    "[203.0.113.7:80",
    "fe80::7%eth0",
    "_hidden:80",
    '"203.0.113.7"',
  ])("is that of the proxy where the last entry is none: %s", (entry) => {
    expect(addressOf(`203.0.113.7, ${entry}`)).toBe("127.0.0.1");
    expect(addressOf(`203.0.113.7, ${entry}, 10.0.0.9`)).toBe("10.0.0.9");
  });
});
