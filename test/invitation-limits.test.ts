import { afterAll, beforeAll, expect, test } from "vitest";
import { openPage, PASSWORD, type Page, personPage } from "./dashboard.ts";
import { forEachDatabase } from "./databases.ts";
import { startTestService, type TestService } from "./service.ts";

forEachDatabase(
  (dialect, database) => {
    let service: TestService;
    let clients = 0;
    const client = () => `127.0.12.${++clients}`;
    beforeAll(async () => {
      service = await startTestService(dialect === "postgres" ? { databaseUrl: database.url() } : {});
    });
    afterAll(() => service.close());
    const newOwner = async () => personPage(service, (await service.openAccount()).id, client());
    const invite = async (owner: Page, email: string) =>
      (await owner.call("POST", "/people", { email, role: "member" })).status;

    test("one account's invitations that are not wanted do not keep an address from joining another", async () => {
      const email = "wanted@example.com";
      const [stranger, owner] = [await newOwner(), await newOwner()];
      for (let times = 0; times < 3; times++) expect(await invite(stranger, email)).toBe(200);
      expect(await invite(stranger, email)).toBe(429);
      const made = await owner.call("POST", "/people", { email, role: "member" });
      const token = String(made.of("data", "path")).split("token=")[1];
      const joined = await openPage(service, client()).call("POST", "/join", { token, password: PASSWORD });
      expect([made.status, joined.status]).toEqual([200, 200]);
    });

    test("an address is invited ten times a day by all accounts together", async () => {
      const email = "flooded@example.com";
      const statuses: number[] = [];
      for (let accounts = 0; accounts < 4; accounts++) {
        const owner = await newOwner();
        for (let times = 0; times < 3; times++) statuses.push(await invite(owner, email));
      }
      expect(statuses).toEqual([...Array<number>(10).fill(200), 429, 429]);
    });

    test("what is refused counts for no address", async () => {
      const account = await service.openAccount();
      const owner = await personPage(service, account.id, client());
      for (let times = 0; times < 12; times++) expect(await invite(owner, account.email)).toBe(422);
      expect(await invite(await newOwner(), account.email)).toBe(200);
    });
  },
  { lasting: true },
);
