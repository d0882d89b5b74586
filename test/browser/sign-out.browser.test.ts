import { afterAll, beforeAll, expect, test } from "vitest";
import { openPage, PASSWORD } from "../dashboard.ts";
import type { TestAccount } from "../service.ts";
import { type DashboardWorld, givePassword, openDashboardWorld } from "./dashboard-world.ts";

// Who signs out is signed out, and is told when they are not.

let world: DashboardWorld;
beforeAll(async () => {
  world = await openDashboardWorld();
});
afterAll(() => world.close());

let clients = 0;
/** From machines of their own: one has ten calls a second. */
const signInElsewhere = async ({ email }: TestAccount, times: number): Promise<void> => {
  for (let time = 0; time < times; time++) {
    const page = openPage(world.service, `127.0.14.${++clients}`);
    expect((await page.call("POST", "/sign-in", { email, password: PASSWORD })).status).toBe(200);
  }
};

test("everywhere is all sessions, however many, and those that were opened since the page was loaded", async () => {
  const account = await world.service.openAccount();
  const visitor = await world.signedIn(account);
  const { page, visit } = visitor;
  await signInElsewhere(account, 15);
  await visit("/app/settings");
  await page.getByRole("button", { name: "Sign out everywhere" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText(/all \d\d sessions, this one included/).waitFor();
  await signInElsewhere(account, 2);
  await dialog.getByRole("button", { name: "Sign out everywhere" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  const left = await world.service.db.kysely
    .selectFrom("sessions")
    .select("id")
    .where("account_id", "=", account.id)
    .execute();
  expect(left).toEqual([]);
  await givePassword(visitor, account.email);
  await page.getByRole("heading", { name: "Settings", level: 1 }).waitFor();
  expect(await visitor.faults()).toEqual([]);
  await visitor.close();
});

test.each([
  [503, "SERVICE_UNAVAILABLE", "The database is away"],
  [429, "RATE_LIMIT_EXCEEDED", "Too many calls"],
])(
  "while the service cannot end the session (%i), the page says that it goes on",
  async (status, code, message) => {
    const account = await world.service.openAccount();
    const visitor = await world.signedIn(account, { width: 390 });
    const { page } = visitor;
    const path = "**/api/dashboard/sign-out";
    const errors = [{ code, message, field: null, details: null }];
    await page.route(path, (route) => route.fulfill({ status, json: { errors, request_id: "r" } }));
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByText("You are still signed in.").waitFor();
    await page.getByText(message).waitFor();
    expect(await visitor.picture(`sign-out-${status}`)).toEqual([]);
    await page.unroute(path);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await visitor.close();
  },
);
