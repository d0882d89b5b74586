import { z } from "zod";
import { openOperatorDatabase } from "../../operator-database.ts";
import { accuracyOf, type Geo, type GeoRow } from "./geo.ts";

const named = z.object({ names: z.record(z.string(), z.string()).default({}) });

/** MaxMind's nested form, and the flat one of ip-location-db. */
const rowShape = z.object({
  country: z.object({ iso_code: z.string().default("") }).optional(),
  subdivisions: z.array(named).default([]),
  city: z.union([named, z.string()]).optional(),
  location: z.object({ latitude: z.number(), longitude: z.number() }).optional(),
  country_code: z.string().default(""),
  state1: z.string().default(""),
  latitude: z.number().optional(),
  longitude: z.number().optional(),
});

/**
 * An operator's geography, a MaxMind DB file. Throws when it cannot be read or holds no place. A row that does not have the shape of
 * a city or country database counts as no row.
 */
export function openGeoDatabase(path: string): Geo {
  const rowOf = (record: unknown): GeoRow | null => {
    const row = rowShape.safeParse(record);
    return row.success ? geoRowOf(row.data) : null;
  };
  const isRow = (record: unknown) => rowOf(record) !== null;
  const database = openOperatorDatabase(path, { key: "geo.database", holds: "places", isRow });
  return {
    find: (ip) => rowOf(database.find(ip)),
    publishedAt: database.publishedAt,
    source: "operator_database",
  };
}

function geoRowOf(row: z.infer<typeof rowShape>): GeoRow | null {
  const countryCode = row.country?.iso_code || row.country_code;
  if (countryCode === "") return null;
  const regionName = row.subdivisions[0]?.names["en"] ?? row.state1;
  const cityName = (typeof row.city === "string" ? row.city : row.city?.names["en"]) ?? "";
  return {
    countryCode,
    regionName,
    cityName,
    latitude: row.location?.latitude ?? row.latitude ?? 0,
    longitude: row.location?.longitude ?? row.longitude ?? 0,
    accuracy: accuracyOf({ countryCode, regionName, cityName }),
  };
}
