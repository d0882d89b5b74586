import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { createAccounts } from "../src/accounts/account-store.ts";
import { systemClock, systemRandom } from "../src/base/clock.ts";
import { createRunner } from "./cli-runner.ts";
import { openPage, PASSWORD } from "./dashboard.ts";
import { forEachDatabase, type TestDatabase } from "./databases.ts";
import { mailsTo, tokenIn } from "./mailbox.ts";
import { callService } from "./service.ts";
import { createServicePlace, endServiceProcesses, startServiceProcess } from "./service-process.ts";

afterEach(endServiceProcesses);

async function startTwo(database: TestDatabase) {
  const place = await createServicePlace(database, { file: { dashboard: { signup: "open" } } });
  const ports = [
    await startServiceProcess(place.env).listening,
    await startServiceProcess(place.env).listening,
  ];
  const pageOn = (i: number, from?: string) => {
    const port = ports[i % 2] ?? 0;
    const service = {
      address: `http://127.0.0.1:${port}`,
      call: (wish: Parameters<typeof callService>[1]) => callService(port, wish),
    };
    return openPage(service, from);
  };
  return { ...place, pageOn };
}

forEachDatabase((_dialect, database) => {
  test("two processes count failures together, and a session of one is a session of the other", async () => {
    const { pageOn, mails } = await startTwo(database);
    const email = "ann@example.com";
    const page = pageOn(0);
    await page.call("POST", "/sign-up", { email });
    const [mail] = await mailsTo({ mails }, email);
    // Of both at once one opens the account.
    const opening = { token: tokenIn(mail, "open"), password: PASSWORD };
    const twin = pageOn(1);
    const opened = await Promise.all([page, twin].map((one) => one.call("POST", "/sign-up/open", opening)));
    expect(opened.map(({ status }) => status).toSorted()).toEqual([200, 422]);
    await page.call("POST", "/sign-in", { email, password: PASSWORD });
    const other = pageOn(1);
    other.setCookie(page.cookie());
    expect((await other.call("GET", "/session")).of("data", "account", "email")).toBe(email);
    expect((await other.call("POST", "/sign-out")).status).toBe(200);
    expect((await page.call("GET", "/sessions")).status).toBe(401);
    const wrong = { email, password: "wrong password" };
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, i) => pageOn(i, `127.0.9.${i + 1}`).call("POST", "/sign-in", wrong)),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
    const refused = answers.find(({ status }) => status === 429);
    expect(Number(refused?.headers["retry-after"])).toBeGreaterThan(800);
  });

  test("`repute account reset-password` beside running services: its link opens once", async () => {
    const { env, dataDir, pageOn } = await startTwo(database);
    const db = await database.open();
    const accounts = createAccounts({ db, clock: systemClock, random: systemRandom });
    await accounts.createAccount({ email: "ann@example.com" });
    const { repute, json } = createRunner(dataDir, { ...env, PORT: "8123" });
    // The one that listens is named, whatever this shell says of ports.
    const running = readFileSync(join(dataDir, "address"), "utf8");
    const { link } = await json(["account", "reset-password", "ann@example.com"]);
    expect(link.slice(0, running.length)).toBe(running);
    expect(link.slice(running.length)).toMatch(/^\/app\/reset#token=[A-Za-z0-9_-]{43}$/);
    const token = new URL(link).hash.slice("#token=".length);
    const page = pageOn(1);
    const answer = await page.call("POST", "/password/reset", { token, new_password: PASSWORD });
    expect(answer.of("data", "account")).toMatchObject({ email: "ann@example.com", has_password: true });
    const again = await pageOn(0).call("POST", "/password/reset", { token, new_password: PASSWORD });
    expect(again.status).toBe(422);
    expect(again.text).not.toContain(String(token));
    const unknown = await repute(["account", "reset-password", "nobody@example.com"]);
    expect([unknown.status, unknown.out]).toEqual([1, ""]);
  });
});
