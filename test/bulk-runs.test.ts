import { Readable } from "node:stream";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { deleteAccount } from "../src/accounts/delete-account.ts";
import { systemClock, systemRandom } from "../src/base/clock.ts";
import { runCli } from "../src/cli/run.ts";
import { openPage, PASSWORD, type Page, personPage } from "./dashboard.ts";
import { forEachDatabase } from "./databases.ts";
import { historyOf } from "./ledger-setting.ts";
import { isLong } from "./long-form.ts";
import { startTestService, type TestAccount, type TestService, until } from "./service.ts";

type Lines = Readonly<Record<"waiting" | "done" | "failed" | "invalid" | "repeated", number>>;
type Run = {
  readonly state: string;
  readonly reason: string | null;
  readonly lines: Lines;
  readonly credits: number;
  readonly cost_left: number;
};

forEachDatabase(
  (dialect, database) => {
    let service: TestService;
    let account: TestAccount;
    let page: Page;
    let people = 0;
    beforeAll(async () => {
      const url = dialect === "postgres" ? { databaseUrl: database.url() } : {};
      service = await startTestService({ ...url, file: { dns: { timeout_ms: 500 } } });
      await until(async () => (await service.call({ method: "GET", path: "/readyz" })).status === 200);
    });
    afterAll(() => service.close());
    beforeEach(async () => {
      account = await service.openAccount();
      page = await personPage(service, account.id, `127.0.14.${++people}`);
    });

    const readRun = async (id: string, reader = page): Promise<Run> =>
      JSON.parse((await reader.call("GET", `/runs/${id}`)).text).data.run;

    const draft = async (rows: readonly (readonly string[])[], { columns = ["value"], column = 0 } = {}) => {
      const made = await page.call("POST", "/runs", { name: "list.csv", columns });
      const id = String(made.of("data", "id"));
      const added = await page.call("POST", `/runs/${id}/lines`, { first_line: 1, column, rows });
      expect(added.status).toBe(200);
      return id;
    };

    const started = async (id: string, state = "done"): Promise<Run> => {
      expect((await page.call("POST", `/runs/${id}/start`)).status).toBe(200);
      await until(async () => (await readRun(id)).state === state);
      return readRun(id);
    };

    test("lines of every kind are recognised, looked up, and each charged once at its price", async () => {
      const rows = [
        ["8.8.8.8", "one"],
        ["hxxps://example[.]com/login", "two"],
        ["someone@example.com", "three"],
        ["example.com", "four"],
        ["AS64500", "five"],
        ["8.8.8[.]8", "the same as one"],
        ["not a value", "six"],
        ["", "nothing"],
        [],
        ["1.1.1.1", "nine"],
      ];
      const id = await draft(rows, { columns: ["indicator", "note"] });
      const before = await readRun(id);
      expect(before).toMatchObject({
        state: "draft",
        lines: { waiting: 6, done: 0, failed: 0, invalid: 2, repeated: 1 },
        cost_left: 7,
      });
      expect(await service.balanceOf(account)).toBe(1_500_000);
      const run = await started(id);
      expect([run.lines.waiting, run.lines.done + run.lines.failed]).toEqual([0, 6]);
      const { items } = JSON.parse((await page.call("GET", `/runs/${id}/items`)).text).data;
      expect(items.map((item: { line: number; state: string }) => [item.line, item.state])).toMatchObject([
        [1, "done"],
        [2, expect.any(String)],
        [3, expect.any(String)],
        [4, expect.any(String)],
        [5, expect.any(String)],
        [6, "repeated"],
        [7, "invalid"],
        [8, "invalid"],
        [10, "done"],
      ]);
      expect(items[5]).toMatchObject({
        same_as: 1,
        verdict: items[0].verdict,
        result_id: items[0].result_id,
      });
      const spent = 1_500_000 - (await service.balanceOf(account));
      const { credits, dayCredits } = await historyOf(service, account.id);
      expect([run.credits, credits, dayCredits]).toEqual([spent, spent, spent]);
      const opened = await page.call("GET", `/results/${items[0].result_id}`);
      expect(opened.of("data", "result")).toMatchObject({
        target: "8.8.8.8",
        run_id: id,
        report: { ip: "8.8.8.8" },
      });
    });

    test.each([
      ["domain-reputation", "done", 1],
      ["dns-lookup", "done", 1],
      // No registry answers here: said as it is, and not charged.
      ["whois-lookup", "failed", 0],
    ])("domain names are looked up with %s where that is wished", async (domainsAs, state, credits) => {
      const made = await page.call("POST", "/runs", { name: "names.csv", columns: ["name"] });
      const id = String(made.of("data", "id"));
      const lines = { first_line: 1, column: 0, domains_as: domainsAs };
      const rows = [["Bücher.example."], ["xn--bcher-kva[.]example"]];
      await page.call("POST", `/runs/${id}/lines`, { ...lines, rows });
      expect((await started(id)).credits).toBe(credits);
      const { items } = JSON.parse((await page.call("GET", `/runs/${id}/items`)).text).data;
      expect(items).toMatchObject([
        { product: domainsAs, target: "xn--bcher-kva.example", state },
        { state: "repeated", same_as: 1 },
      ]);
      expect(items[0].note ?? "").not.toContain("internal_error");
      const [line] = JSON.parse((await page.call("GET", `/runs/${id}/json`)).text);
      if (state === "done") expect(line.report).toMatchObject({ domain: "xn--bcher-kva.example" });
    });

    test("the CSV has the given columns and ours, and no formula; the JSON has the reports", async () => {
      const evil = '=HYPERLINK("http://evil.example","x")';
      const id = await draft([["8.8.4.4", evil, "-5"]], { columns: ["ip", "@note", "n"] });
      await started(id);
      const csv = (await page.call("GET", `/runs/${id}/csv`)).text;
      const [head = "", line = ""] = csv.split("\r\n");
      expect(head).toBe(
        "\uFEFFip,'@note,n,repute_kind,repute_target,repute_state,repute_verdict,repute_score,repute_detections,repute_engines,repute_note",
      );
      expect(line).toMatch(
        /^8\.8\.4\.4,"'=HYPERLINK\(""http:\/\/evil\.example"",""x""\)",'?-5,ip,8\.8\.4\.4,done,/,
      );
      const json = JSON.parse((await page.call("GET", `/runs/${id}/json`)).text);
      expect(json).toMatchObject([
        {
          line: 1,
          given: [{ name: "ip", value: "8.8.4.4" }, { value: evil }, {}],
          report: { ip: "8.8.4.4" },
        },
      ]);
    });

    test("the columns behind the given ones, and their cells, are those of the command line", async () => {
      const values = ["8.8.8.8", "8.8.4[.]4", "someone@example.com", "AS15169", "not a value"];
      const id = await draft(
        values.map((value) => [value]),
        { columns: ["input"] },
      );
      await started(id);
      const csv = (await page.call("GET", `/runs/${id}/csv`)).text.replace("\uFEFF", "").split("\r\n");
      const { key } = account;
      let out = "";
      await runCli(["check", "-", "--csv", "--server", service.address], {
        env: { REPUTE_KEY: key },
        cwd: service.dataDir,
        isTerminal: false,
        stdin: Readable.from([values.join("\n")], { objectMode: false }),
        writeOut: (text) => {
          out += text;
        },
        writeError: () => undefined,
      });
      expect(out.split("\n")).toEqual(csv);
      const states = csv.slice(0, -1).map((line) => line.split(",")[3]);
      expect(states).toEqual(["repute_state", "done", "done", "done", "failed", "invalid"]);
    });

    test("it pauses where the balance ends, says so, and goes on when it is resumed", async () => {
      await service.accounts.setCredits({ email: account.email, credits: 3 });
      const id = await draft([1, 2, 3, 4, 5].map((last) => [`192.88.98.${last}`]));
      const paused = await started(id, "paused");
      expect(paused).toMatchObject({ reason: "credits", credits: 3, lines: { done: 3, waiting: 2 } });
      expect(await service.balanceOf(account)).toBe(0);
      await service.accounts.setCredits({ email: account.email, credits: 10 });
      expect(await started(id)).toMatchObject({ credits: 5, lines: { done: 5, waiting: 0 } });
      expect(await service.balanceOf(account)).toBe(8);
    });

    test("it pauses when the session that pays ends, and goes on in another", async () => {
      const id = await draft([["192.88.98.77"]]);
      service.dns.use(() => "silence");
      expect((await page.call("POST", `/runs/${id}/start`)).status).toBe(200);
      await page.call("POST", "/sign-out");
      const later = openPage(service, `127.0.14.${++people}`);
      await later.call("POST", "/sign-in", { email: account.email, password: PASSWORD });
      await until(async () => (await readRun(id, later)).state === "paused");
      expect(await readRun(id, later)).toMatchObject({ reason: "session", credits: 0 });
      expect((await later.call("POST", `/runs/${id}/start`)).status).toBe(200);
      await until(async () => (await readRun(id, later)).state === "done");
      expect((await readRun(id, later)).credits).toBe(1);
    });

    test("the account's export holds its runs with their lines and its results, and no other's", async () => {
      const id = await draft([["192.88.98.1", "=mine"], ["no value"]], { columns: ["ip", "note"] });
      await started(id);
      const stranger = await personPage(service, (await service.openAccount()).id, `127.0.14.${++people}`);
      const exported = async (by: Page) => JSON.parse((await by.call("GET", "/account/export")).text);
      expect(await exported(page)).toMatchObject({
        runs: [
          {
            ...{ id, columns: ["ip", "note"], state: "done" },
            lines: [
              { line: 1, cells: ["192.88.98.1", "=mine"], state: "done", credits: 1 },
              { line: 2, cells: ["no value"], state: "invalid", credits: 0 },
            ],
          },
        ],
        results: [{ target: "192.88.98.1", question: { ip: "192.88.98.1" }, data: { ip: "192.88.98.1" } }],
      });
      expect(await exported(stranger)).toMatchObject({ runs: [], results: [] });
    });

    test("a fault pauses a run, charges nothing, and leaves other runs alone", async () => {
      const id = await draft([["192.88.98.1"]]);
      const { kysely } = service.db;
      await kysely.updateTable("bulk_run_items").set({ product: "gone" }).where("run_id", "=", id).execute();
      expect(await started(id, "paused")).toMatchObject({
        reason: "fault",
        credits: 0,
        lines: { waiting: 1 },
      });
      await started(await draft([["192.88.98.2"]]));
      expect(await service.balanceOf(account)).toBe(1_499_999);
    });

    test("with its account a run goes, also while it runs", async () => {
      const rows = Array.from({ length: 500 }, (_, at) => [`192.88.${at >> 8}.${at & 255}`]);
      const id = await draft(rows);
      expect((await page.call("POST", `/runs/${id}/start`)).status).toBe(200);
      await until(async () => (await readRun(id)).lines.done > 0);
      const rules = { mayCollect: () => false, owners: [] };
      const deps = { db: service.db, clock: systemClock, random: systemRandom };
      await deleteAccount({ accountId: account.id, actor: "cli" }, rules, deps);
      const next = await service.openAccount();
      const other = await personPage(service, next.id, `127.0.14.${++people}`);
      const made = await other.call("POST", "/runs", { name: "next", columns: ["ip"] });
      const nextId = String(made.of("data", "id"));
      await other.call("POST", `/runs/${nextId}/lines`, {
        first_line: 1,
        column: 0,
        rows: [["192.88.98.3"]],
      });
      await other.call("POST", `/runs/${nextId}/start`);
      await until(async () => (await readRun(nextId, other)).state === "done");
      for (const table of ["bulk_runs", "bulk_run_items", "results"] as const) {
        const left = await service.db.kysely
          .selectFrom(table)
          .select("account_id")
          .where("account_id", "=", account.id)
          .execute();
        expect([table, left]).toEqual([table, []]);
      }
    });

    // In the long form as many as a run may have; fewer where it is the same once more.
    const most = dialect === "postgres" || !isLong ? 1000 : 10_000;
    test(`${most} lines of mixed kinds, each with its own columns`, async () => {
      const kinds = [
        (at: number) => `100.${64 + (at >> 16)}.${(at >> 8) & 255}.${at & 255}`,
        (at: number) => `192.0.${(at >> 8) & 255}[.]${at & 255}`,
        (at: number) => `2001:db8::${at.toString(16)}`,
        (at: number) => `no value ${at}`,
      ];
      const some = ["example.com", "hxxp://example[.]com/x", "a@example.com", "AS64500", "192.0.2.0/24"];
      const rows = Array.from({ length: most }, (_, at) => {
        const value = at % 100 === 0 ? some[(at / 100) % some.length] : kinds[at % kinds.length]?.(at);
        return [`row ${at}`, value ?? "", `=note ${at}`];
      });
      const made = await page.call("POST", "/runs", { name: "large", columns: ["name", "value", "note"] });
      const id = String(made.of("data", "id"));
      for (let first = 0; first < rows.length; first += most / 4) {
        const piece = { first_line: first + 1, column: 1, rows: rows.slice(first, first + most / 4) };
        expect((await page.call("POST", `/runs/${id}/lines`, piece)).status).toBe(200);
      }
      const { lines, cost_left: cost } = await readRun(id);
      expect(lines.waiting + lines.repeated + lines.invalid).toBe(most);
      const run = await started(id);
      expect([run.lines.waiting, run.lines.done + run.lines.failed]).toEqual([0, lines.waiting]);
      expect(run.credits).toBe(1_500_000 - (await service.balanceOf(account)));
      expect(run.credits).toBeLessThanOrEqual(cost);
      const csv = (await page.call("GET", `/runs/${id}/csv`)).text.split("\r\n");
      expect(csv).toHaveLength(most + 2);
      for (const [at, line] of csv.slice(1, -1).entries()) {
        const [name, value, note] = rows[at] ?? [];
        expect(line.startsWith(`${name},${value},'${note},`), line).toBe(true);
      }
    });

    test("a cancelled run goes no further and can be deleted with its results", async () => {
      const id = await draft([["192.88.98.1"], ["192.88.98.2"]]);
      expect((await page.call("POST", `/runs/${id}/cancel`)).status).toBe(200);
      expect((await page.call("POST", `/runs/${id}/start`)).status).toBe(409);
      expect((await page.call("POST", `/runs/${id}/cancel`)).status).toBe(409);
      const other = await draft([["192.88.98.3"]]);
      await started(other);
      expect(JSON.parse((await page.call("GET", "/results")).text).data.total).toBe(1);
      expect((await page.call("DELETE", `/runs/${other}`)).status).toBe(200);
      expect(JSON.parse((await page.call("GET", "/results")).text).data.total).toBe(0);
      expect((await page.call("GET", `/runs/${other}`)).status).toBe(404);
      expect((await page.call("DELETE", `/runs/${id}`)).status).toBe(200);
      expect(await service.balanceOf(account)).toBe(1_499_999);
    });

    test("the run that makes room for a fifty-first goes with its results", async () => {
      await started(await draft([["192.88.98.3"]]));
      const total = async () => JSON.parse((await page.call("GET", "/results")).text).data.total;
      expect(await total()).toBe(1);
      for (let times = 0; times < 49; times++) {
        expect((await page.call("POST", "/runs", { name: "more", columns: ["ip"] })).status).toBe(200);
      }
      expect(await total()).toBe(1);
      await page.call("POST", "/runs", { name: "one too many", columns: ["ip"] });
      expect(await total()).toBe(0);
    });

    test("of another account a run is not there", async () => {
      const id = await draft([["192.88.98.1"]]);
      const stranger = await personPage(service, (await service.openAccount()).id, `127.0.14.${++people}`);
      const rows = { first_line: 1, column: 0, rows: [["1.1.1.1"]] };
      for (const [method, path, body] of [
        ["GET", `/runs/${id}`, undefined],
        ["GET", `/runs/${id}/items`, undefined],
        ["GET", `/runs/${id}/csv`, undefined],
        ["GET", `/runs/${id}/json`, undefined],
        ["POST", `/runs/${id}/lines`, rows],
        ["POST", `/runs/${id}/start`, undefined],
        ["POST", `/runs/${id}/cancel`, undefined],
        ["DELETE", `/runs/${id}`, undefined],
      ] as const) {
        expect([path, (await stranger.call(method, path, body)).status]).toEqual([path, 404]);
      }
      expect((await readRun(id)).state).toBe("draft");
    });

    test("a piece that is sent twice is added once, and more lines than a run takes are refused", async () => {
      const id = await draft([["192.88.98.1"]]);
      const again = { first_line: 1, column: 0, rows: [["192.88.98.1"], ["192.88.98.2"]] };
      expect((await page.call("POST", `/runs/${id}/lines`, again)).status).toBe(200);
      expect((await readRun(id)).lines).toMatchObject({ waiting: 2, repeated: 0 });
      const rows = Array.from({ length: 5001 }, (_, at) => [`10.0.${at >> 8}.${at & 255}`]);
      const lines = (first: number) => ({ first_line: first, column: 0, rows });
      expect((await page.call("POST", `/runs/${id}/lines`, lines(3))).status).toBe(200);
      const refused = await page.call("POST", `/runs/${id}/lines`, lines(5004));
      expect([refused.status, refused.text]).toEqual([422, expect.stringContaining("10000 lines")]);
      expect((await readRun(id)).lines.waiting).toBe(5003);
    });

    test.each([
      ["no rows", { first_line: 1, column: 0 }],
      ["numbers for cells", { first_line: 1, column: 0, rows: [[5]] }],
      ["a line before the first", { first_line: 0, column: 0, rows: [["a"]] }],
      ["a long cell", { first_line: 1, column: 0, rows: [["a".repeat(4097)]] }],
      ["many columns", { first_line: 1, column: 0, rows: [Array.from({ length: 51 }, () => "a")] }],
    ])("%s are 422", async (_what, body) => {
      const id = await draft([]);
      expect((await page.call("POST", `/runs/${id}/lines`, body)).status).toBe(422);
    });

    test("awkward texts are lines that cannot be looked up, and stay as they were", async () => {
      const awkward = [
        "\u0000\ud800",
        "a".repeat(4096),
        "__proto__",
        "1.2.3.4.5",
        "http://",
        "@",
        "\u202e",
        " ",
      ];
      const id = await draft(awkward.map((text) => [text]));
      expect((await readRun(id)).lines).toMatchObject({ waiting: 0, invalid: awkward.length });
      expect((await started(id)).credits).toBe(0);
      const { items } = JSON.parse((await page.call("GET", `/runs/${id}/items`)).text).data;
      expect(items.every(({ note }: { note: string | null }) => note !== null && note.length > 5)).toBe(true);
      expect(items[1].cells).toEqual([awkward[1]]);
    });
  },
  { lasting: true },
);
