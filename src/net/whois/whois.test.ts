import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CANARY_HOST } from "../../../test/servers/dialing.ts";
import { createStoppedClock, until } from "../../../test/servers/dns-client.ts";
import { askWhois, serveWhois } from "../../../test/servers/whois-client.ts";
import type { TestWhoisBehaviour } from "../../../test/servers/whois-server.ts";
import { MAX_WHOIS_BYTES, READ_WHOIS_BYTES, serverText } from "./whois.ts";
import { decodeWhoisText, type LegacyCharset } from "./whois-charset.ts";

describe("Whois.query()", () => {
  test("sends the name and CRLF, nothing else, and gives the text", async () => {
    const server = await serveWhois(() => "Domain Name: EXAMPLE.LAB\r\n");
    const answer = await askWhois(server);
    expect(answer).toEqual({ state: "answered", value: "Domain Name: EXAMPLE.LAB\r\n" });
    expect(server.questions).toEqual(["example.lab\r\n"]);
  });

  test.each([["-h evil"], ["good.lab\r\nX"], [""], ["-T"], ["a b"], ["a".repeat(254)], ["bücher.lab"]])(
    "sends no question such as %j",
    async (question) => {
      const server = await serveWhois(() => "x");
      await expect(askWhois(server, { question })).rejects.toThrow("the question is not a name");
      expect(server.questions).toEqual([]);
    },
  );

  test.each<[string, TestWhoisBehaviour, string]>([
    ["closes without a word", "hang_up", "The server closed the connection without an answer"],
    ["resets the connection", "reset", "The connection broke"],
    ["breaks off in the middle", { beforeReset: "Domain Name: EXA" }, "The connection broke"],
    [
      "never comes to an end",
      { endless: `${"x".repeat(8192)}\r\n` },
      `The answer is longer than ${MAX_WHOIS_BYTES} bytes`,
    ],
  ])("gives no answer of a server that %s", async (_, behaviour, detail) => {
    const server = await serveWhois(() => behaviour);
    const answer = await askWhois(server);
    expect(answer).toEqual({ state: "unavailable", upstream: server.address, reason: "error", detail });
    await until(() => server.connections() === 0);
  });

  test.each<[string, string, number]>([
    ["all of one as long as is read", "x".repeat(READ_WHOIS_BYTES), READ_WHOIS_BYTES],
    ["the start of one line of the size allowed", "x".repeat(MAX_WHOIS_BYTES), READ_WHOIS_BYTES],
    [
      "the whole lines among the octets that are read",
      `${"x".repeat(999)}\n`.repeat(1000),
      1000 * Math.floor(READ_WHOIS_BYTES / 1000),
    ],
    [
      "more than a first line, where one as long as that follows",
      `No match\n${" ".repeat(MAX_WHOIS_BYTES - 100)}\nDomain`,
      READ_WHOIS_BYTES,
    ],
    [
      "no half of a character",
      `${"x".repeat(READ_WHOIS_BYTES - 2)}\n${"é".repeat(9)}\n`,
      READ_WHOIS_BYTES - 1,
    ],
  ])("gives %s", async (_, text, length) => {
    const server = await serveWhois(() => text);
    const answer = await askWhois(server);
    expect(answer).toEqual({ state: "answered", value: text.slice(0, length) });
  });

  test.each<[string, TestWhoisBehaviour]>([
    ["is silent", "silence"],
    ["stops in the middle", { beforeSilence: "Domain Name: EXAMPLE.LAB\r\n" }],
    ["sends byte after byte", { drip: "Domain Name: EXAMPLE.LAB\r\nRegistrar: Example\r\n" }],
  ])("ends at the deadline before a server that %s, and closes the connection", async (_, behaviour) => {
    const clock = createStoppedClock();
    const server = await serveWhois(() => behaviour);
    const answer = askWhois(server, { timeoutMs: 5000 }, clock);
    await until(() => server.questions.length === 1);
    server.drip();
    clock.advance(4999);
    server.drip();
    clock.advance(1);
    expect(await answer).toMatchObject({ reason: "timeout", detail: "No whole answer within 5000 ms" });
    await until(() => server.connections() === 0);
  });

  test("puts together what comes byte after byte in time", async () => {
    const server = await serveWhois(() => ({ drip: "Status: free" }));
    const clock = createStoppedClock();
    const answer = askWhois(server, { timeoutMs: 5000 }, clock);
    await until(() => server.questions.length === 1);
    while (server.drip());
    expect(await answer).toEqual({ state: "answered", value: "Status: free" });
  });

  test("ends when the caller leaves", async () => {
    const leave = new AbortController();
    const server = await serveWhois(() => "silence");
    const answer = askWhois(server, { signal: leave.signal });
    await until(() => server.questions.length === 1);
    leave.abort();
    expect(await answer).toMatchObject({ state: "unavailable", reason: "timeout" });
    await until(() => server.connections() === 0);
  });

  test("reaches no private address but by the operator's word", async () => {
    const canary = await serveWhois(() => "x", { host: CANARY_HOST });
    expect(await askWhois(canary, { isOperatorsWord: false })).toMatchObject({
      reason: "refused",
      code: "private_address",
      detail: "The host leads to a private address",
    });
    expect(canary.questions).toEqual([]);
    expect(await askWhois(canary)).toEqual({ state: "answered", value: "x" });
  });
});

