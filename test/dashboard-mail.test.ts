import { expect, test } from "vitest";
import { keyPage, openPage, PASSWORD, signedUpPage } from "./dashboard.ts";
import { mailsTo, plainText, tokenIn } from "./mailbox.ts";
import { startSmtpServer } from "./servers/smtp-server.ts";
import { startTestService, until } from "./service.ts";

test("a lost password: the same answer for every address, a mail only to an account", async () => {
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
    await until(() => service.logged().includes("no mail was sent"));
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

test("a sign-in from a new network is mailed, unless the account wants no such mail", async () => {
  const service = await startTestService({ file: { dashboard: { signup: "open" } } });
  try {
    const email = "ann@example.com";
    const page = await signedUpPage(service, email, "127.0.7.1");
    const told = async () => (await page.call("GET", "/alerts")).of("data");
    expect(await told()).toEqual({ credits_percent: 20, sign_in: true, sources: true });
    const signIn = async (from: string) => {
      const answer = await openPage(service, from).call("POST", "/sign-in", { email, password: PASSWORD });
      expect(answer.status).toBe(200);
    };
    const countNetworks = async (count: number) =>
      until(
        async () =>
          (await service.db.kysely.selectFrom("person_networks").selectAll().execute()).length === count,
      );
    await countNetworks(1);
    await signIn("127.0.9.1");
    const [, mail = ""] = await mailsTo(service, email, 2);
    expect(plainText(mail)).toContain("from 127.0.9.1, a network that this account had not been used from");
    const wish = { credits_percent: 0, sign_in: false, sources: false };
    expect((await page.call("POST", "/alerts", wish)).of("data")).toEqual(wish);
    expect((await page.call("POST", "/alerts", { ...wish, credits_percent: 91 })).status).toBe(422);
    await signIn("127.0.11.1");
    await countNetworks(3);
    expect(await mailsTo(service, email, 2)).toHaveLength(2);
    const account = await service.openAccount();
    const reader = await keyPage(service, account.key);
    expect((await reader.call("GET", "/alerts")).status).toBe(403);
  } finally {
    await service.close();
  }
});

test("an invitation is mailed and its link is shown nowhere; an address with an account gets none", async () => {
  const service = await startTestService({ file: { dashboard: { signup: "open" } } });
  try {
    const owner = await signedUpPage(service, "ann@example.com", "127.0.7.2");
    const invite = async (email: string) => {
      const answer = await owner.call("POST", "/people", { email, role: "viewer" });
      expect([answer.status, answer.of("data", "path")]).toEqual([200, null]);
      return (await mailsTo(service, email))[0];
    };
    const mail = await invite("bob@example.com");
    expect(mail).toContain("ann@example.com invites bob@example.com to the account ann@example.com");
    const token = tokenIn(mail, "join");
    const view = await openPage(service, "127.0.7.3").call("POST", "/join/view", { token });
    expect(view.of("data")).toEqual({
      email: "bob@example.com",
      role: "viewer",
      account: "ann@example.com",
      invited_by: "ann@example.com",
    });
    const joined = await openPage(service, "127.0.7.3").call("POST", "/join", { token, password: PASSWORD });
    expect(joined.of("data", "account", "person", "role")).toBe("viewer");
    const other = await service.openAccount();
    const refused = await invite(other.email);
    expect(refused).toContain("This address signs in to another account there already");
    expect(tokenIn(refused, "join")).toBe("");
  } finally {
    await service.close();
  }
});

test("what people asked for while the mail server took nothing is mailed when it does, and counts as before", async () => {
  let isOut = true;
  let refused = 0;
  const smtp = await startSmtpServer({
    odd: (verb) => {
      if (!isOut || verb !== "RCPT") return undefined;
      refused++;
      return "451 try later";
    },
  });
  const service = await startTestService({
    file: { dashboard: { signup: "open" }, mail: { smtp_url: smtp.url } },
  });
  try {
    isOut = false;
    const owner = await signedUpPage({ ...service, mails: smtp.mails }, "ann@example.com", "127.0.7.4");
    isOut = true;
    const page = openPage(service, "127.0.7.5");
    const signUp = async () => (await page.call("POST", "/sign-up", { email: "bob@example.com" })).status;
    expect([await signUp(), await signUp(), await signUp(), await signUp()]).toEqual([200, 200, 200, 429]);
    for (const email of ["ann@example.com", "unknown@example.com"]) {
      expect((await page.call("POST", "/password/reset-request", { email })).status).toBe(200);
    }
    const invited = await owner.call("POST", "/people", { email: "cid@example.com", role: "viewer" });
    expect(invited.status).toBe(200);
    const mistaken = "mistaken@example.com";
    await owner.call("POST", "/people", { email: mistaken, role: "viewer" });
    await until(() => refused >= 6);
    const { invitations } = JSON.parse((await owner.call("GET", "/people")).text).data;
    const { id } = invitations.find(({ email }: { readonly email: string }) => email === mistaken);
    expect((await owner.call("DELETE", `/invitations/${id}`)).status).toBe(200);
    isOut = false;
    const links = (await mailsTo(smtp, "bob@example.com", 3)).map((mail) => tokenIn(mail, "open"));
    expect(new Set(links).size).toBe(3);
    const view = await page.call("POST", "/sign-up/view", { token: links[0] });
    expect(view.of("data")).toEqual({ email: "bob@example.com" });
    const [, reset] = await mailsTo(smtp, "ann@example.com", 2);
    expect(tokenIn(reset, "reset")).not.toBe("");
    const [invitation] = await mailsTo(smtp, "cid@example.com");
    expect(tokenIn(invitation, "join")).not.toBe("");
    // Of an invitation that was withdrawn there is none; it would have been tried before this one.
    isOut = true;
    const before = refused;
    await openPage(service, "127.0.7.6").call("POST", "/sign-up", { email: "dan@example.com" });
    await until(() => refused > before);
    isOut = false;
    await mailsTo(smtp, "dan@example.com");
    expect(smtp.mails.filter(({ to }) => to.includes(mistaken))).toEqual([]);
    expect(smtp.mails).toHaveLength(7);
    expect(await signUp()).toBe(429);
  } finally {
    await service.close();
    await smtp.close();
  }
});

test.each(["554", "452"])("the log repeats no link of a mail that is refused with %s", async (code) => {
  let said = "";
  const linkSaid = () => /http\S+#token=[\w-]+/.exec(plainText(said.replaceAll("\r", "")))?.[0] ?? "";
  const smtp = await startSmtpServer({
    odd: (verb, socket) => {
      if (verb === "GREETING") socket.on("data", (chunk) => (said += chunk.toString("utf8")));
      const link = linkSaid();
      const forms = [link, link.replace("=", "=3D"), encodeURIComponent(link)];
      return verb === "." ? `${code} blocked for ${forms.join(" ")} in it` : undefined;
    },
  });
  const service = await startTestService({
    file: { dashboard: { signup: "open" }, mail: { smtp_url: smtp.url } },
  });
  try {
    await openPage(service).call("POST", "/sign-up", { email: "ann@example.com" });
    await until(() => service.logged().includes("blocked for"));
    const [, token = ""] = linkSaid().split("#token=");
    expect(token).toHaveLength(43);
    expect(service.logged()).not.toContain(token);
  } finally {
    await service.close();
    await smtp.close();
  }
});
