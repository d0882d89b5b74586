import type { Accounts } from "../src/accounts/account-store.ts";
import type { Database } from "../src/db/database.ts";
import { type Page, personPage } from "../test/dashboard.ts";
import { callService } from "../test/service.ts";
import type { OwnAccount } from "./ground.ts";
import type { Findings } from "./scenario.ts";
import type { OwnService } from "./services.ts";

/** A run of a scenario, and the page of who pays for it. */
export type OwnRun = {
  readonly id: string;
  readonly owner: OwnAccount;
  readonly page: Page;
  /** Calls what is below the run's own address. */
  readonly press: (button: "start" | "cancel") => Promise<number>;
};

const PIECE = 2000;

type Books = { readonly db: Database; readonly accounts: Accounts };

/** Lets a person sign in at a service and start a run of so many addresses, each of them once. */
export async function startRun(
  { port }: OwnService,
  { owner, lines, db }: { readonly owner: OwnAccount; readonly lines: number; readonly db: Database },
): Promise<OwnRun> {
  const at = { address: `http://127.0.0.1:${port}`, call: callService.bind(null, port), db };
  const page = await personPage(at, owner.id);
  const made = await page.call("POST", "/runs", { name: "chaos", columns: ["ip"] });
  const id = String(made.of("data", "id"));
  const rows = Array.from({ length: lines }, (_, i) => [`192.88.${i >> 8}.${i & 255}`]);
  for (let from = 0; from < lines; from += PIECE) {
    const piece = { first_line: from + 1, column: 0, rows: rows.slice(from, from + PIECE) };
    const added = await page.call("POST", `/runs/${id}/lines`, piece);
    if (added.status !== 200) throw new Error(`Lines were not added: ${added.text}`);
  }
  const press: OwnRun["press"] = async (button) => (await page.call("POST", `/runs/${id}/${button}`)).status;
  if ((await press("start")) !== 200) throw new Error("The run does not start");
  return { id, owner, page, press };
}

/** Lines of a run that have an answer. */
export async function doneOf({ db }: Pick<Books, "db">, { id }: OwnRun): Promise<number> {
  const rows = db.kysely.selectFrom("bulk_run_items").select("line").where("run_id", "=", id);
  return (await rows.where("state", "=", "done").execute()).length;
}

/** How a run stands, with the reason of a pause. */
export async function stateOf({ db }: Pick<Books, "db">, { id }: OwnRun): Promise<string> {
  const { state, reason } = await db.kysely
    .selectFrom("bulk_runs")
    .select(["state", "reason"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return reason === null ? state : `${state}: ${reason}`;
}

/** Holds a run against what it cost: each line that is done has one answer and was paid once, and nothing else was. */
export async function checkRun(
  run: OwnRun,
  { books, granted, findings }: { books: Books; granted: number; findings: Findings },
): Promise<void> {
  const { db, accounts } = books;
  const items = await db.kysely
    .selectFrom("bulk_run_items")
    .select(["state", "credits", "result_id"])
    .where("run_id", "=", run.id)
    .execute();
  const results = await db.kysely
    .selectFrom("results")
    .select(["id", "target"])
    .where("run_id", "=", run.id)
    .execute();
  const calls = await db.kysely
    .selectFrom("calls")
    .select(["request_id", "credits", "items"])
    .where("account_id", "=", run.owner.id)
    .execute();
  const done = items.filter(({ state }) => state === "done");
  const sum = (rows: readonly { readonly credits: number }[]) =>
    rows.reduce((all, { credits }) => all + Number(credits), 0);
  const balance = (await accounts.findAccount(run.owner.email))?.credits ?? Number.NaN;
  const seen = {
    ...{ answers: results.length, targets: new Set(results.map(({ target }) => target)).size },
    linked: new Set(done.map(({ result_id: id }) => id)).size,
    ...{ lines: sum(items), history: sum(calls), balance: granted - balance },
    begun: calls.length === new Set(calls.map(({ request_id: id }) => id)).size,
  };
  const must = Object.fromEntries(Object.keys(seen).map((key) => [key, key === "begun" || done.length]));
  findings.expect(
    JSON.stringify(seen) === JSON.stringify(must),
    `each of ${done.length} lines is answered and paid once: ${JSON.stringify(seen)}`,
  );
}
