import { crc32, gunzipSync } from "node:zlib";
import { unzipSync } from "fflate";
import { InvalidValue } from "../base/failure.ts";

/** Members that an archive may have. */
const MAX_MEMBERS = 1000;
const BLOCK = 512;

type Limits = {
  /** Bytes of everything that is unpacked. */
  readonly maxBytes: number;
  /** The archive's member that is the list; null: it has only one. */
  readonly member: string | null;
};

/**
 * The list inside a file as it came: packed by gzip, zip or tar and gzip, told by its first bytes, or not at all. Members
 * are picked by their names, which never become paths. Throws InvalidValue for what cannot be unpacked, or within
 * `maxBytes`. Source: catalogue, Transport 4.
 */
export function unpack(bytes: Uint8Array, limits: Limits): Uint8Array {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
    const inner = readPacked(() => gunzipSync(bytes, { maxOutputLength: limits.maxBytes }));
    return isTar(inner) ? memberOfTar(inner, limits) : inner;
  }
  if (isZip(bytes)) {
    return readPacked(() => memberOfZip(bytes, limits));
  }
  if (isTar(bytes)) return memberOfTar(bytes, limits);
  const packer = OTHER_PACKERS.find(([, at, magic]) => textOf(bytes, at, magic.length) === magic)?.[0];
  if (packer === undefined) return bytes;
  throw new InvalidValue("archive", `The file is packed by ${packer}; gzip, zip and tar can be unpacked`);
}

/** Named to the operator, who would else look for a fault in the rows: what each has at an offset. */
const OTHER_PACKERS: readonly (readonly [name: string, at: number, magic: string])[] = [
  ["bzip2", 4, "1AY&SY"],
  ["xz", 0, "\u00fd7zXZ\0"],
  ["zstd", 0, "\u0028\u00b5\u002f\u00fd"],
  ["7-Zip", 0, "7z\u00bc\u00af"],
];

/** A member's header, or the end of a directory without members. */
const isZip = (bytes: Uint8Array): boolean =>
  ["PK\u0003\u0004", "PK\u0005\u0006"].includes(textOf(bytes, 0, 4));

function readPacked(read: () => Uint8Array): Uint8Array {
  try {
    return read();
  } catch (error) {
    if (error instanceof InvalidValue || !(error instanceof Error) || !("code" in error)) throw error;
    if (error.code === "ERR_BUFFER_TOO_LARGE") throw tooLarge();
    throw new InvalidValue("archive", `The file cannot be unpacked: ${error.message}`);
  }
}

const tooLarge = (): InvalidValue => new InvalidValue("archive", "The file is too large when unpacked");

function memberOfZip(bytes: Uint8Array, { maxBytes, member }: Limits): Uint8Array {
  const names: string[] = [];
  const told = new Map<string, { readonly size: number; readonly checksum: number }>();
  const checksums = checksumsOf(bytes);
  unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      if (names.length >= MAX_MEMBERS) throw tooManyMembers();
      if (!name.endsWith("/")) names.push(name);
      told.set(name, { size: originalSize, checksum: checksums.next().value ?? 0 });
      return false;
    },
  });
  const wanted = pick(names, member);
  const { size = 0, checksum } = told.get(wanted) ?? {};
  // The size in the directory is what is reserved; content beyond it is lost, not written elsewhere.
  if (size > maxBytes) throw tooLarge();
  const content = unzipSync(bytes, { filter: ({ name }) => name === wanted })[wanted];
  if (content === undefined) throw new InvalidValue("archive", "The archive holds no list");
  if (crc32(content) !== checksum) {
    throw new InvalidValue(
      "archive",
      "The archive is damaged or encrypted: the checksum of the list is wrong",
    );
  }
  return content;
}

/** CRC-32 of each member in the order of the directory, which `unzipSync` reads as well and does not compare. Source: APPNOTE 4.3.12. */
function* checksumsOf({ buffer, byteOffset, byteLength }: Uint8Array): Generator<number, undefined> {
  const zip = Buffer.from(buffer, byteOffset, byteLength);
  for (let at = directoryOf(zip); textOf(zip, at, 4) === "PK\u0001\u0002"; ) {
    yield zip.readUInt32LE(at + 16);
    at += 46 + zip.readUInt16LE(at + 28) + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return undefined;
}

/** Where the directory begins; large archives tell it in a record of ZIP64 before the end. */
function directoryOf(zip: Buffer): number {
  const end = zip.lastIndexOf("PK\u0005\u0006", -22, "latin1");
  if (end >= 20 && textOf(zip, end - 20, 4) === "PK\u0006\u0007") {
    const record = zip.readUInt32LE(end - 12);
    if (textOf(zip, record, 4) === "PK\u0006\u0006") return zip.readUInt32LE(record + 48);
  }
  return zip.readUInt32LE(end + 16);
}

const isTar = (bytes: Uint8Array): boolean => textAt(bytes, 257, 5) === "ustar";

function memberOfTar(bytes: Uint8Array, { member }: Limits): Uint8Array {
  const members = new Map<string, Uint8Array>();
  for (let at = 0; at + BLOCK <= bytes.length && bytes[at] !== 0; ) {
    const size = sizeAt(bytes, at);
    const kind = bytes[at + 156];
    // Regular files: "0", or NUL in old archives. Folders, links and extended headers are passed over.
    if (kind === 0x30 || kind === 0) {
      if (members.size >= MAX_MEMBERS) throw tooManyMembers();
      members.set(nameAt(bytes, at), bytes.subarray(at + BLOCK, at + BLOCK + size));
    }
    if (at + BLOCK + size > bytes.length) throw new InvalidValue("archive", "The archive is cut short");
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return members.get(pick([...members.keys()], member)) ?? new Uint8Array();
}

/** POSIX ustar: the name is its prefix and the rest of it; old archives have no prefix. */
function nameAt(bytes: Uint8Array, at: number): string {
  const prefix = textAt(bytes, at + 345, 155);
  const name = textAt(bytes, at, 100);
  return prefix === "" ? name : `${prefix}/${name}`;
}

function sizeAt(bytes: Uint8Array, at: number): number {
  const digits = textAt(bytes, at + 124, 12).trim();
  if (!/^[0-7]{1,11}$/.test(digits))
    throw new InvalidValue("archive", "The archive has a member without a size");
  return Number.parseInt(digits, 8);
}

/** Text of a field, to its first NUL. */
const textAt = (bytes: Uint8Array, at: number, length: number): string =>
  textOf(bytes, at, length).split("\0", 1)[0] ?? "";

const textOf = ({ buffer, byteOffset, byteLength }: Uint8Array, at: number, length: number): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString("latin1", at, at + length);

function tooManyMembers(): InvalidValue {
  return new InvalidValue("archive", `The archive has more than ${MAX_MEMBERS} members`);
}

/** The member that is the list: the one asked for, or the only one. */
function pick(names: readonly string[], member: string | null): string {
  const bare = (name: string): string => name.replace(/^\.\//, "");
  const found = member === null ? names : names.filter((name) => bare(name) === bare(member));
  const [first] = found;
  if (first === undefined) {
    throw new InvalidValue(
      "archive",
      member === null ? "The archive is empty" : `The archive has no "${member}"`,
    );
  }
  if (found.length > 1) throw new InvalidValue("archive", `The archive has ${found.length} members, not one`);
  return first;
}
