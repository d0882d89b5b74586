import { parseIpv4Value } from "../src/targets/ip.ts";

/** A network and what a reader is to find there. */
export type MmdbEntry = {
  readonly network: string;
  readonly prefix: number;
  readonly lists: readonly string[];
};

/**
 * A MaxMind DB file of IPv4 networks, each with the keys of the lists that name it; a network inside another one
 * hides it. As far as a comparison needs it: no strings are shared. Source: MaxMind DB File Format 2.0.
 */
export function mmdbFile(entries: readonly MmdbEntry[]): Buffer {
  const section = createDataSection();
  const tree = createTree(entries.length);
  for (const { network, prefix, lists } of [...entries].sort((a, b) => a.prefix - b.prefix)) {
    tree.insert(parseIpv4Value(network) ?? 0, prefix, section.add(lists));
  }
  const metadata = encodeMap([
    ["binary_format_major_version", encodeUint(2, 5)],
    ["binary_format_minor_version", encodeUint(0, 5)],
    ["build_epoch", encodeUint(1_700_000_000, 9)],
    ["database_type", encodeText("Bench")],
    ["description", encodeMap([["en", encodeText("Lists of the bench")]])],
    ["ip_version", encodeUint(4, 5)],
    ["languages", encodeList([])],
    ["node_count", encodeUint(tree.count(), 6)],
    ["record_size", encodeUint(32, 5)],
  ]);
  const marker = Buffer.from("\xab\xcd\xefMaxMind.com", "latin1");
  return Buffer.concat([tree.bytes(), Buffer.alloc(16), section.bytes(), marker, metadata]);
}

/** The distinct values, each once; `add` gives a value's offset. */
function createDataSection() {
  const offsets = new Map<string, number>();
  const values: Buffer[] = [];
  let end = 0;
  return {
    add: (lists: readonly string[]): number => {
      const key = lists.join();
      const known = offsets.get(key);
      if (known !== undefined) return known;
      const value = encodeList(lists.map(encodeText));
      offsets.set(key, end);
      values.push(value);
      end += value.length;
      return end - value.length;
    },
    bytes: () => Buffer.concat(values),
  };
}

/** Nodes of two records: 0 nothing, n a node, -(offset + 1) a value. Node 0 is the root. */
function createTree(entryCount: number) {
  const records = new Int32Array(2 * (entryCount * 33 + 1));
  let nodes = 1;
  /** The node under a record; made when there is none, with the value that stood there on both sides. */
  const below = (record: number): number => {
    const value = records[record] ?? 0;
    if (value > 0) return value;
    records[record] = nodes;
    records.fill(value, 2 * nodes, 2 * nodes + 2);
    return nodes++;
  };
  return {
    insert: (address: number, prefix: number, offset: number): void => {
      let node = 0;
      for (let bit = 0; bit < prefix - 1; bit++) node = below(2 * node + ((address >>> (31 - bit)) & 1));
      records[2 * node + ((address >>> (32 - prefix)) & 1)] = -offset - 1;
    },
    count: () => nodes,
    bytes: (): Buffer => {
      const bytes = Buffer.alloc(8 * nodes);
      for (let i = 0; i < 2 * nodes; i++) {
        const record = records[i] ?? 0;
        bytes.writeUInt32BE(record === 0 ? nodes : record > 0 ? record : nodes + 16 - record - 1, 4 * i);
      }
      return bytes;
    },
  };
}

/** Types beyond 7 stand in a byte of their own. */
function encodeHead(type: number, size: number): Buffer {
  const extended = type > 7 ? [type - 7] : [];
  const first = (type > 7 ? 0 : type) << 5;
  if (size < 29) return Buffer.from([first | size, ...extended]);
  return Buffer.from([first | 29, ...extended, size - 29]);
}

function encodeUint(value: number, type: 5 | 6 | 9): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return Buffer.concat([encodeHead(type, type === 5 ? 2 : 4), type === 5 ? bytes.subarray(2) : bytes]);
}

const encodeText = (text: string): Buffer =>
  Buffer.concat([encodeHead(2, Buffer.byteLength(text)), Buffer.from(text)]);

const encodeList = (members: readonly Buffer[]): Buffer =>
  Buffer.concat([encodeHead(11, members.length), ...members]);

const encodeMap = (members: readonly (readonly [string, Buffer])[]): Buffer =>
  Buffer.concat([
    encodeHead(7, members.length),
    ...members.flatMap(([name, value]) => [encodeText(name), value]),
  ]);
