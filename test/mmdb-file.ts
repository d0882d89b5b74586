import { type Ip, parseIp } from "../src/targets/ip.ts";

export type Value = string | number | { readonly [key: string]: Value } | readonly Value[];
export type Entry = { readonly network: string; readonly record: Value };

/** Encodes a value as the MaxMind DB format does; whole numbers as u32, others as doubles. */
function encode(value: Value): Buffer {
  if (typeof value === "string")
    return Buffer.concat([head(2, Buffer.byteLength(value)), Buffer.from(value)]);
  if (typeof value === "number") return encodeNumber(value);
  if (Array.isArray(value)) return Buffer.concat([head(11, value.length), ...value.map(encode)]);
  const members = Object.entries(value);
  return Buffer.concat([head(7, members.length), ...members.flatMap(([k, v]) => [encode(k), encode(v)])]);
}

function encodeNumber(value: number): Buffer {
  const bytes = Buffer.alloc(Number.isInteger(value) ? 4 : 8);
  if (Number.isInteger(value)) bytes.writeUInt32BE(value);
  else bytes.writeDoubleBE(value);
  return Buffer.concat([head(bytes.length === 4 ? 6 : 3, bytes.length), bytes]);
}

function head(type: number, size: number): Buffer {
  const sized = size < 29 ? [size] : [29, size - 29];
  const [first = 0, ...rest] = sized;
  return type < 8 ? Buffer.from([(type << 5) | first, ...rest]) : Buffer.from([first, type - 7, ...rest]);
}

/** A MaxMind DB file. Its records have 28 bits, as those of the bundled files, unless others are asked for. */
export function database(
  bits: 32 | 128,
  entries: readonly Entry[],
  recordBits: 24 | 28 | 32 = 28,
  builtAt = new Date(1_780_000_000_000),
): Buffer {
  const nodes: [number, number][] = [[-1, -1]];
  const data: Buffer[] = [];
  let dataBytes = 0;
  for (const { network, record } of entries) {
    const [address = "", length = String(bits)] = network.split("/");
    insert(nodes, bitsOf(parseIp(address)).slice(0, Number(length)), -2 - dataBytes);
    data.push(encode(record));
    dataBytes += data.at(-1)?.length ?? 0;
  }
  const tree = Buffer.concat(nodes.map((pair) => node(pair, nodes.length, recordBits)));
  const metadata = encode({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: Math.floor(builtAt.getTime() / 1000),
    database_type: "test",
    description: {},
    ip_version: bits === 32 ? 4 : 6,
    languages: [],
    node_count: nodes.length,
    record_size: recordBits,
  });
  const marker = Buffer.concat([Buffer.from([0xab, 0xcd, 0xef]), Buffer.from("MaxMind.com")]);
  return Buffer.concat([tree, Buffer.alloc(16), ...data, marker, metadata]);
}

const bitsOf = (ip: Ip): number[] =>
  (ip.version === "v4" ? [ip.value] : ip.words).flatMap((word) =>
    Array.from({ length: 32 }, (_, i) => (word >>> (31 - i)) & 1),
  );

function insert(nodes: [number, number][], path: readonly number[], leaf: number): void {
  let at = 0;
  for (const [depth, bit] of path.entries()) {
    const pair = nodes[at]!;
    const side = bit === 0 ? 0 : 1;
    if (depth === path.length - 1) pair[side] = leaf;
    else if (pair[side] < 0) pair[side] = nodes.push([-1, -1]) - 1;
    at = pair[side];
  }
}

function node([left, right]: [number, number], count: number, recordBits: 24 | 28 | 32): Buffer {
  const record = (side: number) => (side >= 0 ? side : side === -1 ? count : count + 16 + (-2 - side));
  const [l, r] = [record(left), record(right)];
  if (recordBits !== 28) {
    const bytes = Buffer.alloc(recordBits / 4);
    bytes.writeUIntBE(l, 0, recordBits / 8);
    bytes.writeUIntBE(r, recordBits / 8, recordBits / 8);
    return bytes;
  }
  const middle = ((l >>> 24) << 4) | (r >>> 24);
  return Buffer.from([l >>> 16, l >>> 8, l, middle, r >>> 16, r >>> 8, r].map((byte) => byte & 255));
}

/** A record in the flat form of ip-location-db. */
export const city = (code: string, state: string, name: string, latitude = 1.5, longitude = -2.5): Value => ({
  city: name,
  country_code: code,
  latitude,
  longitude,
  postcode: "",
  state1: state,
});

/** A record in MaxMind's nested form, as DB-IP publishes it. */
export const nestedCity = (
  code: string,
  state: string,
  name: string,
  latitude = 1.5,
  longitude = -2.5,
): Value => ({
  city: { names: { de: "Anders", en: name } },
  continent: { code: "EU", names: { en: "Europe" } },
  country: { iso_code: code, names: { en: "Country", fr: "Pays" } },
  location: { latitude, longitude },
  subdivisions: [{ names: { en: state } }, { names: { en: "A district" } }],
});

/** A network of IPv4 inside a tree of both families. */
export const ipv4Inside = (network: string): string => {
  const [address, length] = network.split("/");
  return `::${address}/${96 + Number(length)}`;
};
