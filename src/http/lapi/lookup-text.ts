import { Refusal } from "../../base/failure.ts";
import {
  decisionType,
  decisionWriter,
  durationSecondsOf,
  type Enforced,
  scenarioPlace,
} from "../../exports/decisions/decision.ts";
import { createRowFinder, type RowFinder } from "../../exports/decisions/lookup.ts";
import type { StreamView } from "../../exports/decisions/stream-view.ts";
import type { ExportFacts } from "../../exports/facts.ts";
import type { Generation } from "../../exports/generation.ts";
import type { ExportRow } from "../../exports/rows.ts";
import type { ExportShelf } from "../../exports/shelf.ts";
import { type Cidr, networkOf, readCidr } from "../../targets/cidr.ts";
import { readIp } from "../../targets/ip.ts";
import { invalid, type LapiQuestion } from "./question.ts";

/** The rows of exports as they were when they were last asked for; read anew for another generation. */
export function createFinders(
  exports: Pick<ExportShelf, "read">,
  noteFault: (error: unknown) => void,
): (facts: ExportFacts) => RowFinder {
  const finders = new Map<string, { readonly generation: number; readonly finder: RowFinder }>();
  const readGeneration = (name: string): Generation => {
    try {
      const read = exports.read(name);
      if (read !== null) return read;
    } catch (error) {
      noteFault(error); // damaged by the disk, or written by another version
    }
    throw new Refusal("SERVICE_UNAVAILABLE", {
      message: `The entries of the export "${name}" cannot be read; the next build makes them anew`,
      retryAfterS: 30,
    });
  };
  return ({ name, generation }) => {
    const kept = finders.get(name);
    if (kept?.generation === generation) return kept.finder;
    const read = readGeneration(name);
    const finder = createRowFinder(read);
    finders.set(name, { generation: read.facts.generation, finder });
    return finder;
  };
}

/** Decisions about one value, in LAPI's words: a list, and `null` for none. */
export function lookupText({ parameter, view }: LapiQuestion, facts: ExportFacts, finder: RowFinder): string {
  const { network, isExact } = readAsked(parameter);
  const row = isExact ? finder.exact(network) : finder.covering(network);
  if (row === null || view.scenarios[scenarioPlace(row.categories)] !== true) return "null";
  const told = toldOf(row, network, view);
  const type = decisionType(row);
  const wanted = parameter("type");
  if (told === null || (wanted !== null && wanted !== type)) return "null";
  const write = decisionWriter(facts.name, durationSecondsOf(facts));
  return `[${write({ ...told, type }, row.categories)}]`;
}

/** What names the row: to who takes addresses alone the one that was asked about, where a network holds it. */
function toldOf(
  row: ExportRow,
  { network, prefix }: Cidr,
  { hasIps, hasRanges }: StreamView,
): Pick<Enforced, "scope" | "value"> | null {
  const whole = row.version === "v4" ? 32 : 128;
  if (row.prefix === whole) return hasIps ? { scope: "Ip", value: row.value } : null;
  if (hasRanges) return { scope: "Range", value: row.value };
  return prefix === whole ? { scope: "Ip", value: network.text } : null;
}

type Asked = { readonly network: Cidr; readonly isExact: boolean };

function readAsked(parameter: LapiQuestion["parameter"]): Asked {
  const [ip, range, value] = [parameter("ip"), parameter("range"), parameter("value")];
  if ([ip, range, value].filter((one) => one !== null).length !== 1)
    throw invalid("Name one of ip, range and value");
  if (parameter("contains") === "false")
    throw invalid("Decisions inside a range are not looked up: only those that hold all of it");
  if (ip !== null) return { network: addressOf(ip), isExact: false };
  return { network: rangeOf(range ?? value ?? ""), isExact: range === null };
}

function addressOf(text: string): Cidr {
  const ip = readIp(text);
  if (ip === null) throw invalid(`This is not an IP address: "${text.slice(0, 60)}"`);
  return networkOf(ip);
}

function rangeOf(text: string): Cidr {
  const range = readCidr(text, { hostBits: "drop" });
  if (range === null) throw invalid(`This is not a network: "${text.slice(0, 60)}"`);
  return range;
}
