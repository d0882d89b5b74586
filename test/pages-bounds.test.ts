import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPage, PASSWORD, signedUpPage } from "./dashboard.ts";
import { openSocket, readAnswer } from "./raw-http.ts";
import { startTestService, type TestAnswer, type TestService } from "./service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({
    file: { dashboard: { signup: "open" }, server: { trust_proxy: ["127.0.0.0/8"] } },
  });
});
afterAll(() => service.close());

const SIGN_IN = "/api/dashboard/sign-in";

/** A call to sign in by a client of its own; `body` goes as it is. */
const signInFrom = (client: string, body: string): Promise<TestAnswer> =>
  service.call({
    path: SIGN_IN,
    body,
    headers: { origin: service.address, "x-forwarded-for": client },
  });

describe("bodies of the pages' own interface", () => {
  const fill = (bytes: number) => `{"email":"${"a".repeat(bytes - 12)}"}`;

  test("16 KiB are read, an octet more is 413 by its announced length", async () => {
    expect((await signInFrom("198.51.100.1", fill(16_384))).status).toBe(422);
    const answer = await signInFrom("198.51.100.1", fill(16_385));
    expect([answer.status, answer.of("errors", "0", "message")]).toEqual([
      413,
      "The request body is larger than 16 KiB",
    ]);
    expect(answer.headers["connection"]).toBe("close");
  });

  test("chunks are counted as they come", async () => {
    const socket = await openSocket(service.port);
    const answer = readAnswer(socket);
    const head = `POST ${SIGN_IN} HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nTransfer-Encoding: chunked\r\n\r\n`;
    socket.write(`${head}${`1000\r\n${" ".repeat(4096)}\r\n`.repeat(5)}`);
    expect((await answer).code).toBe("PAYLOAD_TOO_LARGE");
  });

  test.each([
    ["without a session", "/sign-in", "everybody"],
    ["with one", "/keys", "account"],
  ])("the same holds %s", async (_, path, who) => {
    const page =
      who === "account" ? await signedUpPage(service, `${who}@example.com`) : openPage(service, "127.0.7.1");
    expect((await page.call("POST", path, { name: "x".repeat(16_384) })).status).toBe(413);
  });

  test("a megabyte that is not JSON is refused unread", async () => {
    const text = `[${`${'{"a":'.repeat(30)}1${"}".repeat(30)},`.repeat(5000)}x`;
    expect((await signInFrom("198.51.100.2", text)).status).toBe(413);
  });
});

describe("the window of a client without a session", () => {
  /** Calls at once, and at most how many of them can have had a place. */
  async function callAtOnce(call: () => Promise<TestAnswer>, count = 40) {
    const startedMs = performance.now();
    const answers = await Promise.all(Array.from({ length: count }, call));
    const most = 10 * (1 + Math.ceil((performance.now() - startedMs) / 1000));
    const refused = answers.filter(({ status }) => status === 429);
    return { admitted: answers.length - refused.length, most, refused };
  }

  test("has ten calls a second, with a Retry-After", async () => {
    const { admitted, most, refused } = await callAtOnce(() => signInFrom("198.51.100.3", "{"));
    expect(admitted).toBeGreaterThanOrEqual(10);
    expect(admitted).toBeLessThanOrEqual(most);
    expect(refused[0]?.headers["retry-after"]).toBe("1");
    expect((await signInFrom("198.51.100.4", "{")).status).toBe(422);
  });

  test("comes before the body", async () => {
    const call = () => signInFrom("198.51.100.5", "{");
    await callAtOnce(call);
    const socket = await openSocket(service.port);
    const answer = readAnswer(socket);
    const head = `POST ${SIGN_IN} HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nX-Forwarded-For: 198.51.100.5\r\n`;
    socket.write(`${head}Content-Length: 10000\r\n\r\n`);
    expect((await answer).code).toBe("RATE_LIMIT_EXCEEDED");
  });

  test("an IPv6 subscriber has one for all addresses", async () => {
    let next = 0;
    const { admitted, most } = await callAtOnce(() => signInFrom(`2001:db8:7:8::${++next}`, "{"));
    expect(admitted).toBeLessThanOrEqual(most);
  });

  test("an account has one for all its sessions, and another account its own", async () => {
    const [busy, quiet] = [
      await signedUpPage(service, "busy@example.com"),
      await signedUpPage(service, "quiet@example.com"),
    ];
    const look = (cookie: string | null) =>
      service.call({ method: "GET", path: "/api/dashboard/keys", headers: { cookie: cookie ?? "" } });
    const second = openPage(service, "127.0.7.2");
    const { status } = await second.call("POST", "/sign-in", {
      email: "busy@example.com",
      password: PASSWORD,
    });
    expect(status).toBe(200);
    const cookies = [busy.cookie(), second.cookie()];
    expect(cookies[0]).not.toBe(cookies[1]);
    let next = 0;
    const { admitted, most, refused } = await callAtOnce(() => look(cookies[next++ % 2] ?? null));
    expect(admitted).toBeLessThanOrEqual(most);
    expect(refused.length).toBeGreaterThan(0);
    expect((await look(quiet.cookie())).status).toBe(200);
  });
});

describe("refusals as pages", () => {
  const visit = (path: string, client: string) =>
    fetch(service.address + path, { headers: { accept: "text/html", "x-forwarded-for": client } });

  test("each shows the id of its own request, also when it was rendered for another", async () => {
    for (let i = 0; i < 3; i++) {
      const answer = await visit(`/nowhere/${i}`, "198.51.100.20");
      expect(answer.status).toBe(404);
      expect(await answer.text()).toContain(answer.headers.get("x-request-id"));
    }
  });

  test("a client has a bounded number of pages that are made for it alone", async () => {
    const paths = Array.from({ length: 200 }, (_, i) => `/lookup?q=${"<".repeat(i + 1)}`);
    const startedMs = performance.now();
    const answers = await Promise.all(paths.map((path) => visit(path, "198.51.100.21")));
    const most = 50 * (1 + Math.ceil((performance.now() - startedMs) / 1000));
    const made = answers.filter(({ status }) => status === 422).length;
    expect(made).toBeGreaterThanOrEqual(50);
    expect(made).toBeLessThanOrEqual(most);
    expect(answers.filter(({ status }) => status === 429).length).toBe(200 - made);
    expect((await visit("/lookup?q=<", "198.51.100.22")).status).toBe(422);
  });
});
