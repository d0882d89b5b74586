import { networkInterfaces } from "node:os";
import { describe, expect, test } from "vitest";
import { parseIp } from "../targets/ip.ts";
import { allowedNetworks, forbiddenReason } from "./guard.ts";
import { ownEndpoints } from "./own-endpoints.ts";

const allowNetworks = allowedNetworks(["0.0.0.0/0", "::/0"]);

const isSelf = (host: string, address: string, target: string, port = 8080): boolean => {
  const self = ownEndpoints({ host, address });
  return forbiddenReason(parseIp(target), port, { allowNetworks, self }) === "self";
};

describe("ownEndpoints()", () => {
  test("of one address is that address with its port", () => {
    const isOwn = (target: string, port?: number) =>
      isSelf("127.0.0.1", "http://127.0.0.1:8080", target, port);
    expect([isOwn("127.0.0.1"), isOwn("::ffff:127.0.0.1"), isOwn("2002:7f00:1::")]).toEqual([
      true,
      true,
      true,
    ]);
    expect([isOwn("127.0.0.1", 8081), isOwn("127.0.0.2"), isOwn("::1")]).toEqual([false, false, false]);
    expect(isSelf("::1", "http://[::1]:8080", "::1")).toBe(true);
  });

  test.each([
    ["0.0.0.0", "http://127.0.0.1:8080"],
    ["0.0.0.0", "http://0.0.0.0:8080"],
    ["::", "http://[::]:8080"],
    ["localhost", "http://127.0.0.1:8080"],
  ])("of %s at %s is all of loopback and every interface", (host, address) => {
    const interfaces = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
    const own = interfaces.map((one) => one.address.split("%", 1)[0] ?? "");
    for (const target of ["127.0.0.1", "127.99.0.1", "0.0.0.0", "::1", "::", ...own]) {
      expect(isSelf(host, address, target)).toBe(true);
    }
    expect(isSelf(host, address, "8.8.8.8")).toBe(false);
    expect(isSelf(host, address, "127.0.0.1", 80)).toBe(false);
  });

  test("knows the port that http: means", () => {
    expect(isSelf("127.0.0.1", "http://127.0.0.1:80", "127.0.0.1", 80)).toBe(true);
  });
});
