import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, expect, test } from "vitest";
import { keyPage, openPage, PASSWORD, type Page, signedUpPage } from "./dashboard.ts";
import { startTestService, type TestService } from "./service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ file: { dashboard: { signup: "open" } } });
});
afterAll(() => service.close());

let made = 0;
const open = async () => {
  made++;
  const email = `leaver-${made}@example.com`;
  const page = await signedUpPage(service, email, `127.0.20.${made}`);
  const { text } = await service.accounts.createKey({ email });
  const account = await service.accounts.findAccount(email);
  return { email, page, key: text, id: account?.id ?? "" };
};

const leave = (page: Page, body: object) => page.call("POST", "/account/delete", body);
const codeOf = (answer: Awaited<ReturnType<typeof leave>>) => answer.of("errors", "0", "code");

test("an account deletes itself: key, session and address are free at once", async () => {
  const { email, page, key } = await open();
  const lookUp = () => service.call({ path: "/api/check-ip", key, body: { ip: "8.8.8.8" } });
  expect((await lookUp()).status).toBe(200);
  const answer = await leave(page, { email: ` ${email.toUpperCase()} `, password: PASSWORD });
  expect([answer.status, answer.of("data")]).toEqual([200, { done: true }]);
  expect(page.cookie()).toBeNull();
  expect((await lookUp()).status).toBe(401);
  expect(await service.accounts.findAccount(email)).toBeNull();
  const audit = await service.accounts.listAudit({ limit: 50 });
  expect(JSON.stringify(audit)).not.toContain(email);
  expect(audit.find(({ action }) => action === "account.delete")).toMatchObject({ actor: "deleted account" });
});

test.each([
  [{ password: "wrong password" }, "password", "another password"],
  [{ password: "" }, "password", "none"],
  [{ email: "other@example.com" }, "email", "another address typed"],
  [{ email: "" }, "email", "no address typed"],
])("%j is refused at %s: %s", async (wrong: object, field, _why) => {
  const { email, page, key } = await open();
  const answer = await leave(page, { email, password: PASSWORD, ...wrong });
  expect([answer.status, answer.of("detail", "0", "loc")]).toEqual([422, ["body", field]]);
  expect(answer.text).not.toContain(PASSWORD);
  expect((await service.call({ path: "/api/check-ip", key, body: { ip: "8.8.8.8" } })).status).toBe(200);
});

test("ten wrong passwords are enough", async () => {
  const { email, page } = await open();
  const statuses: number[] = [];
  for (let i = 0; i < 11; i++)
    statuses.push((await leave(page, { email, password: "wrong password" })).status);
  expect(statuses).toEqual([...Array(10).fill(422), 429]);
  expect((await leave(page, { email, password: PASSWORD })).status).toBe(429);
});

test("with an authenticator its code is needed", async () => {
  const { email, page } = await open();
  const secret = String((await page.call("POST", "/totp", {})).of("data", "secret"));
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  await page.call("POST", "/totp/confirm", { totp_code: totp.generate() });
  const missing = await leave(page, { email, password: PASSWORD });
  expect([missing.status, codeOf(missing)]).toEqual([401, "TOTP_REQUIRED"]);
  const wrong = await leave(page, { email, password: PASSWORD, totp_code: totp.generate() });
  expect([wrong.status, wrong.of("detail", "0", "loc")]).toEqual([422, ["body", "totp_code"]]);
  const next = totp.generate({ timestamp: Date.now() + 30_000 });
  expect((await leave(page, { email, password: PASSWORD, totp_code: next })).status).toBe(200);
});

test("while a subscription runs the answer says how to end it", async () => {
  const { email, page, id } = await open();
  await service.db.kysely
    .updateTable("accounts")
    .set({ billing_status: "active" })
    .where("id", "=", id)
    .execute();
  const answer = await leave(page, { email, password: PASSWORD });
  expect([answer.status, codeOf(answer)]).toEqual([409, "CONFLICT"]);
  expect(String(answer.of("errors", "0", "message"))).toContain("cancel it first");
});

