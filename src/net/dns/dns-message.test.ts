import { encode } from "dns-packet";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeReply, encodeQuery, matchReply, queryName } from "./dns-message.ts";

const QUERY = encodeQuery(
  { name: "www.example.com", type: "A", checkingDisabled: false },
  0x1234,
  [0b0000_0101],
);
const QUESTION = { name: "WwW.example.com", type: "A", class: "IN" } as const;
const reply = encode({
  type: "response",
  id: 0x1234,
  questions: [QUESTION],
  answers: [
    { type: "CNAME", name: "WwW.Example.com", ttl: 60, data: "Web.Example.COM" },
    { type: "A", name: "web.example.com", ttl: 60, data: "192.0.2.1" },
  ],
});

describe("queryName()", () => {
  test.each([
    ["WWW.Example.COM.", "www.example.com"],
    ["_dmarc.example.com", "_dmarc.example.com"],
    ["0/25.2.0.192.in-addr.arpa", "0/25.2.0.192.in-addr.arpa"],
    ["*.example.com", "*.example.com"],
    ["com", "com"],
    [".", ""],
  ])("asks %s as %j", (name, asked) => {
    expect(queryName(name)).toBe(asked);
  });

  test.each([
    "",
    "..",
    "a..b",
    ".a",
    "a b.com",
    "a\\.b.com",
    "ß.com",
    "a\u0000.com",
    `${"a".repeat(64)}.com`,
  ])("refuses %j", (name) => {
    expect(queryName(name)).toBeNull();
  });

  test("refuses a name over 253 octets", () => {
    const label = "a".repeat(63);
    expect(queryName(`${label}.${label}.${label}.${"a".repeat(61)}.`)).not.toBeNull();
    expect(queryName(`${label}.${label}.${label}.${"a".repeat(62)}`)).toBeNull();
  });
});

describe("encodeQuery()", () => {
  test("writes letter case, RD, AD, the type and EDNS 1232 with DO", () => {
    expect(QUERY.message.toString("hex")).toBe(
      "123401200001000000000001" + // id, RD and AD, one question, one additional record
        "03577757076578616d706c6503636f6d00" +
        "00010001" +
        "00002904d000008000" +
        "0000",
    );
  });

  test("sets CD when checking is disabled", () => {
    const query = encodeQuery({ name: "a", type: "HTTPS", checkingDisabled: true }, 1, []);
    expect(query.message.readUInt16BE(2)).toBe(0x0130);
    expect(query.question.toString("hex")).toBe("016100" + "00410001");
  });

  test("writes the root as an empty name", () => {
    expect(
      encodeQuery({ name: "", type: "NS", checkingDisabled: false }, 1, []).question.toString("hex"),
    ).toBe("0000020001");
  });
});

describe("matchReply()", () => {
  const withId = (id: number) => {
    const copy = Buffer.from(reply);
    copy.writeUInt16BE(id);
    return copy;
  };
  const withFlags = (flags: number) => {
    const copy = Buffer.from(reply);
    copy.writeUInt16BE(flags, 2);
    return copy;
  };
  const asking = (name: string, type: "A" | "AAAA" = "A") =>
    encode({ type: "response", id: 0x1234, questions: [{ name, type, class: "IN" }] });
  const questionless = (flags: number) => encode({ type: "response", id: 0x1234, flags, questions: [] });

  test.each([
    ["the reply", reply, "reply"],
    ["a cut reply", withFlags(0x8200), "truncated"],
    ["another id", withId(0x1235), "stranger"],
    ["a query", withFlags(0x0100), "stranger"],
    ["another opcode", withFlags(0xa800), "stranger"],
    ["another name", asking("other.example.com"), "stranger"],
    ["another type", asking("WwW.example.com", "AAAA"), "stranger"],
    ["another letter case", asking("www.example.com"), "folded"],
    ["no question in a refusal", questionless(5), "reply"],
    ["no question in a format error", questionless(1), "reply"],
    ["no question in NOERROR", questionless(0), "stranger"],
    ["no question in NXDOMAIN", questionless(3), "stranger"],
    ["nothing", Buffer.alloc(0), "broken"],
    ["half a header", reply.subarray(0, 8), "broken"],
    ["a cut question", reply.subarray(0, 20), "broken"],
  ])("tells %s", (_, message, match) => {
    expect(matchReply(QUERY, message)).toBe(match);
  });
});

