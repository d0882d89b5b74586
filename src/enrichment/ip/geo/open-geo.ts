import {
  i16Section,
  type Sections,
  type Snapshot,
  u8Section,
  u16Section,
  u32Section,
} from "../../../blocklist-index/snapshot.ts";
import type { Ip } from "../../../targets/ip.ts";
import { ipv4Intervals, ipv6Intervals, publishedAtOf, textTable } from "../../sections.ts";
import { cachedTextReader, textReader } from "../../text-table.ts";
import { findIpv4Row, findIpv6Row } from "../intervals.ts";
import { accuracyOf, type Geo, type GeoRow, pointOf } from "./geo.ts";

/** The geography in force, and what its snapshot was made of. */
export type OpenedGeo = Geo & { readonly fingerprint: string };

/** The geography of a snapshot that was read: about 57 MB. */
export const geoFrom = ({ fingerprint, sections, meta }: Snapshot): OpenedGeo => ({
  fingerprint,
  find: finder(sections),
  publishedAt: publishedAtOf(meta),
  source: "dbip_city_lite",
});

function finder(sections: Sections): (ip: Ip) => GeoRow | null {
  const v4 = ipv4Intervals(sections);
  const v6 = ipv6Intervals(sections);
  const readRow = rowReader(sections);
  return (ip) => {
    const row = ip.version === "v4" ? findIpv4Row(v4, ip.value) : findIpv6Row(v6, ip.words[0], ip.words[1]);
    return row === 0 ? null : readRow(row);
  };
}

function rowReader(sections: Sections): (row: number) => GeoRow {
  const country = u8Section(sections, "row.country");
  const region = u16Section(sections, "row.region");
  const city = u32Section(sections, "row.city");
  const latitude = i16Section(sections, "row.latitude");
  const longitude = i16Section(sections, "row.longitude");
  const countryText = cachedTextReader(textTable(sections, "countries"));
  const regionText = cachedTextReader(textTable(sections, "regions"));
  const cityText = textReader(textTable(sections, "cities"));
  return (row) => {
    const countryCode = countryText(country[row] ?? 0);
    const regionName = regionText(region[row] ?? 0);
    const cityName = cityText(city[row] ?? 0);
    return {
      countryCode,
      regionName,
      cityName,
      ...pointOf((latitude[row] ?? 0) / 100, (longitude[row] ?? 0) / 100),
      accuracy: accuracyOf({ countryCode, regionName, cityName }),
    };
  };
}
