import { expect, test } from "vitest";
import { openPage, PASSWORD } from "./dashboard.ts";
import { plainText, tokenIn } from "./mailbox.ts";
import { startSmtpServer } from "./servers/smtp-server.ts";
import { startTestService, until } from "./service.ts";

test("a lost password: one answer for everybody, one mail for whom it is", async () => {
  const smtp = await startSmtpServer();
  const service = await startTestService({
    file: {
      server: { public_url: "https://rep.example/" },
      dashboard: { signup: "open" },
      mail: { smtp_url: smtp.url },
    },
  });
  try {
    const page = openPage({ ...service, address: "https://rep.example" });
    await service.accounts.createAccount({ email: "ann@example.com" });
    const ask = (email: string) => page.call("POST", "/password/reset-request", { email });
    const answers = [await ask("nobody@example.com"), await ask("Ann@example.com")];
    expect(answers.map((answer) => [answer.status, answer.of("data")])).toEqual([
      [200, { done: true }],
      [200, { done: true }],
    ]);
    await until(() => smtp.mails.length > 0);
    const [mail] = smtp.mails;
    expect(mail?.to).toEqual(["ann@example.com"]);
    expect(mail?.from).toContain("repute@rep.example");
    expect(plainText(mail?.text ?? "")).toContain("https://rep.example/app/reset#token=");
    const token = tokenIn(plainText(mail?.text ?? ""), "reset");
    const reset = await page.call("POST", "/password/reset", { token, new_password: "a new password" });
    expect(reset.of("data", "account", "email")).toBe("ann@example.com");
    expect(page.cookie()).toMatch(/^repute_session=/);
    const [cookie = ""] = [reset.headers["set-cookie"] ?? []].flat();
    expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Lax; Secure$/);
    expect((await page.call("GET", "/session")).of("data", "has_mail")).toBe(true);
    expect(smtp.mails).toHaveLength(1);
    for (const secret of [token, page.cookie()?.split("=")[1] ?? "", "a new password"]) {
      expect(service.logged()).not.toContain(secret);
    }
    // Bound to the public address: this machine's own is another origin.
    const here = openPage(service);
    expect((await here.call("POST", "/sign-in", { email: "a@b.example", password: PASSWORD })).status).toBe(
      403,
    );
  } finally {
    await service.close();
    await smtp.close();
  }
});

test("without mail nothing is sent, and the log says so; the answer does not", async () => {
  const service = await startTestService();
  try {
    await service.accounts.createAccount({ email: "ann@example.com" });
    const page = openPage(service);
    const answer = await page.call("POST", "/password/reset-request", { email: "ann@example.com" });
    expect([answer.status, answer.of("data")]).toEqual([200, { done: true }]);
    await until(() => service.logged().includes("nothing was sent"));
    for (let i = 0; i < 9; i++)
      await page.call("POST", "/password/reset-request", { email: `a${i}@example.com` });
    const refused = await page.call("POST", "/password/reset-request", { email: "b@example.com" });
    expect([refused.status, refused.headers["x-ratelimit-scope"]]).toEqual([429, "requests"]);
  } finally {
    await service.close();
  }
});

test("closed to strangers, and said so before they type", async () => {
  const service = await startTestService();
  try {
    const page = openPage(service);
    expect((await page.call("GET", "/session")).of("data", "signup")).toBe("closed");
    const answer = await page.call("POST", "/sign-up", { email: "ann@example.com", password: PASSWORD });
    expect([answer.status, answer.of("errors")]).toMatchObject([403, [{ code: "SIGN_UP_CLOSED" }]]);
  } finally {
    await service.close();
  }
});
