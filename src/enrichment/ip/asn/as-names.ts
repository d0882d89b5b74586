import { printableLine } from "../../../base/clean-text.ts";
import { InvalidValue } from "../../../base/failure.ts";
import { isAsn } from "../../../targets/asn.ts";

/** What the registries call an AS. */
export type NamedSystem = {
  readonly asn: number;
  /** Its handle, `GOOGLE`. */
  readonly name: string;
  /** What stands behind the handle, such as an organisation; mostly empty. */
  readonly description: string;
  /** ISO 3166-1 alpha-2 of the registration; empty when there is none. */
  readonly country: string;
};

export type AsNames = {
  readonly systems: readonly NamedSystem[];
  readonly rows: number;
  readonly dropped: number;
};

const MAX_CHARS = 300;

/**
 * Reads the registries' names as RIPE NCC gathers them: lines such as `15169 GOOGLE, US` and `3333 RIPE-NCC-AS Reseaux IP
 * Europeens, NL`; `ZZ` is no country, and what is reserved has no name. Throws InvalidValue when the last line is cut, and
 * when none is understood.
 */
export function readAsNames(bytes: Uint8Array): AsNames {
  const text = new TextDecoder().decode(bytes);
  if (text !== "" && !text.endsWith("\n")) {
    throw new InvalidValue("rows", "The table is cut short: its last line has no end");
  }
  const systems: NamedSystem[] = [];
  let rows = 0;
  for (let from = 0; from < text.length; ) {
    const to = text.indexOf("\n", from);
    const line = text.slice(from, to).trim();
    if (line !== "" && !line.startsWith("#")) {
      rows++;
      const system = systemOf(line);
      if (system !== null) systems.push(system);
    }
    from = to + 1;
  }
  if (rows > 0 && systems.length === 0)
    throw new InvalidValue("rows", "No line is a number and a name of an AS");
  return { systems, rows, dropped: rows - systems.length };
}

function systemOf(line: string): NamedSystem | null {
  const gap = line.indexOf(" ");
  const asn = Number(line.slice(0, gap));
  if (gap < 1 || gap > 10 || !isAsn(asn)) return null;
  const comma = line.lastIndexOf(", ");
  const code = comma < gap ? "" : line.slice(comma + 2);
  const hasCode = code.length === 2 && code >= "AA" && code <= "ZZ";
  const written = line.slice(gap + 1, hasCode ? comma : line.length);
  const words = printableLine(written.slice(0, MAX_CHARS)).toWellFormed();
  const country = hasCode && code !== "ZZ" ? code : "";
  if (words.startsWith("-")) return { asn, name: "", description: "", country };
  const end = words.indexOf(" ");
  const name = end < 0 ? words : words.slice(0, end);
  return { asn, name, description: end < 0 ? "" : words.slice(end + 1).trim(), country };
}
