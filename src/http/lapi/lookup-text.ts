import { Refusal } from "../../base/failure.ts";
import {
  decisionType,
  decisionWriter,
  durationSecondsOf,
  scenarioPlace,
} from "../../exports/decisions/decision.ts";
import { createRowFinder, type RowFinder } from "../../exports/decisions/lookup.ts";
import type { ExportFacts } from "../../exports/facts.ts";
import type { ExportRow } from "../../exports/rows.ts";
import type { ExportShelf } from "../../exports/shelf.ts";
import { type Cidr, networkOf, readCidr } from "../../targets/cidr.ts";
import { readIp } from "../../targets/ip.ts";
import { invalid, type LapiQuestion } from "./question.ts";

/** The rows of exports as they were when they were last asked for; read anew for another generation. */
export function createFinders(exports: Pick<ExportShelf, "read">): (facts: ExportFacts) => RowFinder {
  const finders = new Map<string, { readonly generation: number; readonly finder: RowFinder }>();
  return ({ name, generation }) => {
    const kept = finders.get(name);
    if (kept?.generation === generation) return kept.finder;
    const read = exports.read(name);
    if (read === null) throw new Refusal("SERVICE_UNAVAILABLE", { retryAfterS: 30 });
    const finder = createRowFinder(read);
    finders.set(name, { generation: read.facts.generation, finder });
    return finder;
  };
}

/** Decisions about one value, in LAPI's words: a list, and `null` for none. */
export function lookupText({ parameter, view }: LapiQuestion, facts: ExportFacts, finder: RowFinder): string {
  const row = findRow(parameter, finder);
  if (row === null || view.scenarios[scenarioPlace(row.categories)] !== true) return "null";
  const isAddress = row.prefix === (row.version === "v4" ? 32 : 128);
  if (!(isAddress ? view.hasIps : view.hasRanges)) return "null";
  const scope = isAddress ? "Ip" : "Range";
  const type = decisionType(row);
  const asked = parameter("type");
  if (asked !== null && asked !== type) return "null";
  const write = decisionWriter(facts.name, durationSecondsOf(facts));
  return `[${write({ scope, value: row.value, type }, row.categories)}]`;
}

function findRow(parameter: LapiQuestion["parameter"], finder: RowFinder): ExportRow | null {
  const [ip, range, value] = [parameter("ip"), parameter("range"), parameter("value")];
  if ([ip, range, value].filter((one) => one !== null).length !== 1)
    throw invalid("Name one of ip, range and value");
  if (parameter("contains") === "false")
    throw invalid("Decisions inside a range are not looked up: only those that hold all of it");
  if (ip !== null) return finder.covering(addressOf(ip));
  if (range !== null) return finder.covering(rangeOf(range));
  return finder.exact(rangeOf(value ?? ""));
}

function addressOf(text: string): Cidr {
  const ip = readIp(text);
  if (ip === null) throw invalid(`This is no IP address: "${text.slice(0, 60)}"`);
  return networkOf(ip);
}

function rangeOf(text: string): Cidr {
  const range = readCidr(text, { hostBits: "drop" });
  if (range === null) throw invalid(`This is no network: "${text.slice(0, 60)}"`);
  return range;
}
