import type { Ip } from "../../targets/ip.ts";
import type { Information } from "../facts.ts";
import { type CountryFacts, countryFactsOf, NO_COUNTRY } from "./country.ts";
import type { Geo, GeoRow } from "./geo/geo.ts";

/** A row of one source of places, which, and when it was published as ISO 8601. */
export type Place = { readonly row: GeoRow; readonly source: string; readonly publishedAt: string | null };

/** One source's whole row, the operator's first; never mixed. */
export function placeOf(geos: readonly Geo[], ip: Ip): Place | null {
  for (const geo of geos) {
    const row = geo.find(ip);
    if (row !== null) return { row, source: geo.source, publishedAt: geo.publishedAt };
  }
  return null;
}

type Where = Pick<
  Information,
  "region_name" | "city_name" | "latitude" | "longitude" | "geo_source" | "geo_accuracy"
>;

/** What a place's country says. */
export const countryAt = (place: Place | null): CountryFacts =>
  place === null ? NO_COUNTRY : countryFactsOf(place.row.countryCode);

/** The fields of a place inside its country; without one those of nowhere (design 5.2). */
export function whereIs(place: Place | null): Where {
  if (place === null) return NOWHERE;
  const { row, source } = place;
  return {
    region_name: row.regionName,
    city_name: row.cityName,
    latitude: row.latitude ?? 0,
    longitude: row.longitude ?? 0,
    geo_source: source,
    geo_accuracy: row.accuracy,
  };
}

const NOWHERE = {
  region_name: "",
  city_name: "",
  latitude: 0,
  longitude: 0,
  geo_source: "",
  geo_accuracy: "none",
} as const;

const POINT_FIELDS = ["information.latitude", "information.longitude"];

/** Paths of the fields that a place leaves unknown. */
export const unknownOfPlace = (place: Place | null): readonly string[] =>
  place !== null && (place.row.latitude === null || place.row.longitude === null) ? POINT_FIELDS : [];

/** Paths of the fields that are unknown when no source of places can be asked. */
export const GEOGRAPHY_FIELDS = [
  ...Object.keys(NO_COUNTRY),
  "region_name",
  "city_name",
  "latitude",
  "longitude",
  "geo_accuracy",
].map((field) => `information.${field}`);
