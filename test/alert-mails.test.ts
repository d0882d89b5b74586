import { expect, test } from "vitest";
import { createAccounts } from "../src/accounts/account-store.ts";
import { createAlerts } from "../src/alerts/alerts.ts";
import { systemRandom } from "../src/base/clock.ts";
import type { SourceHistory } from "../src/feeds/retrieval/source-days.ts";
import { createMail, mailOptionsSchema } from "../src/net/mail/mail.ts";
import { forEachDatabase } from "./databases.ts";
import { mailsTo } from "./mailbox.ts";
import { createMovableClock } from "./movable-clock.ts";
import { startSmtpServer } from "./servers/smtp-server.ts";

// What the upkeep of a service mails by itself, through a mail server on loopback. Sign-ins are in dashboard-mail.test.ts.

forEachDatabase((_dialect, database) => {
  test("few credits are mailed to the account's owners, a failing source to those of the installation", async () => {
    const clock = createMovableClock();
    const db = await database.open(clock);
    const smtp = await startSmtpServer();
    try {
      const accounts = createAccounts({ db, clock, random: systemRandom });
      await accounts.createAccount({ email: "boss@example.com", isOwner: true });
      const team = await accounts.createAccount({ email: "ann@example.com", plan: "Starter" });
      const rows = (["owner", "member"] as const).map((role) => ({
        ...{ id: `${role} of the team`, account_id: team.id, email: `${role}@example.com`, role },
        ...{ is_invited: 1, created_at: 2 },
      }));
      await db.kysely.insertInto("people").values(rows).execute();
      await accounts.setCredits({ accountId: team.id, credits: 3 });
      const yesterday = new Date(clock.now().getTime() - 86_400_000).toISOString().slice(0, 10);
      const history: SourceHistory = new Map([
        ["cins", [{ day: yesterday, checks: 96, healthy: 0, trouble: "error" }]],
      ]);
      const mail = mailOptionsSchema.parse({ smtp_url: smtp.url });
      const alerts = createAlerts({
        ...{ db, clock, owners: [], base: () => "https://repute.example" },
        log: { warn: (entry: unknown) => expect(entry).toBe("no warning") },
        send: createMail(mail, { senderHost: "repute.example", caFile: null }),
        sources: () => [{ key: "cins", name: "CINS Army", status: "error", last_error: "HTTP 503" }],
        history: async () => history,
      });
      await alerts.sweep();
      await alerts.sweep();
      for (const email of ["ann@example.com", "owner@example.com"]) {
        const [first, ...more] = await mailsTo(smtp, email);
        expect([first, more]).toEqual([expect.stringContaining("Few credits are left"), []]);
      }
      const [source] = await mailsTo(smtp, "boss@example.com");
      expect(source).toContain("CINS Army (cins): HTTP 503");
      expect(smtp.mails).toHaveLength(3);
    } finally {
      await smtp.close();
    }
  });
});
