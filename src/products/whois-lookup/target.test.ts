import { describe, expect, test } from "vitest";
import { Refusal } from "../../base/failure.ts";
import { validateBody } from "../../metering/read-input.ts";
import { WhoisInput } from "./shape.ts";
import { parseWhoisQuery } from "./target.ts";

describe("parseWhoisQuery()", () => {
  test.each([
    [" 8.8.8.8 ", "ip", "8.8.8.8"],
    ["8[.]8[.]8[.]8", "ip", "8.8.8.8"],
    ["[2001:DB8::1]", "ip", "2001:db8::1"],
    ["::ffff:192.0.2.1", "ip", "192.0.2.1"],
    ["198.51.100.77/24", "ip", "198.51.100.0/24"],
    ["2001:db8::1/32", "ip", "2001:db8::/32"],
    ["AS64500", "asn", "AS64500"],
    ["asn 64500", "asn", "AS64500"],
    ["as 064500", "asn", "AS64500"],
    ["64500", "asn", "AS64500"],
    ["4294967295", "asn", "AS4294967295"],
    ["Example.COM.", "domain", "example.com"],
    ["bücher.example", "domain", "xn--bcher-kva.example"],
    ["as64500.net", "domain", "as64500.net"],
    ["_dmarc.example.com", "domain", "_dmarc.example.com"],
    ["a_b.someone.github.io", "domain", "a_b.someone.github.io"],
  ])("reads %j as %s %s", (text, kind, query) => {
    expect(parseWhoisQuery(text)).toMatchObject({ kind, query, input: text });
  });

  test.each([
    ["4294967296", "invalid_asn"],
    ["8.8.8", "invalid_ip"],
    ["8.8.8.0/33", "invalid_ip"],
    ["2001:db8::/129", "invalid_ip"],
    ["example.com/24", "invalid_character"],
    ["example", "single_label"],
    ["https://example.com/", "url"],
    ["someone@example.com", "email"],
    ["-h whois.example", "invalid_character"],
    ["foo_bar.com", "invalid_label"],
    ["www.foo_bar.co.uk", "invalid_label"],
    ["a._b", "invalid_label"],
  ])("refuses %j as %s", (text, reason) => {
    expect(() => parseWhoisQuery(text)).toThrow(expect.objectContaining({ reason }));
  });
});

describe("the request", () => {
  const faultsOf = (body: unknown) => {
    try {
      validateBody(WhoisInput, body);
      return [];
    } catch (error) {
      if (error instanceof Refusal)
        return error.faults.map(({ loc, type, ctx }) => [loc.join("."), type, ctx?.["reason"]]);
      throw error;
    }
  };

  test.each([
    [{}, [["body.query", "missing", undefined]]],
    [{ query: "", domain: " " }, [["body.query", "missing", undefined]]],
    [{ query: null, domain: null }, [["body.query", "missing", undefined]]],
    [{ query: 5 }, [["body.query", "string_type", undefined]]],
    [{ query: "no domain!" }, [["body.query", "value_error", "invalid_character"]]],
    [{ domain: "no domain!" }, [["body.domain", "value_error", "invalid_character"]]],
    [{ query: " ", domain: "x" }, [["body.domain", "value_error", "single_label"]]],
    [{ query: "8.8.8.8", type: "domain" }, [["body.type", "value_error", "type_mismatch"]]],
    [{ query: "64500", type: "ip" }, [["body.type", "value_error", "type_mismatch"]]],
    [{ query: "example.com", type: "name" }, [["body.type", "value_error", "invalid_type"]]],
    [{ query: "example.com", type: 1 }, [["body.type", "string_type", undefined]]],
    [{ query: "example.com", domain: "!" }, []],
    [{ domain: "64500", type: "asn" }, []],
    [{ query: "example.com", type: "domain" }, []],
  ])("%j has the faults %j", (body, faults) => {
    expect(faultsOf(body)).toEqual(faults);
  });

  test("repeats the whole body where the query is missing", () => {
    const body = { query: "", type: "ip" };
    expect(() => validateBody(WhoisInput, body)).toThrow(
      expect.objectContaining({ faults: [expect.objectContaining({ input: body })] }),
    );
  });
});
