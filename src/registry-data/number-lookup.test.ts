import { describe, expect, test } from "vitest";
import { json, patiently, world } from "../../test/registries.ts";
import {
  bootstrapFile,
  type TestRdapBehaviour,
  type TestRdapServer,
} from "../../test/servers/rdap-server.ts";
import { readCidr } from "../targets/cidr.ts";

const networkOf = (text: string) => {
  const network = readCidr(text, { hostBits: "drop" });
  if (network === null) throw new Error(`${text} is no network`);
  return network;
};

describe("ip() and asn()", () => {
  const numbers = ({ url }: TestRdapServer) => ({
    "/ipv4.json": bootstrapFile({ "8.0.0.0/8": url, "8.8.8.0/24": `${url}narrow/`, "198.51.100.0/24": url }),
    "/asn.json": bootstrapFile({ "15000-16000": url, "64496-64511": url }),
  });

  test("asks the longest match about an address", async () => {
    const { registrations } = await world((at) => ({
      ...numbers(at),
      "/narrow/ip/8.8.8.8": json("arin-network"),
    }));
    const lookup = await registrations.ip(networkOf("8.8.8.8"), patiently());
    expect(lookup).toMatchObject({ status: "ok", source: "rdap", registration: { network: "8.8.8.0/24" } });
  });

  test("asks about a network with its prefix, in no range narrower than it", async () => {
    const { server, registrations } = await world((at) => ({
      ...numbers(at),
      "/ip/8.8.0.0/16": json("arin-network", { startAddress: "8.0.0.0", endAddress: "8.127.255.255" }),
    }));
    expect((await registrations.ip(networkOf("8.8.0.0/16"), patiently())).status).toBe("ok");
    expect(server.requests).toContain("/ip/8.8.0.0/16");
  });

  test.each([
    ["8.8.8.255", "8.8.8.0"],
    ["8.8.8.0", "x"],
    ["x", "8.8.8.255"],
    ["8.8.8.0", "2001:db8::"],
    ["8.8.8.0", "8.8.8.256"],
    ["0x08080800", "0x080808ff"],
  ])("takes a network from %s to %s for no answer about an address", async (startAddress, endAddress) => {
    const { registrations } = await world((at) => ({
      ...numbers(at),
      "/narrow/ip/8.8.8.8": json("arin-network", { startAddress, endAddress, cidr0_cidrs: [] }),
    }));
    const lookup = await registrations.ip(networkOf("8.8.8.8"), patiently());
    expect(lookup).toMatchObject({ status: "error", error: { code: "invalid_response" } });
  });

  test.each([
    ["http://10.0.0.1/ip/8.8.8.8", "The host leads to a private address"],
    ["http://8.8.8.8:22/ip/8.8.8.8", "The port is not one that may be asked"],
  ])("says in a sentence why a redirect to %s is not followed", async (location, sentence) => {
    const { registrations } = await world((at) => ({
      ...numbers(at),
      "/narrow/ip/8.8.8.8": { body: "", status: 302, headers: { location } },
    }));
    const lookup = await registrations.ip(networkOf("8.8.8.8"), patiently());
    expect(lookup).toMatchObject({ status: "error", error: { message: `RDAP: ${sentence}` } });
  });

  test.each(["10.0.0.1", "192.0.2.0/24", "203.0.113.7", "240.0.0.0/4", "224.0.0.0/3"])(
    "says of %s that it is not registered, without asking",
    async (text) => {
      const { server, registrations } = await world((at) => ({
        ...numbers(at),
        "/ipv4.json": bootstrapFile({ "8.0.0.0/8": at.url, "192.0.0.0/8": at.url, "203.0.0.0/8": at.url }),
      }));
      const lookup = await registrations.ip(networkOf(text), patiently());
      expect(lookup).toMatchObject({ status: "not_found", source: null, fetchedAt: null });
      expect(server.requests.filter((path) => path.startsWith("/ip/"))).toEqual([]);
    },
  );

  test.each(["fc00::/7", "::/8", "2001::/23", "2002::/16"])(
    "says of %s that it is not registered",
    async (text) => {
      const { registrations } = await world(() => ({ "/ipv6.json": bootstrapFile({}) }));
      const lookup = await registrations.ip(networkOf(text), patiently());
      expect(lookup).toMatchObject({ status: "not_found", source: null });
    },
  );

  test.each(["9.9.9.9", "2a00::1", "0.0.0.0/0", "::/1", "::/0", "192.0.0.0/8"])(
    "does not call %s unregistered because no registry's range holds it",
    async (text) => {
      const { registrations, clock } = await world((at) => ({
        ...numbers(at),
        "/ipv6.json": bootstrapFile({ "2c00::/12": at.url }),
      }));
      const outside = { status: "error", registration: null, error: { code: "no_registry" } };
      expect(await registrations.ip(networkOf(text), patiently())).toMatchObject(outside);
      clock.move(61_000);
      const aside = registrations.ip(networkOf(text), { ...patiently(), isAside: true });
      expect(aside).toMatchObject({ status: "error", registration: null });
    },
  );

  test("tells an AS number of no registry's range from one that is set aside", async () => {
    const { registrations } = await world(numbers);
    const error = { code: "no_registry" };
    expect(await registrations.asn(20_000, patiently())).toMatchObject({ status: "error", error });
    expect(await registrations.asn(64_512, patiently())).toMatchObject({ status: "not_found", error: null });
    const aside = { ...patiently(), isAside: true };
    expect(await registrations.asn(65_535, aside)).toMatchObject({ status: "not_found", error: null });
  });

  test("asks about documentation ranges where an operator's own registry has just these", async () => {
    const { registrations } = await world((at) => ({
      ...numbers(at),
      "/ip/198.51.100.9": json("network-no-cidr"),
      "/autnum/64500": json("arin-autnum", { startAutnum: 64500, endAutnum: 64500 }),
    }));
    expect((await registrations.ip(networkOf("198.51.100.9"), patiently())).status).toBe("ok");
    expect((await registrations.asn(64_500, patiently())).status).toBe("ok");
  });

  test.each<[string, TestRdapBehaviour, string]>([
    ["500", { body: "", status: 500 }, "server_error"],
    ["HTML", { body: "<html>" }, "invalid_response"],
    ["another kind of object", json("gtld-thin"), "invalid_response"],
    ["429", { json: {}, status: 429 }, "rate_limited"],
  ])("is an error when the registry gives %s", async (_what, behaviour, code) => {
    const { registrations } = await world((at) => ({ ...numbers(at), "/autnum/15169": behaviour }));
    const lookup = await registrations.asn(15_169, patiently());
    expect(lookup).toMatchObject({ status: "error", error: { code } });
  });

  test("keeps an address's answer for a day", async () => {
    const { server, registrations, clock } = await world((at) => ({
      ...numbers(at),
      "/autnum/15169": json("arin-autnum"),
    }));
    await registrations.asn(15_169, patiently());
    clock.move(23 * 3600_000);
    expect(await registrations.asn(15_169, patiently())).toMatchObject({ cached: true, stale: false });
    expect(server.requests.filter((path) => path === "/autnum/15169")).toHaveLength(1);
  });
});

describe("a question aside", () => {
  test("goes on for the cache when its asker is gone, and fails at once while the registry is silent", async () => {
    const { table, server, registrations, clock } = await world((at) => ({
      "/asn.json": bootstrapFile({ "1-65000": at.url }),
      "/autnum/15169": "hang_up",
    }));
    const aside = { ...patiently(), isAside: true };
    expect((await registrations.asn(15_169, aside)).error?.code).toBe("unreachable");
    table.set("/autnum/3333", json("ripe-autnum"));
    expect((await registrations.asn(3333, aside)).error?.code).toBe("unreachable");
    expect(server.requests).not.toContain("/autnum/3333");
    expect((await registrations.asn(3333, patiently())).status).toBe("ok");
    clock.move(61_000);
    const leaving = { ...aside, deadlineMs: clock.monotonicMs() - 1 };
    table.set("/autnum/15169", json("arin-autnum"));
    expect((await registrations.asn(15_169, leaving)).error?.code).toBe("timeout");
    await expect
      .poll(async () => (await registrations.asn(15_169, leaving)).status, { timeout: 10_000 })
      .toBe("ok");
  });
});
