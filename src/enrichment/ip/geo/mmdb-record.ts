import { InvalidValue } from "../../../base/failure.ts";

/** Where the fields of one city record stand in the file, and its place. Reused from record to record. */
export type CityRecord = {
  countryStart: number;
  countryEnd: number;
  regionStart: number;
  regionEnd: number;
  cityStart: number;
  cityEnd: number;
  /** Degrees. */
  latitude: number;
  longitude: number;
};

/** Where a reader is: at the record, at a map inside it that matters, or at a field. */
type Path =
  | "record"
  | "countryMap"
  | "cityMap"
  | "cityNames"
  | "regions"
  | "regionNames"
  | "location"
  | "country"
  | "region"
  | "city"
  | "latitude"
  | "longitude"
  | "other";

/** What a member leads to: the flat form of ip-location-db, and MaxMind's nested one, which DB-IP publishes. */
const MEMBERS: Readonly<Partial<Record<Path, Readonly<Record<string, Path>>>>> = {
  record: {
    country_code: "country",
    state1: "region",
    city: "cityMap",
    latitude: "latitude",
    longitude: "longitude",
    country: "countryMap",
    subdivisions: "regions",
    location: "location",
  },
  countryMap: { iso_code: "country" },
  cityMap: { names: "cityNames" },
  cityNames: { en: "city" },
  regions: { names: "regionNames" },
  regionNames: { en: "region" },
  location: { latitude: "latitude", longitude: "longitude" },
};

const POINTER = 1;
const TEXT = 2;
const DOUBLE = 3;
const MAP = 7;
const ARRAY = 11;
const BOOLEAN = 14;
const FLOAT = 15;

/** Values of one record; real ones have some 150. */
const MAX_VALUES = 5_000;
const MAX_DEPTH = 16;

/** A value's head: type, size, and where its content stands (a pointer is followed). */
type Head = { type: number; size: number; at: number; next: number };

/**
 * Reads city records of a MaxMind DB without making an object of each: 700,000 of them in under a second. The record given
 * back is the same object each time. Throws InvalidValue for what is no record. Source: MaxMind DB file format 2.0, data
 * section.
 */
export function createCityReader(bytes: Buffer, dataStart: number): (offset: number) => CityRecord {
  const record: CityRecord = { ...NOWHERE };
  const head: Head = { type: 0, size: 0, at: 0, next: 0 };
  const pathAfter = createPaths(bytes, head);
  let values = 0;
  /** Reads the value at `at` and gives where the next one stands. */
  const read = (at: number, path: Path, depth: number): number => {
    if (++values > MAX_VALUES || depth > MAX_DEPTH) throw broken();
    readHead(bytes, dataStart, at, head);
    const { type, size, next: afterPointer } = head;
    const isPointed = (bytes[at] ?? 0) >>> 5 === POINTER;
    // What a pointer leads to need not be walked through to come past it.
    if (isPointed && path === "other") return afterPointer;
    const end =
      type === MAP
        ? readMap(head.at, size, path, depth)
        : type === ARRAY
          ? readArray(head.at, size, path, depth)
          : readScalar(path);
    return isPointed ? afterPointer : end;
  };
  const readMap = (at: number, size: number, path: Path, depth: number): number => {
    let end = at;
    for (let i = 0; i < size; i++) {
      readHead(bytes, dataStart, end, head);
      end = read(head.next, pathAfter(path), depth + 1);
    }
    return end;
  };
  /** Only the first member counts: of subdivisions it is the largest. */
  const readArray = (at: number, size: number, path: Path, depth: number): number => {
    let end = at;
    for (let i = 0; i < size; i++) end = read(end, i === 0 ? path : "other", depth + 1);
    return end;
  };
  const readScalar = (path: Path): number => {
    store(bytes, path, head, record);
    return afterValue(head);
  };
  return (offset) => {
    Object.assign(record, NOWHERE);
    values = 0;
    readHead(bytes, dataStart, dataStart + offset, head);
    if (head.type !== MAP) throw broken();
    read(dataStart + offset, "record", 0);
    return record;
  };
}

