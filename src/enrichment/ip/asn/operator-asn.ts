import { z } from "zod";
import { readAsn } from "../../../targets/asn.ts";
import { openOperatorDatabase } from "../../operator-database.ts";
import { monthly } from "../../table-age.ts";
import { type Asn, type AsnRow, UNKNOWN_SYSTEM } from "./asn.ts";

/** MaxMind's member names, and those of ip-location-db and IPinfo. */
const rowShape = z.object({
  autonomous_system_number: z.number().optional(),
  autonomous_system_organization: z.string().optional(),
  asn: z.union([z.number(), z.string()]).optional(),
  as_name: z.string().optional(),
  name: z.string().optional(),
});

/** An operator's address-to-AS table, a MaxMind DB file. Throws when it cannot be read or holds no AS number. */
export function openAsnDatabase(path: string): Asn {
  const rowOf = (record: unknown): AsnRow | null => {
    const row = rowShape.safeParse(record);
    return row.success ? asnRowOf(row.data) : null;
  };
  const isRow = (record: unknown) => rowOf(record) !== null;
  const database = openOperatorDatabase(path, { key: "geo.asn_database", holds: "AS numbers", isRow });
  const date = monthly(database.publishedAt);
  return {
    find: (ip) => rowOf(database.find(ip)),
    routeOf: () => null,
    systemOf: () => UNKNOWN_SYSTEM,
    dates: { v4: date, v6: date },
  };
}

function asnRowOf(row: z.infer<typeof rowShape>): AsnRow | null {
  const text = row.autonomous_system_number ?? row.asn;
  const asn = text === undefined ? null : readAsn(String(text));
  if (asn === null) return null;
  return { asn, org: row.autonomous_system_organization ?? row.as_name ?? row.name ?? "", origins: [asn] };
}
