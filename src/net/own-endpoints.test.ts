import { networkInterfaces } from "node:os";
import { describe, expect, test } from "vitest";
import { parseIp } from "../targets/ip.ts";
import { createOwnEndpoints, type InterfaceAddress, type Listener, ownRules } from "./own-endpoints.ts";
import { allowedNetworks, forbiddenReason } from "./ssrf-guard.ts";

const EVERYTHING = ["0.0.0.0/0", "::/0"];

/** A machine with a loopback interface, a global address of each family, a private one and a link-local one. */
const MACHINE: readonly InterfaceAddress[] = [
  { address: "127.0.0.1", cidr: "127.0.0.1/8", internal: true },
  { address: "::1", cidr: "::1/128", internal: true },
  { address: "9.9.9.1", cidr: "9.9.9.1/24", internal: true },
  { address: "8.8.4.4", cidr: "8.8.4.4/24", internal: false },
  { address: "10.1.2.3", cidr: "10.1.2.3/8", internal: false },
  { address: "2606:4700::1111", cidr: "2606:4700::1111/64", internal: false },
  { address: "fe80::1%eth0", cidr: null, internal: false },
];

type World = {
  readonly listeners?: readonly Listener[];
  readonly interfaces?: readonly InterfaceAddress[];
  readonly allow?: readonly string[];
};

const reasonOf = (
  target: string,
  port: number,
  { listeners = [], interfaces = MACHINE, allow = [] }: World,
) =>
  forbiddenReason(parseIp(target), port, {
    allowNetworks: allowedNetworks(allow),
    ...ownRules(listeners, interfaces),
  });

describe("addresses of this machine", () => {
  test.each([
    ["8.8.4.4", "a global address"],
    ["::ffff:8.8.4.4", "mapped into IPv6"],
    ["2002:808:404::1", "in 6to4"],
    ["2001:0:101:101:0:0:f7f7:fbfb", "as a Teredo client"],
    ["2620::5efe:808:404", "in ISATAP"],
    ["2606:4700::1111", "a global IPv6 address"],
    ["9.9.9.1", "a global address of a loopback interface"],
    ["9.9.9.200", "another address of a loopback interface's network"],
  ])("%s is `self` on every port: %s", (target) => {
    for (const port of [1, 22, 80, 443, 3306, 9100, 65_535]) {
      expect(reasonOf(target, port, {})).toBe("self");
    }
  });

  test.each([
    ["8.8.4.5", "a neighbour in the network of an interface"],
    ["9.9.8.1", "an address outside a loopback interface's network"],
    ["2606:4700::1112", "an IPv6 neighbour"],
    ["2002:808:405::1", "a neighbour in 6to4"],
  ])("%s is not forbidden: %s", (target) => {
    expect(reasonOf(target, 443, {})).toBeNull();
  });

  test.each([
    ["127.0.0.1", "loopback"],
    ["127.0.0.2", "the rest of loopback"],
    ["::1", "IPv6 loopback"],
    ["10.1.2.3", "the machine's private address, which looks like its neighbours"],
    ["10.1.2.4", "a private neighbour"],
    ["fe80::1", "a link-local address"],
    ["::8.8.4.4", "the machine's address in a form that is not global: compatible with IPv6"],
    ["64:ff9b::808:404", "the machine's address in a form that is not global: NAT64"],
    ["2001:0:808:404::", "the machine's address as a Teredo server whose client is no global address"],
    ["64:ff9b:1::808:404", "the machine's address in a form that is not global: local NAT64"],
  ])("%s is a private address: %s", (target) => {
    expect(reasonOf(target, 443, {})).toBe("private_address");
  });

  test("the networks of `fetch.allow_networks` open them, each form by itself", () => {
    expect(reasonOf("8.8.4.4", 9100, { allow: ["8.8.4.4/32"] })).toBeNull();
    expect(reasonOf("::ffff:8.8.4.4", 9100, { allow: ["8.8.4.0/24"] })).toBeNull();
    expect(reasonOf("127.0.0.1", 22, { allow: ["127.0.0.0/8"] })).toBeNull();
    expect(reasonOf("64:ff9b::808:404", 9100, { allow: ["64:ff9b::/96"] })).toBe("self");
    expect(reasonOf("64:ff9b::808:404", 9100, { allow: ["64:ff9b::/96", "8.8.4.4/32"] })).toBeNull();
    expect(reasonOf("8.8.4.4", 9100, { allow: ["2606:4700::/32"] })).toBe("self");
  });
});

describe("listeners of the service", () => {
  const isSelf = (host: string, address: string, target: string, port = 8080): boolean =>
    reasonOf(target, port, { listeners: [{ host, address }], allow: EVERYTHING }) === "self";

  test("a listener on one address is that address with its port, whatever networks are open", () => {
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
  ])("a listener on %s at %s is all of loopback and every interface", (host, address) => {
    const own = ["8.8.4.4", "10.1.2.3", "2606:4700::1111", "9.9.9.200"];
    for (const target of ["127.0.0.1", "127.99.0.1", "0.0.0.0", "::1", "::", ...own]) {
      expect(isSelf(host, address, target)).toBe(true);
    }
    expect(isSelf(host, address, "8.8.8.8")).toBe(false);
    expect(isSelf(host, address, "127.0.0.1", 80)).toBe(false);
  });

  test("a listener on the standard port of http: needs no port in its address", () => {
    expect(isSelf("127.0.0.1", "http://127.0.0.1:80", "127.0.0.1", 80)).toBe(true);
  });
});

describe("createOwnEndpoints()", () => {
  test("reads the interfaces anew each minute, and not more often", () => {
    let nowMs = 1000;
    let interfaces: readonly InterfaceAddress[] = MACHINE.slice(0, 1);
    let readings = 0;
    const own = createOwnEndpoints({
      clock: { monotonicMs: () => nowMs },
      readInterfaces: () => {
        readings++;
        return interfaces;
      },
    });
    own.setListeners([{ host: "0.0.0.0", address: "http://0.0.0.0:8080" }]);
    const judge = (port: number, allow: readonly string[] = []) =>
      forbiddenReason(parseIp("8.8.4.4"), port, { allowNetworks: allowedNetworks(allow), ...own.rules() });
    expect(judge(9100)).toBeNull();
    interfaces = MACHINE;
    nowMs += 59_999;
    expect([judge(9100), readings]).toEqual([null, 1]);
    nowMs += 1;
    expect([judge(9100), readings]).toEqual(["self", 2]);
    // The service's own port is never opened, also not at an address that came later.
    expect([judge(9100, EVERYTHING), judge(8080, EVERYTHING)]).toEqual([null, "self"]);
    interfaces = MACHINE.slice(0, 1);
    nowMs += 60_000;
    expect([judge(9100), readings]).toEqual([null, 3]);
  });

  test("knows every address that the system shows", () => {
    const own = createOwnEndpoints({ clock: { monotonicMs: () => 0 } });
    const shown = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
    expect(shown.length).toBeGreaterThan(0);
    for (const { address } of shown) {
      const ip = parseIp(address.split("%", 1)[0] ?? "");
      expect(forbiddenReason(ip, 9100, { allowNetworks: [], ...own.rules() })).not.toBeNull();
    }
  });
});
