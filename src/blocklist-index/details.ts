import { createColumn } from "./columns.ts";
import { type Sections, u8Section, u32Section } from "./snapshot.ts";
import type { ListingDetail } from "./types.ts";

/** Collects details: each text once, each combination of texts once. Detail 0 is "none". */
export type DetailCollector = {
  readonly add: (detail: ListingDetail | undefined) => number;
  /** Of two details of one entry the one with the newer `lastSeen`; the first where that does not tell. */
  readonly newer: (one: number, other: number) => number;
  readonly sections: () => Sections;
};

/** Reads the details of a compiled index. */
export type DetailTable = { readonly read: (id: number) => ListingDetail | null };

// codes (as JSON), reason, firstSeen, lastSeen, value: a text number each, 0 for absent.
const FIELDS = 5;
const CACHED_DETAILS = 4096;

/** An empty collector. */
export function createDetailCollector(): DetailCollector {
  const texts = new Map<string, number>();
  const ids = new Map<string, number>();
  const fields = createColumn();
  const lastSeenMs: number[] = [Number.NEGATIVE_INFINITY];
  for (let i = 0; i < FIELDS; i++) fields.push(0);
  let latest: { readonly detail: ListingDetail; readonly id: number } | null = null;

  const textId = (text: string | undefined): number => {
    if (text === undefined) return 0;
    const known = texts.get(text);
    if (known !== undefined) return known;
    texts.set(text, texts.size + 1);
    return texts.size;
  };
  const intern = (detail: ListingDetail): number => {
    const { codes, reason, firstSeen, lastSeen, value } = detail;
    const row = [codes && JSON.stringify(codes), reason, firstSeen, lastSeen, value].map(textId);
    const key = row.join();
    const known = ids.get(key);
    if (known !== undefined) return known;
    const id = ids.size + 1;
    ids.set(key, id);
    for (const field of row) fields.push(field);
    const ms = Date.parse(lastSeen ?? "");
    lastSeenMs.push(Number.isNaN(ms) ? Number.NEGATIVE_INFINITY : ms);
    return id;
  };
  return {
    add: (detail) => {
      if (detail === undefined) return 0;
      if (latest?.detail !== detail) latest = { detail, id: intern(detail) };
      return latest.id;
    },
    newer: (one, other) => {
      if (one === 0 || other === 0) return one === 0 ? other : one;
      return (lastSeenMs[other] ?? 0) > (lastSeenMs[one] ?? 0) ? other : one;
    },
    sections: () => ({ ...textSections([...texts.keys()]), "detail.fields": fields.values() }),
  };
}

function textSections(texts: readonly string[]): Sections {
  const encoded = texts.map((text) => Buffer.from(text, "utf8"));
  const ends = createColumn();
  ends.push(0); // text 0: absent
  let end = 0;
  for (const { byteLength } of encoded) {
    end += byteLength;
    ends.push(end);
  }
  return { "text.bytes": Buffer.concat(encoded), "text.ends": ends.values() };
}

/** The details of a snapshot. Read details are kept, up to a bound: traffic asks for few of them again and again. */
export function openDetails(sections: Sections): DetailTable {
  const bytes = u8Section(sections, "text.bytes");
  const ends = u32Section(sections, "text.ends");
  const fields = u32Section(sections, "detail.fields");
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const cache = new Map<number, ListingDetail>();
  const textAt = (place: number): string | null => {
    const id = fields[place] ?? 0;
    return id === 0 ? null : text.toString("utf8", ends[id - 1] ?? 0, ends[id] ?? 0);
  };
  const decode = (id: number): ListingDetail => {
    const [codes, reason, firstSeen, lastSeen, value] = [0, 1, 2, 3, 4].map((i) => textAt(id * FIELDS + i));
    return Object.freeze({
      ...(codes ? { codes: codesOf(codes) } : {}),
      ...(typeof reason === "string" ? { reason } : {}),
      ...(typeof firstSeen === "string" ? { firstSeen } : {}),
      ...(typeof lastSeen === "string" ? { lastSeen } : {}),
      ...(typeof value === "string" ? { value } : {}),
    });
  };
  return {
    read: (id) => {
      if (id === 0) return null;
      const known = cache.get(id);
      if (known !== undefined) return known;
      if (cache.size >= CACHED_DETAILS) cache.clear();
      const detail = decode(id);
      cache.set(id, detail);
      return detail;
    },
  };
}

function codesOf(json: string): readonly string[] {
  const codes: unknown = JSON.parse(json);
  return Array.isArray(codes) ? codes.filter((code) => typeof code === "string") : [];
}
