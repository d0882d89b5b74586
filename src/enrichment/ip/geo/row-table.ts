import { createTextInterner, type TextTable } from "../../text-table.ts";
import { type CityRecord, createCityReader } from "./mmdb-record.ts";
import type { MmdbTree } from "./mmdb-tree.ts";

/** Rows of the geography by number, one array a column; row 0 is "nothing known". */
type RowColumns = {
  /** Numbers into `countries`. */
  readonly country: Uint8Array;
  /** Numbers into `regions`. */
  readonly region: Uint16Array;
  /** Numbers into `cities`. */
  readonly city: Uint32Array;
  /** Hundredths of a degree. */
  readonly latitude: Int16Array;
  readonly longitude: Int16Array;
  readonly countries: TextTable;
  readonly regions: TextTable;
  readonly cities: TextTable;
};

/** Collects distinct rows from one or more databases. */
export type GeoRowCollector = {
  /** A function from a record's offset in `tree` to its row; remembers each offset. */
  readonly rowsOf: (tree: MmdbTree) => (dataOffset: number) => number;
  readonly columns: () => RowColumns;
};

const MAX_ROWS = 1 << 20;
const OPENING = 0x28;
const CLOSING = 0x29;
const BLANK = 0x20;

/** Interns rows by the numbers they consist of. More than 2^20 rows, 255 countries or 65,535 regions throw. */
export function createRowCollector(): GeoRowCollector {
  const countries = createTextInterner(255);
  const regions = createTextInterner(65_535);
  const cities = createTextInterner(MAX_ROWS);
  const rows = createRowInterner();
  const intern = (bytes: Buffer, record: CityRecord): number => {
    const country = countries.intern(bytes, record.countryStart, record.countryEnd);
    if (country === 0) return 0;
    return rows.intern(
      country,
      regions.intern(bytes, record.regionStart, record.regionEnd),
      cities.intern(bytes, record.cityStart, endWithoutDistrict(bytes, record)),
      Math.round(record.latitude * 100),
      Math.round(record.longitude * 100),
    );
  };
  return {
    rowsOf: (tree) => memoByOffset(tree, intern),
    columns: () => ({
      ...rows.columns(),
      countries: countries.table(),
      regions: regions.table(),
      cities: cities.table(),
    }),
  };
}

function createRowInterner() {
  const country = new Uint8Array(MAX_ROWS);
  const region = new Uint16Array(MAX_ROWS);
  const city = new Uint32Array(MAX_ROWS);
  const latitude = new Int16Array(MAX_ROWS);
  const longitude = new Int16Array(MAX_ROWS);
  const slots = new Uint32Array(MAX_ROWS * 2);
  const mask = slots.length - 1;
  let count = 1;
  const intern = (c: number, r: number, t: number, lat: number, lon: number): number => {
    let slot = hashRow(c, r, t, lat, lon) & mask;
    for (let id = slots[slot] ?? 0; id !== 0; id = slots[slot] ?? 0) {
      const same = city[id] === t && region[id] === r && country[id] === c;
      if (same && latitude[id] === lat && longitude[id] === lon) return id;
      slot = (slot + 1) & mask;
    }
    if (count === MAX_ROWS) throw new Error(`Cannot hold more than ${MAX_ROWS} rows of geography`);
    slots[slot] = count;
    country[count] = c;
    region[count] = r;
    city[count] = t;
    latitude[count] = lat;
    longitude[count] = lon;
    return count++;
  };
  const columns = () => ({
    country: country.slice(0, count),
    region: region.slice(0, count),
    city: city.slice(0, count),
    latitude: latitude.slice(0, count),
    longitude: longitude.slice(0, count),
  });
  return { intern, columns };
}

function memoByOffset(
  tree: MmdbTree,
  intern: (bytes: Buffer, record: CityRecord) => number,
): (dataOffset: number) => number {
  const read = createCityReader(tree.bytes, tree.dataStart);
  const slots = new Uint32Array(1 << 21);
  const rows = new Uint32Array(1 << 21);
  const mask = slots.length - 1;
  let used = 0;
  return (dataOffset) => {
    if (dataOffset < 0) return 0;
    let slot = (Math.imul(dataOffset, 0x9e3779b1) >>> 11) & mask;
    for (let known = slots[slot] ?? 0; known !== 0; known = slots[slot] ?? 0) {
      if (known === dataOffset + 1) return rows[slot] ?? 0;
      slot = (slot + 1) & mask;
    }
    if (++used > mask) throw new Error("Cannot read database: more than two million records");
    const row = intern(tree.bytes, read(dataOffset));
    slots[slot] = dataOffset + 1;
    rows[slot] = row;
    return row;
  };
}

/** "Berkeley (North Berkeley)" is the city of Berkeley: a district in brackets at the end does not count. */
function endWithoutDistrict(bytes: Buffer, { cityStart, cityEnd }: CityRecord): number {
  if (bytes[cityEnd - 1] !== CLOSING) return cityEnd;
  for (let at = cityStart + 1; at < cityEnd; at++) {
    if (bytes[at] === OPENING && bytes[at - 1] === BLANK) return at - 1 > cityStart ? at - 1 : cityEnd;
  }
  return cityEnd;
}

function hashRow(country: number, region: number, city: number, latitude: number, longitude: number): number {
  let hash = Math.imul(country ^ 0x811c9dc5, 0x01000193);
  hash = Math.imul(hash ^ region, 0x85ebca6b);
  hash = Math.imul(hash ^ city, 0xc2b2ae35);
  hash = Math.imul(hash ^ (latitude & 0xffff), 0x9e3779b1);
  hash = Math.imul(hash ^ (longitude & 0xffff), 0x85ebca6b);
  return (hash ^ (hash >>> 15)) >>> 0;
}
