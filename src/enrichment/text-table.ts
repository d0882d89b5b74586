/** Texts by number: one UTF-8 blob and where each begins. */
export type TextTable = { readonly blob: Uint8Array; readonly offsets: Uint32Array };

/** Collects distinct texts from bytes. */
export type TextInterner = {
  /** Number of the text in `bytes[start, end)`; the empty text is 0. */
  readonly intern: (bytes: Uint8Array, start: number, end: number) => number;
  readonly table: () => TextTable;
};

/**
 * Interns texts by a hash over their bytes: as JavaScript strings in a Map they cost half of the whole build
 * (4 of 8 seconds measured). `maxTexts` only sizes the hash table; more texts than that throw.
 */
export function createTextInterner(maxTexts: number): TextInterner {
  const slots = new Uint32Array(2 ** Math.ceil(Math.log2(maxTexts * 2 + 2)));
  const mask = slots.length - 1;
  const offsets = new Uint32Array(maxTexts + 2);
  let blob = new Uint8Array(1 << 20);
  let count = 1;
  let used = 0;
  const equals = (id: number, bytes: Uint8Array, start: number, length: number): boolean => {
    const from = offsets[id] ?? 0;
    if ((offsets[id + 1] ?? 0) - from !== length) return false;
    for (let i = 0; i < length; i++) if (blob[from + i] !== bytes[start + i]) return false;
    return true;
  };
  const append = (bytes: Uint8Array, start: number, end: number): number => {
    if (count > maxTexts) throw new Error(`Cannot intern more than ${maxTexts} texts`);
    if (used + end - start > blob.length) {
      const larger = new Uint8Array((used + end - start) * 2);
      larger.set(blob);
      blob = larger;
    }
    blob.set(bytes.subarray(start, end), used);
    used += end - start;
    offsets[count + 1] = used;
    return count++;
  };
  const intern = (bytes: Uint8Array, start: number, end: number): number => {
    if (start === end) return 0;
    let slot = hashBytes(bytes, start, end) & mask;
    for (let id = slots[slot] ?? 0; id !== 0; id = slots[slot] ?? 0) {
      if (equals(id, bytes, start, end - start)) return id;
      slot = (slot + 1) & mask;
    }
    const id = append(bytes, start, end);
    slots[slot] = id;
    return id;
  };
  return {
    intern,
    table: () => ({ blob: blob.slice(0, used), offsets: offsets.slice(0, count + 1) }),
  };
}

/** FNV-1a with a last mix: neighbours in the table differ in their low bits. */
function hashBytes(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ (bytes[i] ?? 0), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** Reads texts back; remembers none. */
export function textReader(table: TextTable): (id: number) => string {
  const { offsets } = table;
  const blob = Buffer.from(table.blob.buffer, table.blob.byteOffset, table.blob.byteLength);
  return (id) => blob.toString("utf8", offsets[id] ?? 0, offsets[id + 1] ?? 0);
}

/** As `textReader`, but keeps each text once read: for tables of a few thousand texts. */
export function cachedTextReader(table: TextTable): (id: number) => string {
  const read = textReader(table);
  const texts = new Map<number, string>();
  return (id) => {
    const known = texts.get(id);
    if (known !== undefined) return known;
    const text = read(id);
    texts.set(id, text);
    return text;
  };
}