const NOWHERE: Readonly<CityRecord> = {
  countryStart: 0,
  countryEnd: 0,
  regionStart: 0,
  regionEnd: 0,
  cityStart: 0,
  cityEnd: 0,
  latitude: 0,
  longitude: 0,
};

const afterValue = ({ type, at, size }: Head): number => (type === BOOLEAN ? at : at + size);

const broken = (): InvalidValue =>
  new InvalidValue("database", "The MaxMind DB is broken: a record of it cannot be read");

/** Where the key under `head` leads; keys stand once in a file, so that each is read but once. */
function createPaths(bytes: Buffer, head: Head): (path: Path) => Path {
  const keys = new Map<number, string>();
  return (path) => {
    let key = keys.get(head.at);
    if (key === undefined) {
      key = bytes.toString("latin1", head.at, head.at + head.size);
      if (keys.size < 1000) keys.set(head.at, key);
    }
    return MEMBERS[path]?.[key] ?? "other";
  };
}

function store(bytes: Buffer, path: Path, head: Head, record: CityRecord): void {
  if (path === "latitude") record.latitude = numberAt(bytes, head);
  else if (path === "longitude") record.longitude = numberAt(bytes, head);
  else if (head.type !== TEXT) return;
  else if (path === "country") {
    record.countryStart = head.at;
    record.countryEnd = head.at + head.size;
  } else if (path === "region") {
    record.regionStart = head.at;
    record.regionEnd = head.at + head.size;
  } else if (path === "city" || path === "cityMap") {
    record.cityStart = head.at;
    record.cityEnd = head.at + head.size;
  }
}

const numberAt = (bytes: Buffer, head: Head): number => {
  if (head.type === FLOAT && head.size === 4) return bytes.readFloatBE(head.at);
  if (head.type === DOUBLE && head.size === 8) return bytes.readDoubleBE(head.at);
  return 0;
};

/** Reads the head at `at`; after a pointer, `next` is what follows the pointer. */
function readHead(bytes: Buffer, dataStart: number, at: number, head: Head, isFollowed = false): void {
  if (at < dataStart || at >= bytes.length) throw broken();
  const control = bytes[at] ?? 0;
  if (control >>> 5 === POINTER) {
    // A pointer to a pointer is none.
    if (isFollowed) throw broken();
    const extra = (control >>> 3) & 3;
    readHead(bytes, dataStart, dataStart + pointerAt(bytes, at, control, extra), head, true);
    head.next = at + 2 + extra;
    return;
  }
  let content = at + 1;
  head.type = control >>> 5;
  if (head.type === 0) head.type = (bytes[content++] ?? 0) + 7;
  let size = control & 31;
  if (size === 29) size = 29 + (bytes[content++] ?? 0);
  else if (size === 30) {
    size = 285 + uintAt(bytes, content, 2);
    content += 2;
  } else if (size === 31) {
    size = 65821 + uintAt(bytes, content, 3);
    content += 3;
  }
  const hasOctets = head.type !== MAP && head.type !== ARRAY && head.type !== BOOLEAN;
  if (hasOctets && content + size > bytes.length) throw broken();
  head.size = size;
  head.at = content;
  head.next = hasOctets ? content + size : content;
}

function pointerAt(bytes: Buffer, at: number, control: number, extra: number): number {
  const high = control & 7;
  if (extra === 0) return (high << 8) | (bytes[at + 1] ?? 0);
  if (extra === 1) return ((high << 16) | uintAt(bytes, at + 1, 2)) + 2048;
  if (extra === 2) return ((high << 24) | uintAt(bytes, at + 1, 3)) + 526336;
  return uintAt(bytes, at + 1, 4);
}

function uintAt(bytes: Buffer, at: number, size: 2 | 3 | 4): number {
  if (at + size > bytes.length) throw broken();
  return bytes.readUIntBE(at, size);
}
