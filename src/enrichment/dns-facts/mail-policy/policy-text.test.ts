import { describe, expect, test } from "vitest";
import { type DnsWorld, lookupTime, openDnsWorld } from "../../../../test/servers/dns-world.ts";
import { lookUpDmarc } from "./dmarc.ts";
import { lookUpSpf } from "./spf.ts";

const DOMAIN = { name: "example.com", registeredDomain: "example.com" };

async function spfOf(world: DnsWorld) {
  const deps = await openDnsWorld(world);
  const found = await deps.dnsRecords.resolve(DOMAIN.name, "TXT", lookupTime());
  return lookUpSpf({ name: DOMAIN.name, found }, deps, lookupTime());
}

describe("policy records", () => {
  const bytes = (text: string) => Buffer.from(text, "latin1");
  /** Strings of 255 octets at most, as a TXT record has them. */
  const strings = (text: string) => text.match(/.{1,255}/gs)?.map(bytes) ?? [];

  test.each<[why: string, text: Buffer, error: string]>([
    ["an octet that is not ASCII", bytes("v=spf1 a:b\xff.example -all"), "a:b\\255.example"],
    ["a UTF-8 mark", bytes("v=spf1 a:\xef\xbb\xbfb.example -all"), "a:\\239\\187\\191b.example"],
    ["a line end", bytes("v=spf1 a:b.example\rptr -all"), "a:b.example\\013ptr"],
  ])("are judged by their octets: %s is an error", async (_, text, term) => {
    const { valid, errors, record } = await spfOf({ "TXT example.com": [text] });
    expect(valid).toBe(false);
    expect(errors).toEqual([
      `example.com: "${term}" is not valid: it holds a character that is not visible ASCII`,
    ]);
    expect(record).toContain(term);
  });

  test("are judged by their octets: a backslash with digits is text that the grammar takes", async () => {
    const text = "v=spf1 exists:b\\255.%{i}.example -all";
    expect(await spfOf({ "TXT example.com": [text] })).toMatchObject({ valid: true, record: text });
  });

  test("are read to 4 KiB: what an SPF record says behind that is not known", async () => {
    const filler = "ip4:192.0.2.1 ".repeat(400);
    const spf = await spfOf({ "TXT example.com": [strings(`v=spf1 ${filler}include:a.example -all`)] });
    expect(spf).toMatchObject({ present: true, valid: null, all: null, lookups: 0 });
    expect(spf.errors).toEqual(["example.com: only the first 4096 octets are read"]);
    expect(spf.record).toHaveLength(4096);
  });

  test("are read to 4 KiB: an error before that is one all the same", async () => {
    const text = `v=spf1 moo ${"a".repeat(5000)}`;
    expect(await spfOf({ "TXT example.com": [strings(text)] })).toMatchObject({ valid: false });
  });

  test("are read to 4 KiB: a DMARC record keeps the policy of its beginning", async () => {
    const text = `v=DMARC1; p=reject; rua=mailto:${"a,".repeat(3000)}; pct=1`;
    const deps = await openDnsWorld({ "TXT _dmarc.example.com": [strings(text)] });
    const dmarc = await lookUpDmarc(DOMAIN, deps, lookupTime());
    expect(dmarc).toMatchObject({ policy: "reject", pct: 100, rua: [], valid: null });
    expect(dmarc.record).toHaveLength(4096);
  });

  test("may split a version between strings", async () => {
    expect(await spfOf({ "TXT example.com": [["v=sp", "f1", " -a", "ll"]] })).toMatchObject({
      valid: true,
      all: "fail",
      record: "v=spf1 -all",
    });
    expect(await spfOf({ "TXT example.com": [["v=spf1", "mx"]] })).toMatchObject({ present: false });
  });
});
