import { describe, expect, test } from "vitest";
import { defineEngines } from "./definitions.ts";
import { allowlistsOptionsSchema, enginesOptionsSchema } from "./options.ts";
import { unknownEngines } from "./unknown-engines.ts";

const define = (engines: unknown, allowlists: unknown = []) =>
  defineEngines({
    engines: enginesOptionsSchema.parse(engines),
    allowlists: allowlistsOptionsSchema.parse(allowlists),
  });

const list = { key: "mine", target: "ip", url: "file:///srv/mine.txt", format: "plain" };

const keyOf = (definition: ReturnType<typeof define>[number]) => definition.engine.key;

describe("defineEngines()", () => {
  test("gives an operator's list the defaults of the design", () => {
    const [definition] = define({ builtin: false, feeds: [list] });
    expect(definition?.engine).toEqual({
      key: "mine",
      name: "mine",
      kind: "feed",
      target: "ip",
      category: "abuse",
      confidence: "medium",
      family: "mine",
      aggregate: false,
      provider: null,
      reference: null,
      homepage: null,
      builtin: false,
      refreshMinutes: 60,
      disabled: null,
      disabledClass: null,
      licence: null,
    });
    expect(definition?.feed?.source).toEqual({ kind: "file", path: "/srv/mine.txt" });
  });

  test("puts aggregates and policy lists into their one family", () => {
    const feeds = [
      { ...list, aggregate: true, family: "other" },
      { ...list, key: "rules", category: "policy", family: "other" },
    ];
    expect(define({ builtin: false, feeds }).map(({ engine }) => engine.family)).toEqual([
      "aggregate",
      "policy",
    ]);
  });

  test("numbers allowlists without a key from 1", () => {
    const allow = { target: "domain", url: "file:///srv/a.txt", format: "plain" };
    const definitions = define({ builtin: false }, [allow, { ...allow, key: "ours" }, allow]);
    expect(definitions.map(keyOf)).toEqual(["allow_1", "allow_3", "ours"]);
    expect(definitions.every(({ engine }) => engine.kind === "allow")).toBe(true);
  });

  test("unknownEngines() names what enable, disable and keys name and no engine is called or takes", () => {
    const definitions = define({ feeds: [list] });
    const fine = { enable: ["openphish"], disable: [list.key, "ipsum_3"], keys: { abusech: "hunter2!" } };
    expect(unknownEngines(fine, definitions)).toEqual([]);
    const slips = { enable: ["openphsh"], disable: ["no_such_key"], keys: { abuse_ch: "hunter2!" } };
    const sentences = unknownEngines(slips, definitions);
    expect(sentences).toEqual([
      'engines.enable: no engine has the key "openphsh"; `repute engines list` names them all',
      'engines.disable: no engine has the key "no_such_key"; `repute engines list` names them all',
      expect.stringContaining('engines.keys: no engine takes a key of the name "abuse_ch"; there are abuse'),
    ]);
    expect(sentences.join()).not.toContain("hunter2!");
  });

  test("switches engines off by disable and by enabled, and keeps them known", () => {
    const definitions = define({ disable: ["ipsum_3", "no_such_key"], feeds: [{ ...list, enabled: false }] });
    const off = definitions.filter(({ engine }) => engine.disabled !== null);
    const byConfiguration = off.filter(
      ({ engine }) => engine.disabled === "Switched off by the configuration",
    );
    expect(byConfiguration.map(keyOf)).toEqual(["ipsum_3", "mine"]);
  });

  test("says why a built-in engine is off, and asks it where the operator says so", () => {
    const reasonOf = (enable: string[]) =>
      define({ enable }).find(({ engine }) => engine.key === "openphish")?.engine.disabled;
    expect(reasonOf([])).toBe("Free for non-commercial use only");
    expect(reasonOf(["openphish"])).toBeNull();
  });

  test("builtin: false leaves nothing but the operator's", () => {
    expect(define({ builtin: false })).toEqual([]);
  });

  test("an operator's list takes the place of a built-in one with its key", () => {
    const found = define({ feeds: [{ ...list, key: "ipsum_3" }] }).filter((one) => keyOf(one) === "ipsum_3");
    expect(found).toHaveLength(1);
    expect(found[0]?.engine.builtin).toBe(false);
  });
});

describe("the schema of engines", () => {
  test.each<[string, unknown, string]>([
    ["an unknown key", { feeds: [{ ...list, colour: "red" }] }, "colour"],
    ["a bad engine key", { feeds: [{ ...list, key: "My List" }] }, "a-z, 0-9 and _"],
    ["a key used twice", { feeds: [list, list] }, 'The key "mine" is used twice'],
    ["an http: URL", { feeds: [{ ...list, url: "http://lists.example/x" }] }, "https: URL"],
    ["a relative file: URL", { feeds: [{ ...list, url: "file:list.txt" }] }, "absolute path"],
    ["a file: URL of another host", { feeds: [{ ...list, url: "file://host/list.txt" }] }, "absolute path"],
    ["an unknown format", { feeds: [{ ...list, format: "xml" }] }, "Invalid option"],
    ["an option of another format", { feeds: [{ ...list, column: 1 }] }, 'has no option "column"'],
    ["a path that is none", { feeds: [{ ...list, format: "json", path: "$..x" }] }, "Expected a path"],
    ["a bad category", { feeds: [{ ...list, category: "evil" }] }, "Invalid option"],
    [
      "a zone's bad range",
      { dnsbl: [{ key: "z", target: "ip", zone: "bl.example", listed: ["x"] }] },
      "a range",
    ],
    ["a zone that is no name", { dnsbl: [{ key: "z", target: "ip", zone: "bl example" }] }, "Invalid string"],
  ])("refuses %s", (_, engines, message) => {
    const { error } = enginesOptionsSchema.safeParse(engines);
    expect(JSON.stringify(error?.issues)).toContain(JSON.stringify(message).slice(1, -1));
  });

  test("accepts the example of the operator's guide", () => {
    const engines = {
      builtin: true,
      disable: ["some_key"],
      feeds: [
        {
          key: "my_list",
          name: "My list",
          target: "ip",
          url: "https://lists.example/x",
          format: "netset",
          refresh_minutes: 60,
          reference: "https://lists.example/{value}",
        },
      ],
      dnsbl: [
        {
          key: "my_zone",
          name: "My zone",
          target: "ip",
          zone: "bl.example",
          listed: ["127.0.0.2-127.0.0.11"],
          refused: ["127.255.255.0/24"],
          reference: "https://lists.example/{value}",
        },
      ],
    };
    expect(enginesOptionsSchema.safeParse(engines).success).toBe(true);
  });
});
