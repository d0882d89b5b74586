import type { Category } from "../../engines/kind.ts";
import { formatIpv4 } from "../../targets/ip.ts";
import { type ExportRow, type LabelledRows, rowReader } from "../rows.ts";
import { decisionType, type Enforced, scenarioPlace } from "./decision.ts";
import type { StreamView } from "./stream-view.ts";

/** Renewals of decisions are spread over so many turns. */
export const SLOTS = 256;

/** One value that a bouncer is told. */
export type Output = Enforced & {
  readonly categories: readonly Category[];
  /** Its turn among the renewals. Rows in a row have the same, as they share their first bits. */
  readonly slot: number;
};

/** Rows that a view leaves out because no bouncer of its kind can enforce them. */
export type NotEnforceable = { notEnforceable: number };

/** What a view makes of rows, in their order; those it cannot tell are counted in `leftOut`. */
export function* outputsOf(
  { rows, labels }: LabelledRows,
  view: StreamView,
  leftOut: NotEnforceable,
): Generator<Output> {
  const read = rowReader(rows, labels);
  const v4 = rows.v4.prefixes.length;
  const count = v4 + rows.v6.prefixes.length;
  for (let place = 0; place < count; place++) {
    const row = read(place);
    if (view.scenarios[scenarioPlace(row.categories)] !== true) continue;
    // A firewall blocks or does not.
    if (row.isChallenged && view.expand === "24") continue;
    const { categories } = row;
    if (place < v4) {
      const first = rows.v4.words[place] ?? 0;
      for (const enforced of ipv4Outputs(row, first, view, leftOut))
        yield { ...enforced, categories, slot: first >>> 24 };
    } else {
      const slot = slotOfIpv6(rows.v6.words[(place - v4) * 4] ?? 0);
      const enforced = wholeOutput(row, view, leftOut);
      if (enforced !== null) yield { ...enforced, categories, slot };
    }
  }
}

/** Nearly all addresses begin with one of a few bytes: the first two are mixed. */
const slotOfIpv6 = (word: number): number => (Math.imul(word >>> 16, 0x9e3779b1) >>> 16) % SLOTS;

function* ipv4Outputs(
  row: ExportRow,
  first: number,
  view: StreamView,
  leftOut: NotEnforceable,
): Generator<Enforced> {
  const prefix = row.prefix ?? 32;
  if (view.expand === "no" || prefix === 32 || prefix < 24) {
    const enforced = wholeOutput(row, view, leftOut);
    if (enforced !== null) yield enforced;
    return;
  }
  if (!view.hasIps) return;
  const type = decisionType(row);
  for (let i = 0; i < 2 ** (32 - prefix); i++) {
    yield { scope: "Ip", value: formatIpv4((first + i) >>> 0), type };
  }
}

function wholeOutput(row: ExportRow, view: StreamView, leftOut: NotEnforceable): Enforced | null {
  const { value, version, prefix } = row;
  const type = decisionType(row);
  const isAddress = prefix === (version === "v4" ? 32 : 128);
  if (isAddress) return view.hasIps ? { scope: "Ip", value, type } : null;
  if (view.expand === "no" && view.hasRanges) return { scope: "Range", value, type };
  leftOut.notEnforceable++;
  return null;
}
