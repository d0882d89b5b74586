// Made by `npm run web:types` from src/products/sources.ts.
import { duration, month } from "./spans.gen.ts";

// Where each fact of a report comes from and how old that is, in the words of the terminal and of the pages, to which
// `npm run web:types` copies this file.

type Age = { readonly age_s: number | null };

/** What an answer tells of the ages of its parts. */
export type Ages = {
  readonly cached: boolean;
  readonly computed_at: string;
  readonly sources?:
    | {
        readonly engines: { readonly newest_age_s: number | null; readonly oldest_age_s: number | null };
        readonly place: Age;
        readonly network: Age;
        readonly other: Age;
        /** Answers that were kept by an older version have none. */
        readonly registry?: Age;
      }
    | undefined;
};

type Table = "place" | "network";

const MONTH_S = 30 * 86_400;

/** `place data of November 2026`, `network data 3 h old`: of a month where it is that old, and where it is published monthly; null: not known. */
export function tableAge(what: Table, { sources, computed_at: at }: Ages): string | null {
  const age = sources?.[what].age_s ?? null;
  if (age === null) return null;
  const isMonthly = what === "place" || age >= MONTH_S;
  const published = new Date(Date.parse(at) - age * 1000).toISOString().slice(0, 7);
  return isMonthly ? `${what} data of ${month(published)}` : `${what} data ${duration(age)} old`;
}

/** `lists 2 s to 14 h old`; null: none answered, or their ages are not told. */
export function listsAge({ sources }: Ages): string | null {
  const { newest_age_s: newest = null, oldest_age_s: oldest = null } = sources?.engines ?? {};
  if (newest === null || oldest === null) return null;
  const [from, to] = [duration(newest), duration(oldest)];
  if (from === to) return `lists ${to} old`;
  const [count = "", unit] = from.split(" ");
  return `lists ${to.endsWith(` ${unit}`) ? count : from} to ${to} old`;
}

/** A table of places or networks, by name where the report has it. */
export function fromTable(what: Table, ages: Ages, name = ""): string {
  const age = tableAge(what, ages) ?? withoutAge(`${what} data`, ages);
  return name === "" ? age : `${name}, ${age}`;
}

/** The engines of the report, each of which has its own age there. */
export const fromEngines = (ages: Ages): string => listsAge(ages) ?? withoutAge("lists", ages);

/** What lists of names and networks say: their ages are told together. */
export function fromLists(ages: Ages): string {
  const age = ages.sources?.other.age_s ?? null;
  const name = "lists of names and networks";
  return age === null ? withoutAge(name, ages) : `${name}, at most ${duration(age)} old`;
}

/** What registries say of which the report tells the age alone. */
export function fromRegistries(ages: Ages): string {
  const { registry } = ages.sources ?? {};
  if (registry === undefined) return "registry of unknown age";
  return registry.age_s === null ? withoutAge("registry", ages) : `registry, ${askedAgo(registry.age_s)}`;
}

/** Who holds a network: the table says it, and where that is silent a registry. */
export const fromHolders = (ages: Ages): string =>
  (ages.sources?.registry?.age_s ?? null) === null
    ? fromTable("network", ages)
    : allOf(fromTable("network", ages), fromRegistries(ages));

const SILENT = "without an answer for this report";

/** A report that tells ages has none of what was not asked or gave no answer. */
const withoutAge = (name: string, { sources }: Ages): string =>
  sources === undefined ? `${name} of unknown age` : `${name}, ${SILENT}`;

/** Which registry an AS number belongs to is known without its answer. */
export const fromRanges = (ages: Ages): string =>
  ages.sources?.registry?.age_s === null
    ? "IANA ranges of AS numbers, as last retrieved"
    : fromRegistries(ages);

/** A registry's answer with its server and its protocol. */
export type RegistryAnswer = {
  readonly source: "rdap" | "whois" | null;
  readonly provenance: { readonly server: string | null; readonly registrar_server: string | null };
  readonly fetched_at: string | null;
  readonly freshness: { readonly computed_at: string; readonly stale: boolean };
};

/** `RDAP of rdap.example.net, asked 3 h ago`. */
export function fromRegistryAnswer({
  source,
  provenance,
  fetched_at: at,
  freshness,
}: RegistryAnswer): string {
  if (source === null || at === null) return `registry, ${SILENT}`;
  const { server, registrar_server: registrar } = provenance;
  const servers = [server, registrar].filter((name) => name !== null).join(" and ");
  const age = Math.max(0, (Date.parse(freshness.computed_at) - Date.parse(at)) / 1000);
  const old = freshness.stale ? ", and without an answer now" : "";
  return `${source.toUpperCase()}${servers === "" ? "" : ` of ${servers}`}, ${askedAgo(age)}${old}`;
}

const JUST_S = 3;
/** True of a report that is kept or shared, too. */
const NOW = "asked for this report";

const askedAgo = (seconds: number): string => (seconds < JUST_S ? NOW : `asked ${duration(seconds)} ago`);

/** Of one list, zone or registry: `data 41 min old`; a list that came just now was not asked for the report. */
export const dataAge = (seconds: number): string =>
  seconds < 1 ? "data as of this report" : `data ${duration(seconds)} old`;

/** What was asked for this report, or not long before; `status`: how that ended, null where it was not asked. */
export function fromDns({ cached }: Pick<Ages, "cached">, status: string | null = "ok"): string {
  if (status === null || status === "timeout" || status === "error") return `DNS, ${SILENT}`;
  return `DNS, as of this report${cached ? " or remembered for as long as DNS allows" : ""}`;
}

/** What was checked in DNS at some time: an hour ago at most. */
export function fromDnsAt(at: string | null, { computed_at: now, cached }: Ages): string {
  if (at === null) return fromDns({ cached });
  return `DNS, ${askedAgo(Math.max(0, (Date.parse(now) - Date.parse(at)) / 1000))}`;
}

/** What a product found whose report names no sources: the age of the oldest of it. */
export const fromAnswer = ({ data_age_s: age }: { readonly data_age_s: number | null }): string =>
  `sources of this product, ${age === null ? "of unknown age" : age < JUST_S ? NOW : `at most ${duration(age)} old`}`;

/** Sources of one part of a report, each once. */
export const allOf = (...sources: readonly string[]): string => [...new Set(sources)].join("; ");

/** What a server sent; null: it sent nothing, or was not asked. */
export const fromPage = (response: object | null): string =>
  `page, ${response === null ? SILENT : "as of this report"}`;

/** What a server showed of itself. */
export const fromServer = (certificate: { readonly valid_from: string | null } | null): string =>
  `server of the name, ${certificate?.valid_from == null ? SILENT : "as of this report"}`;

export const FROM_MAIL_SERVER = "mail server, as of this report";

/** What was asked tells it by itself. */
export const FROM_TARGET = "read from what was asked";
export const FROM_SUFFIXES = "public suffix list, as shipped with this version";
export const FROM_RESULT = "calculated for this report from what it tells";
export const FROM_SPECIAL = "IANA registries of special-purpose addresses";
