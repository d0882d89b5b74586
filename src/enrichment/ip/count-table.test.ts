import { describe, expect, test } from "vitest";
import { risDump, risLine } from "../../../test/ris.ts";
import { InvalidValue } from "../../base/failure.ts";
import { countTable } from "./count-table.ts";

const bytes = (text: string): Buffer => Buffer.from(text, "latin1");

describe("countTable()", () => {
  test("counts the lines of a dump, whatever stands between them", () => {
    const lines = [
      risLine(1, "1.0.0.0/24"),
      risLine(2, "1.0.0.0/40"),
      risLine(0, "1.0.1.0/24"),
      risLine(3, "1.0.300.0/24"),
      "4\t1.0.2.0/24",
      "",
      risLine("{5,x}", "1.0.3.0/24"),
      `${risLine("{6,7}", "1.0.4.0/24")}\r`,
    ];
    expect(countTable("routes_ipv4", bytes(risDump(lines)))).toEqual({
      entries: 2,
      dropped: 5,
      publishedAt: null,
    });
  });

  test("counts names of systems", () => {
    const text = "15169 GOOGLE, US\nno number\n3333 RIPE-NCC-AS Reseaux IP Europeens, NL\n\n";
    expect(countTable("as_names", bytes(text))).toMatchObject({ entries: 2, dropped: 1 });
  });

  test.each([
    ["routes_ipv4", `${risDump([risLine(1, "1.0.0.0/24")])}2\t1.0.1.0/2`, "The dump is cut short"],
    ["routes_ipv4", risDump([risLine(1, "2001:db8::/32")]), "No line is one of a dump of IPv4 routes"],
    ["routes_ipv6", risDump([risLine(1, "1.0.0.0/24")]), "No line is one of a dump of IPv6 routes"],
    ["routes_ipv6", "<html>\n<p>sorry</p>\n", "No line is one of a dump of IPv6 routes"],
    ["as_names", "15169 GOOGLE, US\n3333 RIPE", "The table is cut short"],
    ["as_names", "<html>\n", "No line is a number and a name of an AS"],
  ] as const)("refuses a table of %s that is %j", (kind, text, fault) => {
    expect(() => countTable(kind, bytes(text))).toThrow(InvalidValue);
    expect(() => countTable(kind, bytes(text))).toThrow(fault);
  });
});