describe("decodeWhoisText()", () => {
  const bytes = (...values: readonly (number | string)[]): Uint8Array =>
    Buffer.concat(values.map((value) => Buffer.from(typeof value === "string" ? value : [value])));

  // The octets are Python's encodings of the texts.
  test.each<[string, Uint8Array, readonly LegacyCharset[], string]>([
    ["UTF-8", bytes("Inhaber: Müller"), [], "Inhaber: Müller"],
    [
      "UTF-8 of a registry that sent another set once",
      bytes("Owner: тест 示例"),
      ["koi8-r"],
      "Owner: тест 示例",
    ],
    ["Latin-1", bytes("Inhaber: M", 0xfc, "ller"), [], "Inhaber: Müller"],
    ["windows-1252", bytes("O", 0x92, "Neill ", 0x96, " ", 0xa9, " 2026"), [], "O’Neill – © 2026"],
    ["GBK", bytes("Registrant: ", 0xca, 0xbe, 0xc0, 0xfd), [], "Registrant: 示例"],
    ["GBK of a registry known for it", bytes(0x81, 0x40, "x"), ["gb18030"], "丂x"],
    ["EUC-KR", bytes(0xb5, 0xee, 0xb7, 0xcf, 0xc0, 0xce, " : x"), ["euc-kr"], "등록인 : x"],
    ["ISO-2022-JP", bytes("[", 0x1b, "$B", 0x25, 0x49, 0x25, 0x61, 0x1b, "(B]"), [], "[ドメ]"],
    ["EUC-JP", bytes("[", 0xa5, 0xc9, 0xa5, 0xe1, "]"), ["euc-jp", "shift_jis"], "[ドメ]"],
    ["Shift JIS", bytes("[", 0x83, 0x68, 0x83, 0x81, "]"), ["euc-jp", "shift_jis"], "[ドメ]"],
    ["Big5", bytes(0xbd, 0x64, 0xa8, 0xd2, " Ltd"), ["big5"], "範例 Ltd"],
    ["KOI8-R", bytes(0xd4, 0xc5, 0xd3, 0xd4), ["koi8-r"], "тест"],
    ["KOI8-U", bytes(0xa6, 0xcd, 0xd1), ["koi8-u"], "імя"],
    ["windows-1251", bytes("Org: ", 0xf2, 0xe5, 0xf1, 0xf2), ["windows-1251"], "Org: тест"],
    ["ISO-8859-2", bytes("Sp", 0xf3, 0xb3, "ka"), ["iso-8859-2"], "Spółka"],
    ["ISO-8859-9", bytes(0xde, "irket"), ["windows-1254"], "Şirket"],
    ["TIS-620", bytes(0xb7, 0xb4, 0xca, 0xcd, 0xba), ["windows-874"], "ทดสอบ"],
  ])("reads %s", (_, text, charsets, expected) => {
    expect(decodeWhoisText(text, charsets)).toBe(expected);
  });

  test.each<readonly LegacyCharset[][]>([
    [[]],
    [["koi8-r"]],
    [["koi8-u"]],
    [["windows-1251"]],
    [["windows-1254"]],
    [["iso-8859-2"]],
    [["windows-874"]],
    [["big5"]],
    [["euc-kr"]],
    [["gb18030"]],
    [["euc-jp", "shift_jis"]],
  ])("reads Latin-1 from a registry known for %j as what it is", (charsets) => {
    for (const name of [
      "Société du Nom",
      "Müßig & Söhne",
      "Düsseldorf",
      "Café Olé",
      "Gemeinschaft für Kühltürme",
    ]) {
      const text = `Registrant: ${name}\nCity: Köln\n`;
      expect(decodeWhoisText(Buffer.from(text, "latin1"), charsets)).toBe(text);
    }
  });

  test("takes any bytes, and keeps what is ASCII", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (text) => {
        expect(typeof decodeWhoisText(text, [])).toBe("string");
      }),
    );
    fc.assert(
      fc.property(fc.stringMatching(/^[ -~\r\n]*$/), (text) => {
        expect(decodeWhoisText(Buffer.from(text), [])).toBe(text);
      }),
    );
  });
});

test.each([
  [{ host: "whois.nic.example", port: 43 }, "whois.nic.example"],
  [{ host: "127.0.0.1", port: 4343 }, "127.0.0.1:4343"],
  [{ host: "::1", port: 4343 }, "[::1]:4343"],
])("a server is named %j as %s", (server, text) => {
  expect(serverText(server)).toBe(text);
});
