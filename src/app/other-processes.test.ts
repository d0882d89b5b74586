import { describe, expect, test } from "vitest";
import { forEachDatabase } from "../../test/databases.ts";
import { systemClock } from "../base/clock.ts";
import { loadConfig } from "../config/config.ts";
import { parseConfigText } from "../config/read-file.ts";
import { createOtherProcesses, differences, readProcesses } from "./other-processes.ts";
import { settingsOf } from "./process-settings.ts";

const configOf = (text: string, env: Readonly<Record<string, string>> = {}) => ({
  ...loadConfig({ env, cwd: "/nonexistent" }),
  file: parseConfigText(text, "repute.yaml"),
});

const namesApart = (texts: readonly string[]): string | null =>
  differences(texts.map((text) => ({ version: "1.0.0", settings: settingsOf(configOf(text)) })));

describe("differences()", () => {
  test.each([
    ["usage: { keep_results_days: 0 }", "usage.keep_results_days"],
    ["usage: { store_targets: false }", "usage.store_targets"],
    ["engines: { builtin: false }", "engines.builtin"],
    ["billing: { prices: { Pro: price_1 } }", "billing.prices"],
    ["billing: { stripe_webhook_secret: whsec_0123456789abcdef }", "billing.stripe_webhook_secret"],
    ["server: { trust_proxy: [10.0.0.0/8] }", "server.trust_proxy"],
    ["exports: [{ name: edge, target: ip, min_score: 80 }]", "exports"],
    ["dashboard: { signup: open }", "dashboard.signup"],
  ])("of %s names it", (text, name) => {
    expect(namesApart(["", text, ""])).toBe(`settings ${name}`);
    expect(namesApart([text, text])).toBeNull();
  });

  test("two secrets that are both set are told apart where they are the provider's, and no digest holds a password", () => {
    const of = (word: string) =>
      `billing: { stripe_secret_key: sk_${word}, stripe_webhook_secret: whsec_${word} }`;
    expect(namesApart([of("one"), of("two")])).toBe(
      "settings billing.stripe_secret_key, billing.stripe_webhook_secret",
    );
    const mail = (word: string) =>
      settingsOf(configOf(`mail: { smtp_url: 'smtp://u:${word}@127.0.0.1', from: a@b.example }`));
    expect(mail("guess")).toEqual(mail("other"));
    const limits = (url: string) => settingsOf(configOf("", { VALKEY_URL: url }))["VALKEY_URL"];
    expect(limits("redis://:guess@127.0.0.1:6379")).toBe(limits("redis://:other@127.0.0.1:6379"));
    expect(limits("redis://127.0.0.1:6379")).not.toBe(limits("redis://127.0.0.1:6380"));
  });

  test("what belongs to a machine may differ, and so may what one version does not know", () => {
    expect(
      namesApart(["dns: { servers: [127.0.0.1] }", "metrics: { listen: '127.0.0.1:1' }", ""]),
    ).toBeNull();
    const [one, two] = [
      { a: "1", b: "1" },
      { a: "1", c: "2" },
    ];
    expect(
      differences([
        { version: "1.0.0", settings: one },
        { version: "1.1.0", settings: two },
      ]),
    ).toBe("versions 1.0.0, 1.1.0");
  });

  test("many are cut", () => {
    const settings = (value: string) =>
      Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`s.${String(i).padStart(2, "0")}`, value]));
    const found = differences([
      { version: "1", settings: settings("a") },
      { version: "1", settings: settings("b") },
    ]);
    expect(found).toMatch(/^settings s\.00, .*s\.07 and 4 more$/);
  });
});

const KEEPS = {
  long: "usage: { keep_results_days: 400, keep_days: 7 }",
  off: "usage: { keep_results_days: 0 }",
};