const header = (answers: number) => {
  const bytes = Buffer.alloc(12);
  bytes.writeUInt16BE(0x8000, 2);
  bytes.writeUInt16BE(answers, 6);
  return bytes;
};
/** Owner, type, class IN, TTL 60, rdata. */
const record = (owner: string, type: number, rdata: string, ttl = "0000003c") =>
  Buffer.from(
    owner +
      type.toString(16).padStart(4, "0") +
      "0001" +
      ttl +
      (rdata.length / 2).toString(16).padStart(4, "0") +
      rdata,
    "hex",
  );
const messageOf = (...records: Buffer[]) => Buffer.concat([header(records.length), ...records]);

describe("decodeReply()", () => {
  test("gives names in lower case", () => {
    expect(decodeReply(reply)?.answers).toMatchObject([
      { type: "CNAME", name: "www.example.com", data: "web.example.com" },
      { type: "A", name: "web.example.com", data: "192.0.2.1" },
    ]);
  });

  test("joins the extended rcode", () => {
    const message = encode({
      type: "response",
      additionals: [
        {
          type: "OPT",
          name: ".",
          udpPayloadSize: 1232,
          extendedRcode: 1,
          ednsVersion: 0,
          flags: 0,
          flag_do: false,
          options: [],
        },
      ],
    });
    expect(decodeReply(message)?.rcode).toBe("BADVERS");
  });

  test.each([
    [0, "NOERROR"],
    [1, "FORMERR"],
    [2, "SERVFAIL"],
    [3, "NXDOMAIN"],
    [4, "NOTIMP"],
    [5, "REFUSED"],
    [9, "NOTAUTH"],
    [15, "RCODE15"],
  ])("names rcode %d %s", (flags, name) => {
    expect(decodeReply(encode({ type: "response", flags }))?.rcode).toBe(name);
  });

  test("makes octets of names visible", () => {
    const message = messageOf(record("00", 12, `06${Buffer.from("A\u001b\n é").toString("hex")}00`));
    expect(decodeReply(message)?.answers).toMatchObject([{ name: ".", data: "a\\027\\010\\032\\195\\169" }]);
  });

  test.each([
    ["a dot", "05612e6c6162"],
    ["a backslash", "05615c6c6162"],
  ])("refuses %s inside a label of a host name, not of a mailbox", (_, label) => {
    expect(decodeReply(messageOf(record("00", 5, `${label}00`)))).toBeNull();
    expect(decodeReply(messageOf(record(`${label}00`, 1, "c0000201")))).toBeNull();
    const numbers = "00000001".repeat(5);
    expect(decodeReply(messageOf(record("00", 6, `016e00${label}00${numbers}`)))?.answers).toHaveLength(1);
    expect(decodeReply(messageOf(record("00", 6, `${label}00016d00${numbers}`)))).toBeNull();
  });

  test("refuses names of more than 255 octets, and names of too many octets in all", () => {
    const labels = (count: number) => `${"0161".repeat(count)}00`;
    expect(decodeReply(messageOf(record("00", 5, labels(127))))).not.toBeNull();
    expect(decodeReply(messageOf(record("00", 5, labels(128))))).toBeNull();
    // The first name stands at 12 + 11; all others point to it.
    const pointing = (count: number) =>
      messageOf(
        record("00", 5, labels(126)),
        ...Array.from({ length: count }, () => record("c017", 5, "c017")),
      );
    expect(decodeReply(pointing(500))?.answers).toHaveLength(501);
    expect(decodeReply(pointing(520))).toBeNull();
  });

  test("does not make ASCII letters of others", () => {
    const kelvin = Buffer.from("\u212a").toString("hex");
    expect(decodeReply(messageOf(record("00", 12, `03${kelvin}00`)))?.answers).toMatchObject([
      { data: "\\226\\132\\170" },
    ]);
  });

  test("takes a TTL with the highest bit as zero", () => {
    expect(decodeReply(messageOf(record("00", 1, "c0000201", "80000000")))?.answers).toMatchObject([
      { ttl: 0 },
    ]);
  });

  test("leaves out records of other classes", () => {
    const chaos = record("00", 1, "c0000201");
    chaos.writeUInt16BE(3, 3);
    expect(decodeReply(messageOf(chaos))?.answers).toEqual([]);
  });

  test("writes IPv6 addresses as RFC 5952 says", () => {
    const rdata = "00000000000000000000ffff7f000001";
    expect(decodeReply(messageOf(record("00", 28, rdata)))?.answers).toMatchObject([
      { data: "::ffff:7f00:1" },
    ]);
  });

  test("decodes HTTPS and SVCB", () => {
    const answers = decodeReply(messageOf(record("016100", 65, "00010000010003026832")));
    expect(answers?.answers).toEqual([
      { type: "HTTPS", name: "a", ttl: 60, data: { priority: 1, target: ".", params: { alpn: ["h2"] } } },
    ]);
  });

  test.each([
    ["an answer announced and absent", header(1)],
    ["65,535 answers announced", header(65_535)],
    ["a cut record", messageOf(record("00", 1, "c0000201")).subarray(0, -1)],
    ["an address of three octets", messageOf(record("00", 1, "c00002"))],
    ["an address of five octets", messageOf(record("00", 1, "c000020100"))],
    ["an IPv6 address of four octets", messageOf(record("00", 28, "c0000201"))],
    ["a name that points to itself", messageOf(record("c00c", 1, "c0000201"))],
    ["a name that points forward", messageOf(record("c020", 1, "c0000201"))],
    ["a target that points to itself", messageOf(record("00", 5, "c017"))],
    [
      "two names that point at each other",
      messageOf(record("c00e", 1, "c0000201"), record("c00c", 1, "c0000201")),
    ],
    ["a label of a forbidden kind", messageOf(record("40", 1, "c0000201"))],
    ["a name longer than its record", messageOf(record("00", 5, "0561"), record("00", 1, "c0000201"))],
    ["a mail exchange without name", messageOf(record("00", 15, "000a"))],
    ["an HTTPS record out of order", messageOf(record("00", 65, "000100000300020035000300020035"))],
    ["an overlong name", messageOf(record(`${`3f${"61".repeat(63)}`.repeat(5)}00`, 1, "c0000201"))],
  ])("refuses %s", (_, message) => {
    expect(decodeReply(message)).toBeNull();
  });

  test("refuses a chain of thousands of pointers at once", () => {
    const chain = Buffer.alloc(16_000);
    const base = 12 + 11;
    for (let i = 0; i < chain.length; i += 2) chain.writeUInt16BE(0xc000 | Math.max(base + i - 2, 12), i);
    const holder = Buffer.concat([
      record("00", 99, "").subarray(0, 9),
      Buffer.from([chain.length >> 8, chain.length & 255]),
      chain,
    ]);
    const last = (0xc000 | (base + chain.length - 2)).toString(16);
    const users = Array.from({ length: 3000 }, () => record(last, 5, last));
    expect(decodeReply(messageOf(holder, ...users))).toBeNull();
  });

  test("decodes or refuses, whatever is changed in a reply", () => {
    const change = fc.tuple(fc.nat(reply.length - 1), fc.nat(255));
    fc.assert(
      fc.property(fc.array(change, { maxLength: 6 }), fc.nat(reply.length), (changes, cut) => {
        const message = Buffer.from(reply);
        for (const [at, octet] of changes) message[at] = octet;
        decodeReply(message.subarray(0, Math.max(cut, 12)));
        matchReply(QUERY, message.subarray(0, cut));
      }),
      { numRuns: 3000 },
    );
  });
});
