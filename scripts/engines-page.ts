import { defineEngines, type EngineDefinition } from "../src/engines/definitions.ts";
import { allowlistsOptionsSchema, enginesOptionsSchema } from "../src/engines/options.ts";
import { loadNetworkLists } from "../src/enrichment/ip/networks.ts";
import type { FeedSeed, FeedSource } from "../src/feeds/feed.ts";
import { builtinSources } from "../src/feeds/feed.ts";

/** The lines of docs/engines.md: every built-in engine, allowlist and network list, and why an engine is off. */
export function engineLines(
  table: (head: readonly string[], rows: readonly string[][]) => string[],
): string[] {
  const definitions = defineEngines({
    engines: enginesOptionsSchema.parse({}),
    allowlists: allowlistsOptionsSchema.parse([]),
  });
  const accusing = definitions.filter(({ engine }) => engine.kind !== "allow");
  const head = ["key", "name", "kind", "category", "confidence", "family", "refresh", "source"];
  const sections = [
    { title: "Addresses", target: "ip" },
    { title: "Domains", target: "domain" },
    { title: "URLs", target: "url" },
    { title: "E-mail addresses", target: "email" },
  ].flatMap(({ title, target }) => {
    const rows = accusing.filter(({ engine }) => engine.target === target);
    const on = rows.filter(({ engine }) => engine.disabled === null);
    const off = rows.filter(({ engine }) => engine.disabled !== null);
    return [
      "",
      `## ${title}`,
      "",
      `On by default: ${on.length}.`,
      "",
      ...table(head, on.map(engineRow)),
      "",
      `Known, off by default: ${off.length}.`,
      "",
      ...table(
        [...head, "class", "why off", "commercial use"],
        off.map(({ engine, ...rest }) => [
          ...engineRow({ engine, ...rest }),
          engine.disabledClass ?? "",
          engine.disabled ?? "",
          engine.licence?.commercial ?? "",
        ]),
      ),
    ];
  });
  return [...sections, ...clearingLines(definitions, table)];
}

function engineRow({ engine, feed, ...rest }: EngineDefinition): string[] {
  const { key, name, kind, category, confidence, family, refreshMinutes } = engine;
  const source = feed === null ? zoneOf(rest) : sourceText(feed);
  return [
    `\`${key}\``,
    name,
    kind,
    category,
    confidence,
    family,
    kind === "dnsbl" ? "live" : minutes(refreshMinutes),
    source,
  ];
}

const zoneOf = (rest: object): string => {
  const zone: unknown = Object.entries(rest).find(([member]) => member === "zone")?.[1];
  const name: unknown =
    typeof zone === "object" && zone !== null && "zone" in zone
      ? zone.zone
      : typeof zone === "string"
        ? zone
        : null;
  return typeof name === "string" ? `\`${name}\`` : "";
};

function sourceText({
  source,
  seed,
}: {
  readonly source: FeedSource;
  readonly seed: FeedSeed | null;
}): string {
  const packed = seed === null ? "" : `, until then \`seed/${seed.file}.br\``;
  return source.kind === "web"
    ? `${source.url}${packed}`
    : `\`${source.kind === "seed" ? `seed/${source.file}.br` : source.path}\``;
}

const minutes = (count: number): string => (count % 60 === 0 ? `${count / 60} h` : `${count} min`);

type Table = (head: readonly string[], rows: readonly string[][]) => string[];

function clearingLines(definitions: readonly EngineDefinition[], table: Table): string[] {
  const allow = definitions.filter(({ engine }) => engine.kind === "allow");
  const networks = loadNetworkLists().map((list) => [
    `\`${list.key}\``,
    [
      list.service?.name,
      list.cloud?.provider,
      list.cloud?.service,
      list.edge?.name,
      list.provider,
      ...list.flags,
    ]
      .filter((word) => word !== undefined)
      .join(", "),
    minutes(list.refresh_minutes),
    sourceText(builtinSources(list)),
  ]);
  return [
    "",
    "## Allowlists",
    "",
    "A hit caps the score at 9 unless two independent families have a strong one.",
    "",
    ...table(
      ["key", "name", "target", "refresh", "source"],
      allow.map(({ engine, feed }) => [
        `\`${engine.key}\``,
        engine.name,
        engine.target,
        minutes(engine.refreshMinutes),
        feed === null ? "" : sourceText(feed),
      ]),
    ),
    "",
    "## Networks",
    "",
    "Lists that only classify: they add no hit, and fill `information` and `anonymity`.",
    "",
    ...table(["key", "says", "refresh", "source"], networks),
  ];
}