forEachDatabase((dialect, database) => {
  const start = async (name: string, text: string) => {
    const db = await database.open();
    const said: string[] = [];
    const tell = (line: unknown) => void said.push(String(line));
    const log = { info: tell, warn: tell };
    const parts = { db, config: configOf(text), self: name, log, renewEveryMs: 1500 };
    const others = createOtherProcesses(parts);
    const stop = new AbortController();
    return { db, others, said, stop, running: others.watch(stop.signal) };
  };
  const keptBy = ({ others }: Awaited<ReturnType<typeof start>>) =>
    others.keptByAny(new AbortController().signal);

  if (dialect === "sqlite") {
    test("one that has SQLite tells nothing, and goes by its own", async () => {
      const { db, others, running } = await start("one", KEEPS.off);
      await running;
      expect(await others.keptByAny(new AbortController().signal)).toEqual({
        historyDays: 90,
        resultDays: 0,
      });
      expect(await readProcesses(db)).toEqual([]);
    });
    return;
  }

  test("what any of them keeps is kept, until that one has ended; what differs is told once", async () => {
    const one = await start("one", KEEPS.long);
    const two = await start("two", KEEPS.off);
    expect(await Promise.all([one, two].map(keptBy))).toEqual([
      { historyDays: 90, resultDays: 400 },
      { historyDays: 90, resultDays: 400 },
    ]);
    expect(two.said).toEqual([
      "Processes on this database differ: settings usage.keep_days, usage.keep_results_days",
    ]);
    one.stop.abort();
    await one.running;
    expect(await readProcesses(two.db)).toHaveLength(1);
    expect(await keptBy(two)).toEqual({ historyDays: 90, resultDays: 0 });
    two.stop.abort();
    await two.running;
    expect(await readProcesses(two.db)).toEqual([]);
  }, 60_000);

  test("what a process keeps counts also right after a time in which it could renew nothing", async () => {
    const long = await start("long", KEEPS.long);
    const off = await start("off", KEEPS.off);
    await expect.poll(() => readProcesses(off.db)).toHaveLength(2);
    // As after an outage: its note was too old, and was taken away by the first that looked.
    await off.db.kysely.deleteFrom("meta").where("key", "=", "process:long").execute();
    expect(await keptBy(off)).toEqual({ historyDays: 90, resultDays: 400 });
    for (const { stop, running } of [long, off]) {
      stop.abort();
      await running;
    }
  });

  test("one that died counts for a minute and a half; a note of the future, or that is not understood, is passed over", async () => {
    const db = await database.open();
    const nowMs = db.clock.now().getTime();
    const note = (agoMs: number) => ({
      ...{ at: nowMs - agoMs, version: "9.9.9", settings: {}, isNew: true },
      keeps: { historyDays: 1, resultDays: 3650, more: 1 },
    });
    const put = (key: string, value: unknown) =>
      db.kysely
        .insertInto("meta")
        .values({ key, value: JSON.stringify(value) })
        .execute();
    await put("process:alive", note(80_000));
    await put("process:died", note(100_000));
    await put("process:strange", { version: 2 });
    await put("process:ahead", note(-100_000));
    await db.kysely.insertInto("meta").values({ key: "process:damaged", value: '{"at":' }).execute();
    expect((await readProcesses(db)).map(({ at }) => nowMs - at)).toEqual([80_000]);
    const one = await start("one", "");
    await expect
      .poll(() => one.said)
      .toEqual([expect.stringMatching(/^Processes .* differ: versions .*9\.9\.9$/)]);
    const keys = (
      await db.kysely.selectFrom("meta").select("key").where("key", "like", "process:%").execute()
    )
      .map(({ key }) => key)
      .toSorted();
    expect(keys).toEqual(["process:alive", "process:damaged", "process:one", "process:strange"]);
    one.stop.abort();
    await one.running;
  });

  test("a database that is away ends nothing, and is told by others", async () => {
    const one = await start("one", "");
    await one.db.close();
    await expect(keptBy(one)).rejects.toThrow();
    one.stop.abort();
    await one.running;
    await systemClock.sleep(10);
    expect(one.said).toEqual([]);
  });
});
