import { z } from "zod";
import { openOperatorDatabase } from "../../operator-database.ts";
import { accuracyOf, type Geo, type GeoRow, pointOf } from "./geo.ts";

const named = z.object({ names: z.record(z.string(), z.string()).default({}) });
const degrees = z.union([z.number(), z.string().transform(Number.parseFloat)]).optional();

/** MaxMind's nested form, and the flat ones of ip-location-db and IPinfo. */
const rowShape = z.object({
  country: z.union([z.object({ iso_code: z.string().default("") }), z.string()]).optional(),
  subdivisions: z.array(named).default([]),
  city: z.union([named, z.string()]).optional(),
  location: z.object({ latitude: degrees, longitude: degrees }).optional(),
  country_code: z.string().default(""),
  state1: z.string().optional(),
  region: z.string().optional(),
  latitude: degrees,
  longitude: degrees,
  lat: degrees,
  lng: degrees,
});

type Row = z.infer<typeof rowShape>;

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

function geoRowOf(row: Row): GeoRow | null {
  const countryCode = countryCodeOf(row);
  if (countryCode === null) return null;
  const regionName = row.subdivisions[0]?.names["en"] ?? row.state1 ?? row.region ?? "";
  const cityName = (typeof row.city === "string" ? row.city : row.city?.names["en"]) ?? "";
  return {
    countryCode,
    regionName,
    cityName,
    ...pointOf(
      row.location?.latitude ?? row.latitude ?? row.lat ?? Number.NaN,
      row.location?.longitude ?? row.longitude ?? row.lng ?? Number.NaN,
    ),
    accuracy: accuracyOf({ countryCode, regionName, cityName }),
  };
}

/** `country` is a code in some files, and a name beside `country_code` in others. */
function countryCodeOf({ country, country_code }: Row): string | null {
  const texts = [typeof country === "object" ? country.iso_code : "", country_code, country];
  const code = texts.find((text) => typeof text === "string" && /^[a-z]{2}$/i.test(text));
  return typeof code === "string" ? code.toUpperCase() : null;
}
