import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { exchangeRaw, openSocket, type RawAnswer, readAnswer } from "./raw-http.ts";
import { callPatiently, startTestService, type TestAccount, type TestService } from "./service.ts";

let service: TestService;
let account: TestAccount;
let slow: Promise<RawAnswer>[] = [];

beforeAll(async () => {
  service = await startTestService();
  account = await service.openAccount();
  slow = SLOW.map(([, start]) => start().then((socket) => readAnswer(socket)));
});
// Closing judges the whole log: no key, no terminal code, every line JSON.
afterAll(() => service.close());

const BODY = '{"ip":"8.8.8.8"}';
const LENGTH = BODY.length;
const CHUNKED = `${LENGTH.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`;

const post = (headers: string, body = BODY) =>
  `POST /api/check-ip HTTP/1.1\r\nHost: x\r\nX-API-Key: ${account.key}\r\nContent-Type: application/json\r\n` +
  `${headers}\r\n\r\n${body}`;

// Begun before everything else, since they take as long as they take.
const stall = async (text: string) => {
  const socket = await openSocket(service.port);
  socket.write(text);
  return socket;
};
const drip = async (text: string) => {
  const socket = await stall(text);
  const timer = setInterval(() => socket.write("a"), 500);
  socket.on("close", () => clearInterval(timer));
  return socket;
};
const SLOW: [string, () => ReturnType<typeof drip>][] = [
  ["no more than half a header", () => stall("GET / HT")],
  ["a header that drips", () => drip("GET / HTTP/1.1\r\nHost: x\r\nX-A: ")],
  ["a body that stalls", () => stall(post(`Content-Length: ${LENGTH}`, "{"))],
  ["a body that drips", () => drip(post("Content-Length: 1000", '{"ip":"'))],
];

const expectClean = async () => {
  const answer = await callPatiently(service, {
    path: "/api/check-ip",
    key: account.key,
    body: { ip: "8.8.8.8" },
  });
  expect(answer.status).toBe(200);
  expect(answer.of("data", "ip")).toBe("8.8.8.8");
  return Number(answer.headers["x-credits-remaining"]);
};

