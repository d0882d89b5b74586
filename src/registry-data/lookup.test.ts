import { describe, expect, onTestFinished, test } from "vitest";
import { json, patiently, recorded, world } from "../../test/registries.ts";
import {
  bootstrapFile,
  startRdapServer,
  type TestRdapBehaviour,
  type TestRdapServer,
} from "../../test/servers/rdap-server.ts";
import { answered, unavailable } from "../base/failure.ts";
import type { WhoisLookup } from "./outcome.ts";
import { emptyDomainRegistration } from "./types.ts";

const registry = ({ url }: TestRdapServer) => ({ "/dns.json": bootstrapFile({ com: url, "co.uk": url }) });

const error404 = (...description: readonly string[]): TestRdapBehaviour => ({
  json: { errorCode: 404, title: "Not Found", description },
  status: 404,
});

describe("domain()", () => {
  test("asks the registry that the bootstrap names and says where the answer is from", async () => {
    const { server, registrations } = await world((at) => ({
      ...registry(at),
      "/domain/example.com": json("gtld-thick-words", { ldhName: "example.com" }),
    }));
    const lookup = await registrations.domain("example.com", patiently());
    expect(lookup).toMatchObject({
      status: "ok",
      source: "rdap",
      cached: false,
      stale: false,
      error: null,
      fetchedAt: new Date("2026-11-21T09:00:00Z"),
      provenance: {
        server: server.host,
        url: `${server.url}domain/example.com`,
        rdap_status: 200,
        fallback_reason: null,
        registrar_server: null,
      },
    });
  });

  test("takes 404 for not registered and asks no other server", async () => {
    const asked: string[] = [];
    const whois: WhoisLookup = async (name) => {
      asked.push(name);
      return unavailable("whois", "error", "");
    };
    const { registrations } = await world(registry, { whois });
    const lookup = await registrations.domain("free.com", patiently());
    expect(lookup).toMatchObject({ status: "not_found", source: "rdap", registration: null });
    expect(lookup.provenance.rdap_status).toBe(404);
    expect(asked).toEqual([]);
  });

  test.each<[TestRdapBehaviour, string | null]>([
    [
      error404("Domain Name: free.com", "This name is not available for registration:", "Registry Reserved"),
      "reserved",
    ],
    [error404("This name has been blocked by a brand protection block"), "blocked"],
    [error404("free.com is available"), null],
    [error404("Domain Name: other.com", "Registry Reserved"), null],
    [error404("The requested object was not found"), null],
    [error404(), null],
    [{ json: { errorCode: 404, title: "This name is reserved by the registry" } }, "reserved"],
    [{ json: ["Registry Reserved"], status: 404 }, null],
    [{ body: "<html>Registry Reserved</html>", status: 404 }, null],
  ])("tells of the 404 %j the status %s", async (behaviour, status) => {
    const { registrations } = await world((at) => ({ ...registry(at), "/domain/free.com": behaviour }));
    const lookup = await registrations.domain("free.com", patiently());
    expect(lookup).toMatchObject({ status: "not_found", source: "rdap" });
    expect(lookup.registration?.statuses ?? null).toEqual(status && [status]);
  });

  test.each<[string, TestRdapBehaviour, string, number | null]>([
    ["429", { json: {}, status: 429 }, "rate_limited", 429],
    ["500", { body: "oops", status: 500 }, "server_error", 500],
    ["503 with HTML", { body: "<html>", status: 503 }, "server_error", 503],
    ["403", { json: {}, status: 403 }, "refused", 403],
    ["404 for a limit", error404("Query limit exceeded"), "refused", 404],
    ["404 for another limit", error404("Too many requests", "Please try again later"), "refused", 404],
    ["404 for a blocked asker", error404("Access denied"), "refused", 404],
    ["HTML", { body: "<!doctype html><title>hello" }, "invalid_response", 200],
    ["null", { body: "null" }, "invalid_response", 200],
    ["a list", { body: "[]" }, "invalid_response", 200],
    ["an empty object", { body: "{}" }, "invalid_response", 200],
    ["nesting of 20,000 levels", { body: "[".repeat(20_000) }, "invalid_response", 200],
    ["JSON broken off", { body: '{"objectClassName":"domain","ldhName":' }, "invalid_response", 200],
    ["an answer without end", { endless: " ".repeat(65_536) }, "unreachable", null],
    ["a closed connection", "hang_up", "unreachable", null],
  ])("asks WHOIS when RDAP gives %s", async (_what, behaviour, reason, status) => {
    const found = { ...emptyDomainRegistration("example.com", true), creationDate: "2001-02-03T00:00:00Z" };
    const whois: WhoisLookup = async () =>
      answered({ registration: found, server: "whois.example", registrarServer: null });
    const { registrations } = await world((at) => ({ ...registry(at), "/domain/example.com": behaviour }), {
      whois,
    });
    const lookup = await registrations.domain("example.com", patiently());
    expect(lookup).toMatchObject({ status: "ok", source: "whois", registration: found });
    expect(lookup.provenance).toMatchObject({
      server: "whois.example",
      url: null,
      fallback_reason: reason,
      rdap_status: status,
    });
  });

  test("asks WHOIS about a name whose registry has no RDAP", async () => {
    const whois: WhoisLookup = async (name) =>
      answered({ registration: emptyDomainRegistration(name, false), server: "w", registrarServer: null });
    const { registrations } = await world(registry, { whois });
    const lookup = await registrations.domain("example.lab", patiently());
    expect(lookup).toMatchObject({ status: "not_found", source: "whois" });
    expect(lookup.provenance.fallback_reason).toBe("no_rdap");
  });

  test("is an error with both reasons when WHOIS gives nothing either", async () => {
    const { registrations } = await world((at) => ({
      ...registry(at),
      "/domain/example.com": { body: "", status: 502 },
    }));
    const lookup = await registrations.domain("example.com", patiently());
    expect(lookup).toMatchObject({ status: "error", source: null, fetchedAt: null });
    expect(lookup.error).toEqual({
      code: "server_error",
      message: "RDAP: HTTP status 502. WHOIS: No WHOIS server is known",
    });
  });

  test("names the WHOIS server that gave nothing", async () => {
    const whois = async () => unavailable("whois.iana.org", "error", "The host has no address");
    const { registrations } = await world(registry, { whois });
    const lookup = await registrations.domain("example.lab", patiently());
    expect(lookup.error?.message).toBe(
      "RDAP: The registry has no RDAP server. WHOIS (whois.iana.org): The host has no address",
    );
  });

  test("fills what the registry left empty from the registrar's link, dates and status excepted", async () => {
    const registrar = await startRdapServer(() => json("gtld-registrar-9537"));
    onTestFinished(registrar.close);
    const thin = {
      ...recorded("gtld-thin"),
      links: [{ rel: "related", href: `${registrar.url}domain/example.com` }],
    };
    const { registrations } = await world((at) => ({
      ...registry(at),
      "/domain/example.com": { json: thin },
    }));
    const lookup = await registrations.domain("example.com", patiently());
    expect(lookup.provenance.registrar_server).toBe(registrar.host);
    expect(lookup.registration).toMatchObject({
      creationDate: "1995-08-14T04:00:00Z",
      updatedDate: "2025-08-14T07:01:39Z",
      statuses: ["clientDeleteProhibited", "clientTransferProhibited", "clientUpdateProhibited"],
      registrant: { organization: "Example Holdings", country: "US" },
      registrar: { url: "https://registrar.example/", abusePhone: "+1.7035551234" },
      privacyProtected: true,
    });
  });

  test("goes without the registrar whose link leads inward or to the registry itself", async () => {
    const inward = await startRdapServer(() => json("gtld-registrar-9537"));
    onTestFinished(inward.close);
    for (const href of [inward.url.replace("127.0.0.1", "[::1]"), "http://169.254.169.254/domain/x"]) {
      const thin = {
        ...recorded("gtld-thin"),
        links: [{ rel: "related", href: `${href}/domain/example.com` }],
      };
      const { registrations } = await world((at) => ({
        ...registry(at),
        "/domain/example.com": { json: thin },
      }));
      const lookup = await registrations.domain("example.com", patiently());
      expect(lookup).toMatchObject({ status: "ok", provenance: { registrar_server: null } });
    }
    expect(inward.requests).toEqual([]);
  });

  test("leaves a registry alone for as long as it asks, and longer not", async () => {
    const { server, table, registrations, clock } = await world((at) => ({
      ...registry(at),
      "/domain/a.com": { json: {}, status: 429, headers: { "retry-after": "120" } },
      "/domain/b.com": json("gtld-thick-words", { ldhName: "b.com" }),
    }));
    await registrations.domain("a.com", patiently());
    clock.move(119_000);
    expect(await registrations.domain("b.com", patiently())).toMatchObject({
      status: "error",
      error: { code: "rate_limited" },
    });
    clock.move(62_000);
    table.set("/domain/a.com", json("gtld-thick-words", { ldhName: "a.com" }));
    expect(await registrations.domain("b.com", patiently())).toMatchObject({ status: "ok" });
    expect(server.requests.filter((path) => path.startsWith("/domain/"))).toEqual([
      "/domain/a.com",
      "/domain/b.com",
    ]);
  });

  test("is shared by all who ask at the same time, and kept for six hours", async () => {
    const { server, registrations, clock } = await world((at) => ({
      ...registry(at),
      "/domain/example.com": json("gtld-thick-words", { ldhName: "example.com" }),
    }));
    const together = await Promise.all(
      Array.from({ length: 20 }, () => registrations.domain("example.com", patiently())),
    );
    expect(new Set(together.map(({ status }) => status))).toEqual(new Set(["ok"]));
    const questions = () => server.requests.filter((path) => path === "/domain/example.com").length;
    expect(questions()).toBe(1);
    clock.move(6 * 3600_000 - 60_000);
    expect((await registrations.domain("example.com", patiently())).cached).toBe(true);
    expect(questions()).toBe(1);
    clock.move(120_000);
    expect((await registrations.domain("example.com", patiently())).cached).toBe(false);
    expect(questions()).toBe(2);
  });

  test("gives the old answer, marked stale, for seven days of silence", async () => {
    const { table, registrations, clock } = await world((at) => ({
      ...registry(at),
      "/domain/example.com": json("gtld-thick-words", { ldhName: "example.com" }),
    }));
    await registrations.domain("example.com", patiently());
    table.set("/domain/example.com", { body: "", status: 500 });
    clock.move(24 * 3600_000);
    for (const _again of [1, 2]) {
      expect(await registrations.domain("example.com", patiently())).toMatchObject({
        status: "ok",
        stale: true,
        cached: true,
        fetchedAt: new Date("2026-11-21T09:00:00Z"),
      });
    }
    clock.move(7 * 24 * 3600_000);
    expect(await registrations.domain("example.com", patiently())).toMatchObject({ status: "error" });
  });

  test("asks again after ten minutes about what was not there, after one about what failed", async () => {
    const { server, table, registrations, clock } = await world((at) => ({
      ...registry(at),
      "/domain/broken.com": { body: "", status: 500 },
    }));
    const questions = (name: string) => server.requests.filter((path) => path === `/domain/${name}`).length;
    await registrations.domain("free.com", patiently());
    await registrations.domain("broken.com", patiently());
    clock.move(59_000);
    await registrations.domain("free.com", patiently());
    expect((await registrations.domain("broken.com", patiently())).cached).toBe(true);
    table.set("/domain/broken.com", json("gtld-thick-words", { ldhName: "broken.com" }));
    clock.move(2_000);
    expect((await registrations.domain("broken.com", patiently())).status).toBe("ok");
    expect([questions("free.com"), questions("broken.com")]).toEqual([1, 2]);
    clock.move(600_000);
    await registrations.domain("free.com", patiently());
    expect(questions("free.com")).toBe(2);
  });

  test("answers at its asker's deadline while the registry is silent", async () => {
    const { registrations, clock } = await world((at) => ({
      ...registry(at),
      "/domain/example.com": "silence",
    }));
    const context = { signal: new AbortController().signal, deadlineMs: clock.monotonicMs() + 200 };
    expect(await registrations.domain("example.com", context)).toMatchObject({
      status: "error",
      error: { code: "timeout" },
    });
  });
});
