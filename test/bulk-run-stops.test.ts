import { createServer, type Server } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deleteAccount } from "../src/accounts/delete-account.ts";
import { systemClock, systemRandom } from "../src/base/clock.ts";
import { type Page, personPage } from "./dashboard.ts";
import { forEachDatabase } from "./databases.ts";
import { startTestService, type TestAccount, type TestService, until } from "./service.ts";

// A run that is ended elsewhere while a batch of it is at work here: nothing more is asked, and nothing is charged.

/** Several times what is looked up at once. */
const LINES = 25;

/** A registry that takes its time, and keeps what it was asked. */
async function startRegistry(questions: string[]): Promise<Server> {
  const server = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.once("data", async (text) => {
      questions.push(text.toString());
      await systemClock.sleep(1500);
      socket.end("No match for domain\r\n");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

type Begun = {
  readonly account: TestAccount;
  readonly page: Page;
  readonly id: string;
};

forEachDatabase(
  (dialect, database) => {
    const questions: string[] = [];
    let registry: Server;
    let service: TestService;
    beforeAll(async () => {
      const url = dialect === "postgres" ? { databaseUrl: database.url() } : {};
      registry = await startRegistry(questions);
      const servers = { com: `127.0.0.1:${portOf(registry)}` };
      service = await startTestService({ ...url, file: { whois: { servers } } });
      await until(async () => (await service.call({ method: "GET", path: "/readyz" })).status === 200);
    });
    afterAll(async () => {
      await service.close();
      registry.close();
    });

    /** Each line asks for a name that tells whose it is. */
    const begin = async (what: string, from: string): Promise<Begun> => {
      const account = await service.openAccount();
      const page = await personPage(service, account.id, from);
      const made = await page.call("POST", "/runs", { name: what, columns: ["name"] });
      const id = String(made.of("data", "id"));
      const rows = Array.from({ length: LINES }, (_, at) => [`l${at + 1}-${what}.com`]);
      const lines = { first_line: 1, column: 0, domains_as: "whois-lookup", rows };
      expect((await page.call("POST", `/runs/${id}/lines`, lines)).status).toBe(200);
      expect((await page.call("POST", `/runs/${id}/start`)).status).toBe(200);
      return { account, page, id };
    };

    const asked = (what: string): number =>
      questions.filter((name) => name.toLowerCase().includes(`${what}.com`)).length;

    const ENDS: Readonly<Record<string, (run: Begun) => Promise<unknown>>> = {
      goeson: async () => undefined,
      cancelled: ({ page, id }) => page.call("POST", `/runs/${id}/cancel`),
      signedout: ({ page }) => page.call("POST", "/sign-out"),
      disabled: ({ account }) => service.accounts.setDisabled({ accountId: account.id, isDisabled: true }),
      deleted: ({ account }) =>
        deleteAccount(
          { accountId: account.id, actor: "cli" },
          { mayCollect: () => false, owners: [] },
          { db: service.db, clock: systemClock, random: systemRandom },
        ),
    };

    test.each(Object.keys(ENDS))("%s", { timeout: 60_000 }, async (what) => {
      const run = await begin(what, `127.0.21.${1 + Object.keys(ENDS).indexOf(what)}`);
      await until(() => asked(what) > 0);
      await ENDS[what]?.(run);
      if (what === "goeson") {
        await until(() => asked(what) === LINES);
        return;
      }
      // Seen within two seconds.
      await systemClock.sleep(4000);
      const then = asked(what);
      await systemClock.sleep(4000);
      expect(then).toBeLessThan(LINES);
      expect(asked(what)).toBe(then);
      const calls = service.db.kysely
        .selectFrom("calls")
        .select("id")
        .where("account_id", "=", run.account.id);
      expect(await calls.execute()).toEqual([]);
    });
  },
  { lasting: true },
);
