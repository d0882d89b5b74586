import { afterAll, beforeAll, expect, test } from "vitest";
import { PASSWORD } from "../dashboard.ts";
import { mailsTo, tokenIn } from "../mailbox.ts";
import type { TestAccount } from "../service.ts";
import { type DashboardWorld, givePassword, LISTED, lookUp, openDashboardWorld } from "./dashboard-world.ts";
import { settle, type Visitor } from "./visitor.ts";

// Several people on one account, as they see it.

let world: DashboardWorld;
let account: TestAccount;
let owner: Visitor;
beforeAll(async () => {
  world = await openDashboardWorld();
  account = await world.service.openAccount({ plan: "Starter" });
  owner = await world.signedIn(account);
});
afterAll(() => world.close());

/** Invites by the form, and gives the link of the mail. */
async function invite(email: string, role: string): Promise<string> {
  const { page, visit } = owner;
  await visit("/app/people");
  await page.getByRole("button", { name: "Invite a person" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("E-mail", { exact: true }).fill(email);
  await dialog.getByRole("radio", { name: role }).check();
  await dialog.getByRole("button", { name: "Invite", exact: true }).click();
  await dialog.getByText("A link is on its way").waitFor();
  await dialog.getByRole("button", { name: "Done" }).click();
  await page.getByRole("cell", { name: role }).last().waitFor();
  const [mail] = await mailsTo(world.service, email);
  return `/app/join#token=${tokenIn(mail, "join")}`;
}

async function join(link: string): Promise<Visitor> {
  const visitor = await world.newVisitor();
  const { page, visit } = visitor;
  await visit(link);
  await page.getByText("invites you to the account").waitFor();
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  expect(await visitor.inspect()).toEqual([]);
  expect(await visitor.picture("join")).toEqual([]);
  await page.getByRole("button", { name: "Join" }).click();
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  await settle(page);
  return visitor;
}

test("a member joins by a link, looks up, makes a key, and sees neither billing buttons nor the account's end", async () => {
  const member = await join(await invite("mia@example.com", "Member"));
  const { page, visit } = member;
  await page.getByText("Member of account-1@example.com").first().waitFor();
  await visit("/app/lookup");
  await lookUp(member, LISTED);
  await page.locator(".answer").waitFor();
  await visit("/app/keys");
  await page.getByRole("button", { name: "Create key" }).click();
  await page.getByRole("dialog").locator("input[name=name]").fill("mia's");
  await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
  await page.getByRole("button", { name: "I have stored it" }).click();
  await page.getByText("Of another person").first().waitFor();
  expect(await page.getByRole("button", { name: /^Revoke/ }).count()).toBe(1);
  expect(await member.picture("keys-member")).toEqual([]);
  await visit("/app/people");
  await page.getByText("mia@example.com").first().waitFor();
  expect(await page.getByRole("button", { name: "Invite a person" }).count()).toBe(0);
  await visit("/app/settings");
  expect(await page.getByRole("button", { name: "Delete account" }).count()).toBe(0);
  await page.getByRole("button", { name: "Leave this account" }).waitFor();
  expect(await member.faults()).toEqual([]);
  await member.close();
});

test("a viewer reads every page and is told why nothing changes", async () => {
  const viewer = await join(await invite("vic@example.com", "Viewer"));
  const { page, visit } = viewer;
  for (const path of [
    "",
    "/lookup",
    "/bulk",
    "/results",
    "/keys",
    "/usage",
    "/people",
    "/billing",
    "/feeds",
  ]) {
    await visit(`/app${path}`);
    await page.getByText("You are a viewer of this account").waitFor();
    expect([path, await viewer.inspect()]).toEqual([path, []]);
  }
  await visit("/app/keys");
  expect(await page.getByRole("button", { name: "Create key" }).isDisabled()).toBe(true);
  expect(await page.getByText("Create the first one above").count()).toBe(0);
  await visit("/app/lookup");
  expect(await viewer.picture("lookup-viewer")).toEqual([]);
  await visit("/app/settings");
  await page.getByRole("heading", { name: "Password" }).waitFor();
  expect(await viewer.faults()).toEqual([]);
  await viewer.close();
});

test("a person who is removed is signed out, and the last owner cannot leave", async () => {
  const gone = await join(await invite("guy@example.com", "Member"));
  const { page } = owner;
  await owner.visit("/app/people");
  await page.getByRole("button", { name: "Remove guy@example.com" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await page.getByText("guy@example.com is removed").waitFor();
  await gone.page.reload();
  await gone.page.getByRole("heading", { name: "Sign in" }).waitFor();
  await givePassword(gone, "guy@example.com");
  await gone.page.getByText("Wrong e-mail address or password").waitFor();
  await page.getByRole("button", { name: "Leave this account" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
  await page.getByText("This is the only owner of the account").waitFor();
  await gone.close();
});
