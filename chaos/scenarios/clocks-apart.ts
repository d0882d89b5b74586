import { NO_LIMITS } from "../../src/accounts/key-options.ts";
import { systemClock } from "../../src/base/clock.ts";
import { openPage, PASSWORD, type Page, personPage } from "../../test/dashboard.ts";
import { callService } from "../../test/service.ts";
import { createFakeClock } from "../fake-clock.ts";
import { type Ground, openAccounts } from "../ground.ts";
import { askPaid, expectSoon, isWell } from "../looks.ts";
import type { Findings, Scenario } from "../scenario.ts";
import type { OwnService } from "../services.ts";

const CREDITS = 100;
const DAY_S = 86_400;
const HOUR_MS = 3_600_000;
/** Longer than a cycle of credits, a session's life and the time that results are kept. */
const OFF_S = [31 * DAY_S, -31 * DAY_S, 0];

type Setting = Awaited<ReturnType<typeof begin>>;

/** The machines of one service have clocks of their own. */
export const clocksApart: Scenario = {
  name: "clocks-apart",
  what: "machines' clocks are a month apart: keys, sessions, results and cycles of credits end by PostgreSQL's clock",
  needs: ["linux", "postgres", "valkey", "faketime"],
  run: async (ground, findings) => {
    const setting = await begin(ground);
    const keys = await makeKeys(setting);
    const pages = await keepResults(setting, findings);
    await runUpkeep(ground, setting, findings);
    await checkPages(setting, pages, findings);
    await checkKeys(setting, keys, findings);
    await checkCredits(setting, findings);
    const [ahead, behind, right] = setting.services;
    findings.expect(
      [ahead, behind].every((service) => service?.written().includes("clock of this machine")),
      "a machine's clock that is off is told",
    );
    findings.expect(!right?.written().includes("clock of this machine"), "one that is right is not");
  },
};

async function begin(ground: Ground) {
  const [postgres, valkey] = await Promise.all([ground.postgres(), ground.valkey()]);
  const { db, accounts } = await ground.open(postgres.url);
  const env = { DATABASE_URL: postgres.url, VALKEY_URL: valkey.url };
  const services: OwnService[] = [];
  for (const [i, seconds] of OFF_S.entries()) {
    const clock = createFakeClock(ground, `clock-${i}`);
    clock.set(seconds);
    services.push(await ground.service({ env: { ...env, ...clock.env } }));
  }
  ground.say("Starting three processes");
  await Promise.all(services.map(({ start }) => start()));
  const [owner] = await openAccounts(accounts, 1, { plan: "Starter", credits: CREDITS });
  if (owner === undefined) throw new Error("There is no account");
  return { db, accounts, services, owner };
}

const inAnHour = () => new Date(Date.now() + HOUR_MS);

async function makeKeys({ accounts, owner: { email } }: Setting) {
  const make = async (expiresAt: Date) =>
    (await accounts.createKey({ email, options: { ...NO_LIMITS, expiresAt } })).text;
  const limited = await make(inAnHour());
  const ending = await make(new Date(Date.now() + 2000));
  const old = await accounts.createKey({ email });
  const { text: rolled } = await accounts.rollKey(old.key.id, { overlapMs: HOUR_MS });
  return { alive: [limited, old.text, rolled], ending };
}

const reachable = ({ port }: OwnService) => ({
  address: `http://127.0.0.1:${port}`,
  call: (wish: Parameters<typeof callService>[1]) => callService(port, wish),
});

/** A person who signed in on each of them, and looked something up. */
async function keepResults({ db, services, owner }: Setting, findings: Findings): Promise<readonly Page[]> {
  const pages: Page[] = [];
  for (const service of services) {
    const page = await signedIn(service, { db, owner, isFirst: pages.length === 0 });
    const { status } = await page.call("POST", "/lookup/check-ip", { ip: "8.8.8.8" });
    findings.expect(status === 200, `a person looks something up: ${status}`);
    pages.push(page);
  }
  const kept = () => db.kysely.selectFrom("results").select("id").execute();
  await expectSoon(findings, "results are kept", async () => (await kept()).length === services.length);
  return pages;
}

