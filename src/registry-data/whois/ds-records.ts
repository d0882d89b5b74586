import type { DsRecord } from "../types.ts";
import type { Statements } from "./statements.ts";

const MAX_DS_RECORDS = 50;
/** A record in brackets over several lines has a handful. */
const MAX_PARTS = 6;

/** The delegation signers that an answer lists, in one line each, in brackets over several, or field by field. */
export function dsRecordsOf(told: Pick<Statements, "all">): DsRecord[] {
  const records = [...wholeTexts(told.all("dsRecord")), ...joinedTexts(told)].map(readDsRecord);
  const unique = new Map(
    records.filter((record) => record !== null).map((record) => [JSON.stringify(record), record] as const),
  );
  return [...unique.values()].slice(0, MAX_DS_RECORDS);
}

/** Puts together what stands in one pair of brackets. */
function wholeTexts(values: readonly string[]): string[] {
  const texts: string[] = [];
  let open: string[] = [];
  for (const value of values.slice(0, MAX_DS_RECORDS * MAX_PARTS)) {
    open.push(value);
    const isOpen = open[0]?.includes("(") && !value.includes(")") && open.length < MAX_PARTS;
    if (isOpen) continue;
    texts.push(open.join(" "));
    open = [];
  }
  return texts;
}

function joinedTexts(told: Pick<Statements, "all">): string[] {
  const [algorithms, types, digests] = [
    told.all("dsAlgorithm"),
    told.all("dsDigestType"),
    told.all("dsDigest"),
  ];
  // A value may explain itself: `13 [ECDSAP256SHA256]`.
  const number = (text: string | undefined) => text?.split(" ", 1)[0];
  return told
    .all("dsKeyTag")
    .slice(0, MAX_DS_RECORDS)
    .map((keyTag, i) => [keyTag, number(algorithms[i]), number(types[i]), digests[i]].join(" "));
}

function readDsRecord(text: string): DsRecord | null {
  const [, keyTag, algorithm, digestType, digest] =
    /^(\d{1,5}) (\d{1,3}) (\d{1,3}) \(? ?([0-9a-f][0-9a-f ]{31,200})\)?$/i.exec(text.replace(/\s+/g, " ")) ??
    [];
  if (digest === undefined) return null;
  return {
    keyTag: Number(keyTag),
    algorithm: Number(algorithm),
    digestType: Number(digestType),
    digest: digest.replaceAll(" ", "").toUpperCase(),
  };
}
