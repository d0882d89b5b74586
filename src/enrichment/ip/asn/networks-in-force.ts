import type { Ip } from "../../../targets/ip.ts";
import { monthly, type TableDate } from "../../table-age.ts";
import { type Asn, type AsnRow, type AsnSystem, joinSystems } from "./asn.ts";
import type { RouteLookup } from "./open-routes.ts";

/** Announced routes, and of when those of each family are. */
export type DatedRoutes = RouteLookup & Pick<Asn, "dates">;

/**
 * One table of the announced routes and the shipped one: routes where their table is there, else the shipped origins;
 * organisations are the shipped ones, else what the registries write behind a name. Null without either.
 */
export function joinNetworks(routes: DatedRoutes | null, shipped: Asn | null): Asn | null {
  if (routes === null) return shipped;
  const systemOf = rememberLast((asn: number): AsnSystem => {
    const announced = routes.systemOf(asn);
    if (shipped === null) return announced;
    const ofShipped = shipped.systemOf(asn);
    return { ...joinSystems(announced, ofShipped), org: ofShipped.org || announced.org };
  });
  const routeAt = rememberLast(routes.find);
  const rowAt = rememberLast((ip: Ip): AsnRow | null => {
    if (!routes.has(ip.version)) return shipped?.find(ip) ?? null;
    const route = routeAt(ip);
    const asn = route?.origins[0];
    return route === null || asn === undefined
      ? null
      : { asn, org: systemOf(asn).org, origins: route.origins };
  });
  return {
    find: rowAt,
    routeOf: (ip) => (routes.has(ip.version) ? (routeAt(ip)?.prefix ?? "") : null),
    systemOf,
    // The age of the origins that are given: names of organisations hardly age.
    dates: { v4: dateOf("v4", routes, shipped), v6: dateOf("v6", routes, shipped) },
  };
}

/** What is asked twice in a row is found once: a call asks for one address several times, and then for its AS. */
function rememberLast<Key, T>(find: (key: Key) => T): (key: Key) => T {
  let last: { readonly key: Key; readonly found: T } | null = null;
  return (key) => {
    if (last?.key !== key) last = { key, found: find(key) };
    return last.found;
  };
}

const dateOf = (family: Ip["version"], routes: DatedRoutes, shipped: Asn | null): TableDate =>
  routes.has(family) ? routes.dates[family] : (shipped?.dates[family] ?? monthly(null));
