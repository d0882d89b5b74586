import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseSvcb, printable } from "./svcb.ts";

const hex = (text: string) => Buffer.from(text.replaceAll(" ", ""), "hex");

describe("parseSvcb()", () => {
  // The test vectors of RFC 9460, appendix D.
  test.each([
    ["alias mode", "0000 03666f6f076578616d706c6503636f6d00", 0, "foo.example.com", {}],
    ["the owner as target", "0001 00", 1, ".", {}],
    ["a port", "0010 03666f6f076578616d706c6503636f6d00 0003 0002 0035", 16, "foo.example.com", { port: 53 }],
    [
      "an unregistered parameter",
      "0001 03666f6f076578616d706c6503636f6d00 029b 0005 68656c6c6f",
      1,
      "foo.example.com",
      { key667: "hello" },
    ],
    [
      "octets that are not text",
      "0001 03666f6f076578616d706c6503636f6d00 029b 0009 68656c6c6fd2716f6f",
      1,
      "foo.example.com",
      { key667: "hello\\210qoo" },
    ],
    [
      "two IPv6 hints",
      "0001 03666f6f076578616d706c6503636f6d00 0006 0020 20010db8000000000000000000000001 20010db8000000000000000000530001",
      1,
      "foo.example.com",
      { ipv6hint: ["2001:db8::1", "2001:db8::53:1"] },
    ],
    [
      "mandatory, alpn and an IPv4 hint",
      "0010 03666f6f076578616d706c65036f726700 0000 0004 0001 0004 0001 0009 026832 0568332d3139 0004 0004 c0000201",
      16,
      "foo.example.org",
      { mandatory: ["alpn", "ipv4hint"], alpn: ["h2", "h3-19"], ipv4hint: ["192.0.2.1"] },
    ],
    ["flags", "0001 00 0002 0000 0008 0000", 1, ".", { "no-default-alpn": true, ohttp: true }],
    ["ech as base64", "0001 00 0005 0003 010203", 1, ".", { ech: "AQID" }],
    ["a target in capitals", "0001 03464f4f00", 1, "foo", {}],
  ])("reads %s", (_, rdata, priority, target, params) => {
    expect(parseSvcb(hex(rdata))).toEqual({ priority, target, params });
  });

  test.each([
    ["nothing", ""],
    ["a cut priority", "00"],
    ["no target", "0001"],
    ["a cut target", "0001 03666f"],
    ["a compressed target", "0001 c00c"],
    ["a target without end", `0001 ${"0161".repeat(130)}00`],
    ["a cut parameter", "0001 00 0003"],
    ["a cut value", "0001 00 0003 0002 00"],
    ["a parameter twice", "0001 00 0003 0002 0035 0003 0002 0035"],
    ["parameters out of order", "0001 00 0004 0004 c0000201 0003 0002 0035"],
    ["a port of one octet", "0001 00 0003 0001 35"],
    ["an address of three octets", "0001 00 0004 0003 c00002"],
    ["no address", "0001 00 0004 0000"],
    ["a flag with a value", "0001 00 0002 0001 00"],
    ["a cut protocol", "0001 00 0001 0002 0368"],
    ["no protocol", "0001 00 0001 0000"],
  ])("throws RangeError at %s", (_, rdata) => {
    expect(() => parseSvcb(hex(rdata))).toThrow(RangeError);
  });

  test("reads or throws RangeError, whatever the octets", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (octets) => {
        try {
          parseSvcb(Buffer.from(octets));
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe("printable()", () => {
  test("escapes what is not printable ASCII", () => {
    expect(printable(Buffer.from("a\\b\u001b[2J\nß"))).toBe("a\\\\b\\027[2J\\010\\195\\159");
  });
});
