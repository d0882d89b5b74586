import { systemClock, systemRandom } from "../src/base/clock.ts";
import { issueResetToken } from "../src/sessions/reset.ts";
import { mailsTo, tokenIn } from "./mailbox.ts";
import type { TestAnswer, TestRequest, TestService } from "./service.ts";

export type Page = {
  /** A call as a page of the service makes it: with its cookie, its origin and its CSRF token. */
  readonly call: (
    method: string,
    path: string,
    body?: unknown,
    more?: Pick<TestRequest, "headers" | "from">,
  ) => Promise<TestAnswer>;
  readonly cookie: () => string | null;
  readonly setCookie: (value: string | null) => void;
  readonly csrf: () => string | null;
};

export const PASSWORD = "correct horse battery staple";

/** What a browser does for a page: keeps the cookie, says where it comes from, repeats the CSRF token. */
export function openPage(service: Pick<TestService, "call" | "address">, from?: string): Page {
  let cookie: string | null = null;
  let csrf: string | null = null;
  return {
    cookie: () => cookie,
    setCookie: (value) => {
      cookie = value;
    },
    csrf: () => csrf,
    call: async (method, path, body, more = {}) => {
      const answer = await callInWindow(service, {
        method,
        path: path.startsWith("/api/") ? path : `/api/dashboard${path}`,
        ...(body === undefined ? {} : { body }),
        ...(from === undefined ? {} : { from }),
        ...more,
        headers: {
          ...(method === "GET" ? {} : { origin: service.address }),
          ...(cookie === null ? {} : { cookie }),
          ...(csrf === null || method === "GET" ? {} : { "x-csrf-token": csrf }),
          ...more.headers,
        },
      });
      const set = [answer.headers["set-cookie"] ?? []].flat()[0];
      if (set !== undefined) cookie = set.includes("Max-Age=0") ? null : (set.split(";", 1)[0] ?? null);
      if (answer.status === 200 && answer.text.includes('"csrf_token"')) {
        const token = answer.of("data", "csrf_token");
        csrf = typeof token === "string" ? token : null;
      }
      return answer;
    },
  };
}

/** Asks again when the window of a session or a client is full, as a person would. */
async function callInWindow(service: Pick<TestService, "call">, request: TestRequest): Promise<TestAnswer> {
  for (;;) {
    const answer = await service.call(request);
    if (answer.status !== 429 || !/More than \d+ calls (?:a second|at once)/.test(answer.text)) return answer;
    await systemClock.sleep(1000 * Number(answer.headers["retry-after"]));
  }
}

/** A page of a visitor who signs up, opens the mailed link and chooses a password: signed in. */
export async function signedUpPage(
  service: Pick<TestService, "call" | "address" | "mails">,
  email: string,
  from?: string,
  password = PASSWORD,
): Promise<Page> {
  const page = openPage(service, from);
  const up = await page.call("POST", "/sign-up", { email });
  if (up.status !== 200) throw new Error(`Cannot sign up: ${up.text}`);
  const token = tokenIn((await mailsTo(service, email)).at(-1), "open");
  const opened = await page.call("POST", "/sign-up/open", { token, password });
  if (opened.status !== 200) throw new Error(`Cannot open the account: ${opened.text}`);
  return page;
}

/** A page of a person, of an account's own by its id: signed in with a password that a link set, so that it may do everything. */
export async function personPage(
  service: Pick<TestService, "call" | "address" | "db">,
  personId: string,
  from?: string,
): Promise<Page> {
  const deps = { db: service.db, clock: systemClock, random: systemRandom };
  const token = await issueResetToken({ personId, endsTotp: true, actor: "test" }, deps);
  const page = openPage(service, from);
  const answer = await page.call("POST", "/password/reset", { token, new_password: PASSWORD });
  if (answer.status !== 200) throw new Error(`Cannot set a password: ${answer.text}`);
  return page;
}

/** A page signed in by an API key: it only reads. */
export async function keyPage(
  service: Pick<TestService, "call" | "address">,
  key: string,
  from?: string,
): Promise<Page> {
  const page = openPage(service, from);
  const answer = await page.call("POST", "/sign-in", { api_key: key });
  if (answer.status !== 200) throw new Error(`Cannot sign in: ${answer.text}`);
  return page;
}
