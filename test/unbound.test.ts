import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemClock, systemRandom } from "../src/base/clock.ts";
import { createDnssecChecks, type DnssecCheck } from "../src/enrichment/dns-facts/dnssec.ts";
import { createDnsRecords } from "../src/enrichment/dns-facts/resolve.ts";
import { createDns } from "../src/net/dns/dns.ts";
import { type DnsDaemons, missingDaemons, startDnsDaemons } from "./servers/dns-daemons.ts";

const missing = missingDaemons();
const TIMEOUT_MS = 10_000;

const askedAt = (address: string) =>
  createDns({ servers: [address], timeoutMs: TIMEOUT_MS, clock: systemClock, random: systemRandom });
const time = () => ({
  signal: new AbortController().signal,
  deadlineMs: systemClock.monotonicMs() + 3 * TIMEOUT_MS,
});

if (missing.length > 0) {
  test.skip(`through Unbound: not installed: ${missing.join(", ")}`, () => undefined);
} else {
  describe("through Unbound, with zones signed by Knot,", () => {
    let daemons: DnsDaemons;
    beforeAll(async () => {
      daemons = await startDnsDaemons();
    });
    afterAll(() => daemons.close());

    const statusOf = (address: string, zone: string): Promise<DnssecCheck> =>
      createDnssecChecks({ dns: askedAt(address), clock: systemClock }).statusOf(zone, time());

    test.each([
      ["secure.lab", { status: "secure", zoneSigned: true, dsRecords: [{ algorithm: 13, digest_type: 2 }] }],
      ["unsigned.lab", { status: "unsigned", zoneSigned: false, dsRecords: [] }],
      ["no-ds.lab", { status: "zone_signed_no_ds", zoneSigned: true, dsRecords: [] }],
      ["other-key.lab", { status: "broken", zoneSigned: true, dsRecords: [{ algorithm: 13 }] }],
      ["no-key.lab", { status: "broken", zoneSigned: false, dsRecords: [{ algorithm: 13 }] }],
    ])("statusOf() %s is %j", async (zone, expected) => {
      expect(await statusOf(daemons.validating, zone)).toMatchObject(expected);
    });

    test.each([
      ["secure.lab", { status: null, zoneSigned: true, dsRecords: [{ algorithm: 13 }] }],
      ["unsigned.lab", { status: "unsigned" }],
      ["no-ds.lab", { status: "zone_signed_no_ds" }],
      ["other-key.lab", { status: "broken" }],
    ])("statusOf() %s is %j when it does not validate", async (zone, expected) => {
      expect(await statusOf(daemons.plain, zone)).toMatchObject(expected);
    });

    test.each([
      ["secure.lab", "A", { outcome: "ok", authenticatedData: true, records: [{ value: "192.0.2.1" }] }],
      ["secure.lab", "MX", { outcome: "nodata", authenticatedData: true, authority: "secure.lab" }],
      ["none.secure.lab", "A", { outcome: "nxdomain", authenticatedData: true, authority: "secure.lab" }],
      ["unsigned.lab", "A", { outcome: "ok", authenticatedData: false }],
      ["other-key.lab", "A", { outcome: "servfail", rcode: "SERVFAIL", records: [] }],
    ] as const)("resolve() %s %s is %j", async (name, type, expected) => {
      const records = createDnsRecords({
        dns: askedAt(daemons.validating),
        clock: systemClock,
        timeoutMs: TIMEOUT_MS,
      });
      expect(await records.resolve(name, type, time())).toMatchObject(expected);
    });
  });
}
