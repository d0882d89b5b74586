import { describe, expect, test } from "vitest";
import { listedAs, openZones, wellKept } from "../../../test/zones.ts";
import { domain, ipTarget } from "../test-world.ts";

const target = ipTarget("192.0.2.7");

describe("one zone with several meanings", () => {
  const zen = [
    { key: "a_spam", listed: ["127.0.0.2-127.0.0.3"], category: "spam" },
    { key: "b_malware", listed: ["127.0.0.4-127.0.0.7"], category: "malware", confidence: "high" },
    { key: "c_policy", listed: ["127.0.0.10-127.0.0.11"], category: "policy" },
  ];

  test("is asked once, and each engine takes what concerns it", async () => {
    const world = await openZones(
      wellKept(() => listedAs("127.0.0.4", "127.0.0.10")),
      zen,
    );
    const { verdicts, absences } = await world.ask(target);
    expect(absences).toEqual([]);
    expect(verdicts.map(({ engine, codes, category }) => [engine.key, codes, category])).toEqual([
      ["a_spam", [], "spam"],
      ["b_malware", ["127.0.0.4"], "malware"],
      ["c_policy", ["127.0.0.10"], "policy"],
    ]);
    expect(world.asked().filter((question) => question.startsWith("A "))).toHaveLength(1);
  });

  test("a refusal or a strange answer silences all of them", async () => {
    const world = await openZones(
      wellKept(() => listedAs("127.255.255.254", "127.0.0.4")),
      zen,
    );
    expect((await world.ask(target)).absences.map(({ status }) => status)).toEqual([
      "refused",
      "refused",
      "refused",
    ]);
    world.server.use(wellKept(() => listedAs("127.0.0.99")));
    expect((await world.ask(target)).absences.map(({ status }) => status)).toEqual([
      "error",
      "error",
      "error",
    ]);
  });
});

describe("the verdict of a hit", () => {
  test("has the gravest category of its codes, and that code's confidence", async () => {
    const codes = {
      "127.0.0.2": { category: "policy", confidence: "low" },
      "127.0.0.3": { category: "malware", confidence: "high" },
      "127.0.0.4": { category: "spam" },
    };
    const world = await openZones(
      wellKept(() => listedAs("127.0.0.2", "127.0.0.4", "127.0.0.3")),
      [{ codes }],
    );
    expect((await world.ask(target)).verdicts[0]).toMatchObject({ category: "malware", confidence: "high" });
    world.server.use(wellKept(() => listedAs("127.0.0.5")));
    expect((await world.ask(ipTarget("192.0.2.8"))).verdicts[0]).toMatchObject({
      category: "abuse",
      confidence: "medium",
    });
  });

  test.each<[string, readonly unknown[], string | null]>([
    ["one text", ["Listed, see https://x.example/7"], "Listed, see https://x.example/7"],
    ["a text in parts", [["Spam ", "source"]], "Spam source"],
    ["several texts, in whatever order they come", ["b", "a", "a"], "a | b"],
    ["control characters and blanks", ["  a\u0007\u001b[31m\nb\u0000  "], "a[31m b"],
    ["a long text", ["x".repeat(200), "y".repeat(200)], `${"x".repeat(200)} | ${"y".repeat(97)}`],
    ["octets that are not text", [Buffer.from([0xff, 0x41])], "\ufffdA"],
    ["an empty text", [""], null],
    ["none", [], null],
  ])("has the list's own words: %s", async (_, texts, reason) => {
    const world = await openZones(
      wellKept(({ type }) =>
        type === "A" ? listedAs("127.0.0.2") : { answers: texts.map((data) => ({ type: "TXT", data })) },
      ),
    );
    expect((await world.ask(target)).verdicts[0]?.reason).toBe(reason);
  });

  test("has no words when the TXT question fails", async () => {
    const world = await openZones(
      wellKept(({ type }) => (type === "A" ? listedAs("127.0.0.2") : { rcode: 2 })),
    );
    expect((await world.ask(target)).verdicts[0]).toMatchObject({ detected: true, reason: null });
  });

  test("of a name zone has the name as its match", async () => {
    const world = await openZones(
      wellKept(() => listedAs("127.0.0.2")),
      [{ target: "domain", zone: "DBL.example." }],
    );
    expect((await world.ask(domain("bad.example"))).verdicts[0]?.matched?.value).toBe("bad.example");
    expect(world.asked()[0]).toBe("A bad.example.dbl.example");
  });
});