describe("framing", () => {
  // On a quick machine the cases of one account would meet its limit of a hundred starts a second.
  beforeEach(async () => {
    account = await service.openAccount();
  });
  const chunks = (body: string) => post("Transfer-Encoding: chunked", body);
  const get = (line: string, rest = "Host: x\r\n") => `${line}\r\n${rest}\r\n`;
  const cases: [string, () => string, number][] = [
    [
      "a length and chunked",
      () => post(`Content-Length: ${LENGTH}\r\nTransfer-Encoding: chunked`, CHUNKED),
      400,
    ],
    [
      "chunked and a length",
      () => post(`Transfer-Encoding: chunked\r\nContent-Length: ${LENGTH}`, CHUNKED),
      400,
    ],
    ["two lengths", () => post(`Content-Length: ${LENGTH}\r\nContent-Length: 5`), 400],
    ["twice the same length", () => post(`Content-Length: ${LENGTH}\r\nContent-Length: ${LENGTH}`), 400],
    ["a list of lengths", () => post(`Content-Length: ${LENGTH}, ${LENGTH}`), 400],
    ["a length with a plus", () => post(`Content-Length: +${LENGTH}`), 400],
    ["a length with a minus", () => post(`Content-Length: -${LENGTH}`), 400],
    ["a length in hex", () => post("Content-Length: 0x10"), 400],
    ["an empty length", () => post("Content-Length:"), 400],
    ["a fraction as the length", () => post("Content-Length: 16.0"), 400],
    ["an exponent as the length", () => post("Content-Length: 1e1"), 400],
    ["a blank inside the length", () => post("Content-Length: 1 6"), 400],
    ["a length of 23 digits", () => post("Content-Length: 99999999999999999999999"), 400],
    ["a length of 2^53", () => post("Content-Length: 9007199254740993"), 413],
    ["a blank before the colon of the length", () => post(`Content-Length : ${LENGTH}`), 400],
    ["a blank before the colon of the coding", () => post("Transfer-Encoding : chunked", CHUNKED), 400],
    ["an unknown coding", () => post("Transfer-Encoding: xchunked", CHUNKED), 400],
    ["gzip, then chunked", () => post("Transfer-Encoding: gzip, chunked", CHUNKED), 400],
    ["chunked, then gzip", () => post("Transfer-Encoding: chunked, gzip", CHUNKED), 400],
    ["identity", () => post("Transfer-Encoding: identity"), 400],
    ["chunked twice", () => post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", CHUNKED), 400],
    ["chunked in quotes", () => post('Transfer-Encoding: "chunked"', CHUNKED), 400],
    ["an empty coding", () => post("Transfer-Encoding:"), 400],
    ["chunked in HTTP/1.0", () => post("Transfer-Encoding: chunked", CHUNKED).replace("/1.1", "/1.0"), 400],
    ["a folded header", () => post(`Content-Length: ${LENGTH}\r\nX-A: b\r\n c`), 400],
    ["a first header that is folded", () => get("GET / HTTP/1.1", " X: y\r\nHost: x\r\n"), 400],
    ["bare line feeds", () => post(`Content-Length: ${LENGTH}`).replaceAll("\r\n", "\n"), 400],
    ["one bare line feed", () => post(`X-A: b\nContent-Length: ${LENGTH}`), 400],
    ["a bare carriage return", () => post(`X-A: b\rX-B: c\r\nContent-Length: ${LENGTH}`), 400],
    ["a zero octet", () => post(`X-A: b\0c\r\nContent-Length: ${LENGTH}`), 400],
    ["a control character", () => post(`X-A: b\u0001c\r\nContent-Length: ${LENGTH}`), 400],
    ["a header without a name", () => post(`: b\r\nContent-Length: ${LENGTH}`), 400],
    ["a header without a colon", () => post(`X-A\r\nContent-Length: ${LENGTH}`), 400],
    ["a blank in a header's name", () => post(`X A: b\r\nContent-Length: ${LENGTH}`), 400],
    ["a chunk size that is no number", () => chunks(`xyz\r\n${BODY}\r\n0\r\n\r\n`), 400],
    ["a chunk size with a minus", () => chunks(`-10\r\n${BODY}\r\n0\r\n\r\n`), 400],
    ["a chunk size with 0x", () => chunks(`0x10\r\n${BODY}\r\n0\r\n\r\n`), 400],
    ["a chunk size with a blank", () => chunks(`10 \r\n${BODY}\r\n0\r\n\r\n`), 400],
    ["chunks ended by line feeds", () => chunks(`10\n${BODY}\n0\n\n`), 400],
    ["a chunk size of 18 digits", () => chunks(`ffffffffffffffffff\r\n${BODY}\r\n0\r\n\r\n`), 400],
    ["a chunk longer than its size", () => chunks(`5\r\n${BODY}\r\n0\r\n\r\n`), 400],
    ["a line feed in a chunk extension", () => chunks(`10;a\nb\r\n${BODY}\r\n0\r\n\r\n`), 400],
    ["a chunk extension of 20 KB", () => chunks(`10;${"a".repeat(20_000)}\r\n${BODY}\r\n0\r\n\r\n`), 400],
    ["a length in the trailer", () => chunks(`10\r\n${BODY}\r\n0\r\nContent-Length: 5\r\n\r\n`), 400],
    ["HTTP/0.9 without a version", () => "GET /\r\n\r\n", 400],
    ["HTTP/0.9", () => get("GET / HTTP/0.9"), 400],
    ["HTTP/2.0", () => get("GET / HTTP/2.0"), 400],
    ["the preface of HTTP/2", () => "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400],
    ["a TLS greeting", () => "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003", 400],
    ["a method in lower case", () => get("get / HTTP/1.1"), 400],
    ["an unknown method", () => get("FOO / HTTP/1.1"), 400],
    ["a blank in the path", () => get("GET / x HTTP/1.1"), 400],
    ["a control character in the path", () => get("GET /\u0001 HTTP/1.1"), 400],
    ["an octet above 127 in the path", () => get("GET /\u00ff HTTP/1.1"), 400],
    ["broken percent-encoding", () => get("GET /%zz HTTP/1.1"), 400],
    ["no Host", () => get("GET / HTTP/1.1", ""), 400],
    ["two Hosts", () => get("GET / HTTP/1.1", "Host: x\r\nHost: y\r\n"), 400],
    ["an absolute target", () => get("GET http://127.0.0.1/api/health HTTP/1.1"), 404],
    ["an absolute target of another scheme", () => get("GET https://evil.example/ HTTP/1.1"), 404],
    ["the target *", () => get("OPTIONS * HTTP/1.1"), 404],
    ["TRACE", () => get("TRACE / HTTP/1.1"), 405],
    ["CONNECT", () => get("CONNECT 127.0.0.1:22 HTTP/1.1"), 0],
    [
      "a method override",
      () => get("GET /api/check-ip HTTP/1.1", "Host: x\r\nX-HTTP-Method-Override: POST\r\n"),
      405,
    ],
    ["a header of 17 KB", () => get("GET / HTTP/1.1", `Host: x\r\nX-A: ${"a".repeat(17_000)}\r\n`), 431],
    [
      "a thousand headers",
      () => get("GET / HTTP/1.1", `Host: x\r\n${"X-Filler: abcdef\r\n".repeat(1000)}`),
      431,
    ],
    ["a path of 17 KB", () => get(`GET /${"a".repeat(17_000)} HTTP/1.1`), 431],
    ["garbage", () => "\r\n\r\nfoo\r\n\r\n", 400],
  ];

  const refusals = cases.map(([name, octets, status]) => ({ name, octets, status }));
  test.each(refusals)(
    "$name: $status, with the connection closed or all of it answered",
    async ({ octets, status }) => {
      const before = await expectClean();
      // What reads as a request, and is refused, may keep its connection.
      const keepsConnection = status === 404 || status === 405;
      const answer = await exchangeRaw(service.port, octets(), keepsConnection ? undefined : () => false);
      expect([answer.status, answer.count]).toEqual([status, status === 0 ? 0 : 1]);
      if (status === 400) expect(answer.code).toBe("BAD_REQUEST");
      if (status !== 0) {
        expect(answer.raw).toMatch(/\r\nx-request-id: [\w-]{36}\r\n/i);
        expect(answer.raw).toMatch(/\r\nx-content-type-options: nosniff\r\n/i);
      }
      expect(await expectClean()).toBe(before - 1);
    },
  );

  const plain: [string, () => string][] = [
    ["a length", () => post(`Content-Length: ${LENGTH}`)],
    ["chunked", () => post("Transfer-Encoding: chunked", CHUNKED)],
    ["chunked in capitals", () => post("transfer-encoding: CHUNKED", CHUNKED)],
    ["a chunk extension", () => chunks(CHUNKED.replace("\r\n", ";a=b\r\n"))],
    ["an expected 100", () => post(`Expect: 100-continue\r\nContent-Length: ${LENGTH}`)],
    ["an unknown expectation", () => post(`Expect: miracles\r\nContent-Length: ${LENGTH}`)],
    [
      "an upgrade to WebSocket",
      () => post(`Connection: Upgrade\r\nUpgrade: websocket\r\nContent-Length: ${LENGTH}`),
    ],
    ["an upgrade to h2c", () => post(`Connection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: ${LENGTH}`)],
    ["HTTP/1.0", () => post(`Content-Length: ${LENGTH}`).replace("HTTP/1.1", "HTTP/1.0")],
  ];

  test.each(plain)("%s: an ordinary answer", async (_name, octets) => {
    const answer = await exchangeRaw(service.port, octets());
    expect([answer.status, answer.count]).toEqual([200, 1]);
  });

  test("two calls in one packet get two answers, in their order", async () => {
    const two = post(`X-Request-Id: first\r\nContent-Length: ${LENGTH}`);
    const raw = await exchangeRaw(
      service.port,
      two + two.replace("first", "second"),
      (text) => (text.match(/"freshness"/g)?.length ?? 0) === 2 && text.endsWith("}"),
    );
    expect(raw.count).toBe(2);
    expect(raw.raw.indexOf('"request_id":"first"')).toBeLessThan(raw.raw.indexOf('"request_id":"second"'));
  });

  test("a length above 1 MiB is refused before the body, whose octets are never read as a request", async () => {
    const smuggled = "GET /api/health HTTP/1.1\r\nHost: x\r\n\r\n";
    const answer = await exchangeRaw(service.port, post("Content-Length: 1048577", smuggled), () => false);
    expect([answer.status, answer.code, answer.count]).toEqual([413, "PAYLOAD_TOO_LARGE", 1]);
    await expectClean();
  });

  test("a body that goes on for ever ends with its connection, also on a path that does not exist", async () => {
    const endless = async (path: string) => {
      const socket = await openSocket(service.port);
      const answer = readAnswer(socket, () => false);
      const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${account.key}\r\nTransfer-Encoding: chunked\r\n\r\n`;
      socket.write(head);
      const chunk = `10000\r\n${" ".repeat(65_536)}\r\n`;
      const closed = new Promise((resolve) => socket.once("close", resolve));
      while (!socket.destroyed) {
        if (socket.write(chunk)) continue;
        await Promise.race([new Promise((resolve) => socket.once("drain", resolve)), closed]);
      }
      return answer;
    };
    expect((await endless("/api/check-ip")).code).toBe("PAYLOAD_TOO_LARGE");
    expect((await endless("/nowhere")).code).toBe("NOT_FOUND");
    await expectClean();
  });
});

describe("paths", () => {
  const cases: [string, string][] = [
    ["POST", "/api//check-ip"],
    ["POST", "//api/check-ip"],
    ["POST", "/api/check-ip/"],
    ["POST", "/API/check-ip"],
    ["POST", "/api/check%2dip"],
    ["POST", "/api%2fcheck-ip"],
    ["POST", "/api/%2e%2e/api/check-ip"],
    ["POST", "/api/../api/check-ip"],
    ["POST", "/api/check-ip%00"],
    ["POST", "/api/check-ip;x=y"],
    ["POST", "/api/check-ip.json"],
    ["GET", "/.env"],
    ["GET", "/.git/config"],
    ["GET", "/docs/../package.json"],
    ["GET", "/docs/%2e%2e/package.json"],
    ["GET", "/docs/none"],
    ["GET", "/__proto__"],
    ["GET", "/constructor"],
    ["GET", "/api/free"],
  ];

  test.each(cases)("%s %s is 404", async (method, path) => {
    const answer = await service.call({ method, path, key: account.key });
    expect([answer.status, answer.of("errors", "0", "code")]).toEqual([404, "NOT_FOUND"]);
    expect(answer.text).not.toContain(path);
  });

  test("a query is ignored", async () => {
    expect((await service.call({ method: "GET", path: "/api/health?x=%zz&__proto__=1" })).status).toBe(200);
  });
});

describe("compressed bodies", () => {
  test.each(["gzip", "br", "deflate", "zstd", "x-gzip", "gzip, gzip", "compress"])(
    "%s is 415",
    async (coding) => {
      const answer = await callPatiently(service, {
        path: "/api/check-ip",
        key: account.key,
        headers: { "content-encoding": coding },
        body: gzipSync(Buffer.alloc(4_000_000)),
      });
      expect([answer.status, answer.of("errors", "0", "code")]).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
    },
  );
});

describe("large and odd JSON", () => {
  const million = (text: string) => text.repeat(Math.floor(1_040_000 / text.length));
  const cases: [string, () => string | Buffer][] = [
    ["400,000 brackets", () => "[".repeat(400_000)],
    ["400,000 brackets in the member", () => `{"ip":${"[".repeat(400_000)}`],
    ["400,000 braces", () => '{"a":'.repeat(200_000)],
    ["500,000 numbers", () => `{"ips":[${million("1,")}1]}`],
    ["a million zeros", () => `{"ips":[${million("0,")}0],"ip":null}`],
    ["300,000 empty texts", () => `{"ips":[${million('"",')}""]}`],
    ["40,000 members", () => `{${Array.from({ length: 40_000 }, (_, i) => `"m${i}":1`).join(",")}}`],
    ["a number of 200,000 digits", () => `{"ip":${"9".repeat(200_000)},"ips":1}`],
    ["a text of a million letters", () => `{"ip":"${million("x")}","ips":"${"x"}"}`],
    ["half a text of a million letters", () => `{"ip":"${million("x")}`],
    ["half a million escaped quotes", () => `{"ip":"${million('\\"')}"`],
    ["a million blanks", () => million(" ")],
    ["a million backslashes", () => `{"ip":"${million("\\")}`],
    ["a million lone surrogates", () => `{"ip":"${million("\\ud800")}","ips":[null]}`],
    ["UTF-16", () => Buffer.from(`{"ip":"${"8".repeat(400_000)}"}`, "utf16le")],
    ["a million octets of 255", () => Buffer.alloc(1_040_000, 0xff)],
  ];

  test.each(cases)("%s", async (_name, body) => {
    for (const path of ["/api/check-ip", "/api/bulk/check-ip"]) {
      const answer = await callPatiently(service, { path, key: account.key, body: body() });
      expect(answer.status).toBe(422);
      // What is repeated of the input does not grow with it.
      expect(answer.text.length).toBeLessThan(200_000);
    }
    await expectClean();
  });
});

test("400 connections that say nothing keep no caller waiting", async () => {
  const idle = await Promise.all(Array.from({ length: 400 }, () => openSocket(service.port)));
  for (const [i, socket] of idle.entries())
    if (i % 2 === 0) socket.write("POST /api/check-ip HTTP/1.1\r\nHost");
  await expectClean();
  for (const socket of idle) socket.destroy();
  await expectClean();
});

test("a refused connection that its caller does not leave is closed all the same, also while octets drip in", async () => {
  const socket = await openSocket(service.port);
  // Our side stays open after theirs has ended: only a reset closes it.
  socket.allowHalfOpen = true;
  socket.resume();
  const closed = new Promise((resolve) => socket.once("close", resolve));
  const timer = setInterval(() => socket.write("garbage\r\n\r\n"), 100);
  await closed;
  clearInterval(timer);
});

test.each(SLOW.map(([name], i) => [name, i] as const))("%s is cut off with 408", async (_name, i) => {
  const answer = await slow[i];
  expect([answer?.status, answer?.code]).toEqual([408, "REQUEST_TIMEOUT"]);
  await expectClean();
});