test("a session opened by a key neither deletes nor exports, and a caller without a session does not either", async () => {
  const { email, key } = await open();
  const page = await keyPage(service, key, "127.0.21.1");
  expect((await leave(page, { email, password: PASSWORD })).status).toBe(403);
  expect((await page.call("GET", "/account/export")).status).toBe(403);
  const stranger = openPage(service, "127.0.21.2");
  expect((await leave(stranger, { email, password: PASSWORD })).status).toBe(401);
  expect((await stranger.call("GET", "/account/export")).status).toBe(401);
});

test("the export is one JSON file with the account's own calls, ten in a quarter of an hour", async () => {
  const { email, page, key } = await open();
  await service.call({ path: "/api/check-ip", key, body: { ip: "8.8.8.8" } });
  const answer = await page.call("GET", "/account/export");
  expect(answer.headers).toMatchObject({
    "content-type": expect.stringMatching(/^application\/json/),
    "content-disposition": 'attachment; filename="repute-account.json"',
  });
  expect(answer.of("account", "email")).toBe(email);
  expect(answer.of("calls")).toMatchObject([{ endpoint: "check-ip", status: 200, credits: 1 }]);
  expect(answer.text).not.toContain(key);
  for (let i = 0; i < 9; i++) await page.call("GET", "/account/export");
  expect((await page.call("GET", "/account/export")).status).toBe(429);
});

test("keys of the pages: made with limits, changed, replaced; what is wrong stands at its member", async () => {
  const { page } = await open();
  const limits = { expires_at: "90d", networks: ["::ffff:192.0.2.0/120"], products: ["/api/check-ip"] };
  const created = await page.call("POST", "/keys", { name: "shop", ...limits });
  const id = String(created.of("data", "id"));
  const find = async (wanted: string) => {
    const keys = (await page.call("GET", "/keys")).of("data", "keys");
    return Array.isArray(keys) ? keys.find((key) => key.id === wanted) : undefined;
  };
  expect(await find(id)).toMatchObject({
    name: "shop",
    state: "active",
    networks: ["192.0.2.0/24"],
    products: ["check-ip"],
  });
  const update = (body: object) => page.call("POST", `/keys/${id}`, body);
  expect((await update({ name: "store", networks: null })).status).toBe(200);
  expect(await find(id)).toMatchObject({ name: "store", networks: null, products: ["check-ip"] });
  for (const [member, value] of [
    ["networks", ["192.0.2.1/24"]],
    ["networks", []],
    ["networks", "192.0.2.0/24"],
    ["products", ["nothing"]],
    ["expires_at", "yesterday"],
    ["expires_at", 5],
  ] as const) {
    const wrong = await update({ [member]: value });
    expect([wrong.status, wrong.of("detail", "0", "loc", "1")]).toEqual([422, member]);
  }
  for (const overlapS of [-1, 604_801, 0.5]) {
    const wrong = await page.call("POST", `/keys/${id}/roll`, { overlap_s: overlapS });
    expect([wrong.status, wrong.of("detail", "0", "loc", "1")]).toEqual([422, "overlap_s"]);
  }
  const rolled = await page.call("POST", `/keys/${id}/roll`, { overlap_s: 3600 });
  expect(rolled.of("data", "replaced")).toEqual({
    prefix: created.of("data", "prefix"),
    works_until: (await find(id)).expires_at,
  });
  expect(rolled.of("data", "key")).toMatch(/^rpt_\w{43}$/);
  expect(await find(id)).toMatchObject({ state: "active", replaced_by: rolled.of("data", "id") });
  expect((await page.call("POST", `/keys/${id}/roll`)).status).toBe(409);
  expect((await page.call("GET", "/keys")).of("data", "active")).toBe(2);
});
