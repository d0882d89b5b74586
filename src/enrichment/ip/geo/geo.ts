import type { Ip } from "../../../targets/ip.ts";

/** One source's row about an address; texts are empty when the row lacks them. */
export type GeoRow = {
  /** ISO 3166-1 alpha-2, or `XK`. */
  readonly countryCode: string;
  readonly regionName: string;
  readonly cityName: string;
  /** Degrees; null where the source gives no point, as one of countries alone. */
  readonly latitude: number | null;
  readonly longitude: number | null;
  /** The finest level that the row has. */
  readonly accuracy: "city" | "region" | "country" | "none";
};

/** A geography: the bundled table, or an operator's database. */
export type Geo = {
  /** Null when the source has no row for the address. */
  readonly find: (ip: Ip) => GeoRow | null;
  /** ISO 8601: when the publisher made it; null when it does not say. */
  readonly publishedAt: string | null;
  /** What `geo_source` says. */
  readonly source: string;
};

type Point = Pick<GeoRow, "latitude" | "longitude">;
const NO_POINT: Point = { latitude: null, longitude: null };

/** A point on earth; none for degrees that are missing or out of range, and for 0 and 0, in the sea, which stands for none. */
export function pointOf(latitude: number, longitude: number): Point {
  const isPoint = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  return isPoint && (latitude !== 0 || longitude !== 0) ? { latitude, longitude } : NO_POINT;
}

/** The finest level of a row. */
export function accuracyOf(row: Pick<GeoRow, "cityName" | "regionName" | "countryCode">): GeoRow["accuracy"] {
  if (row.cityName !== "") return "city";
  if (row.regionName !== "") return "region";
  return row.countryCode === "" ? "none" : "country";
}