async function signedIn(
  service: OwnService,
  { db, owner, isFirst }: Pick<Setting, "db" | "owner"> & { readonly isFirst: boolean },
): Promise<Page> {
  if (isFirst) return personPage({ ...reachable(service), db }, owner.id);
  const page = openPage(reachable(service));
  await page.call("POST", "/sign-in", { email: owner.email, password: PASSWORD });
  return page;
}

const ENDED_LINK = { created_at: 0, expires_at: 1, ends_totp: 0 };

/** Each of them alone takes away what has ended: a link whose time is over shows that it has. */
async function runUpkeep(
  ground: Ground,
  { db, services, owner }: Setting,
  findings: Findings,
): Promise<void> {
  for (const { stop } of services) await stop();
  for (const [i, service] of services.entries()) {
    ground.say(`Upkeep by a process whose clock is off by ${OFF_S[i]} s`);
    await db.kysely
      .insertInto("reset_tokens")
      .values({ token_hash: `ended-${i}`, person_id: owner.id, ...ENDED_LINK })
      .execute();
    await service.start();
    await expectSoon(findings, "what has ended is taken away", async () => {
      const rows = await db.kysely.selectFrom("reset_tokens").select("token_hash").execute();
      return rows.length === 0;
    });
    // Results and expired keys come right behind it.
    await systemClock.sleep(1000);
    await service.stop();
  }
  await Promise.all(services.map(({ start }) => start()));
  for (const service of services) await expectSoon(findings, "limits are shared", () => isWell(service));
}

async function checkPages({ services }: Setting, pages: readonly Page[], findings: Findings): Promise<void> {
  for (const [i, page] of pages.entries()) {
    for (const [j, service] of services.entries()) {
      const other = openPage(reachable(service));
      other.setCookie(page.cookie());
      const answer = await other.call("GET", "/results");
      const seen = answer.status === 200 ? answer.of("data", "total") : answer.status;
      findings.expect(
        seen === services.length,
        `a session of process ${i} sees at ${j} all results: ${String(seen)}`,
      );
    }
  }
}

async function checkKeys(
  { db, services }: Setting,
  { alive, ending }: Awaited<ReturnType<typeof makeKeys>>,
  findings: Findings,
): Promise<void> {
  for (const [i, service] of services.entries()) {
    for (const [j, key] of alive.entries()) {
      const { status } = await askPaid(service, key);
      findings.expect(status === 200, `key ${j} works at process ${i}: ${status}`);
    }
    const { status } = await askPaid(service, ending);
    findings.expect(status === 401, `a key whose time is over is refused by process ${i}: ${status}`);
  }
  const rows = await db.kysely.selectFrom("api_keys").select("revoked_at").execute();
  const ended = rows.filter(({ revoked_at: at }) => at !== null).length;
  findings.expect(ended === 1, `the upkeep ended that key alone: ${ended}`);
}

/** No process begins a cycle that has not come, nor puts the end of one off. */
async function checkCredits({ db, services, owner }: Setting, findings: Findings): Promise<void> {
  const spent = (await db.kysely.selectFrom("calls").select("credits").execute()).reduce(
    (sum, { credits }) => sum + credits,
    0,
  );
  let left = CREDITS - spent;
  for (const service of [...services, ...services]) {
    const { status, headers } = await askPaid(service, owner.key);
    left--;
    const seen = `${status} ${headers["x-credits-remaining"]}`;
    findings.expect(seen === `200 ${left}`, `a call takes one credit of one balance: ${seen}, not ${left}`);
  }
  // It is over by the clock of PostgreSQL: the first process that is asked grants the next one.
  const over = { credits: 0, credits_reset_at: Date.now() - 1000 };
  await db.kysely.updateTable("accounts").set(over).where("id", "=", owner.id).execute();
  const seen: string[] = [];
  for (const service of [...services, ...services]) {
    const { headers } = await askPaid(service, owner.key);
    seen.push(String(headers["x-credits-remaining"]));
  }
  const wanted = seen.map((_, i) => String(79_999 - i));
  findings.expect(seen.join() === wanted.join(), `a cycle is granted once: ${seen.join(", ")}`);
}
