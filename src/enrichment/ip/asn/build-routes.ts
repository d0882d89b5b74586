import { writeSnapshot } from "../../../blocklist-index/snapshot.ts";
import { prefixed } from "../../sections.ts";
import { createIntervalCollector } from "../intervals.ts";
import { readAsNames } from "./as-names.ts";
import { createRouteNesting } from "./nested-routes.ts";
import { type AddressFamily, type RisDump, readRisDump } from "./ris-dump.ts";
import type { RouteContents } from "./route-contents.ts";
import { createRouteRows } from "./route-rows.ts";
import { createSystems } from "./system-rows.ts";
import { forEachVisible } from "./visible-routes.ts";

/** Form of the snapshot's sections; one more with every change of them or of what goes in. */
export const ROUTES_SNAPSHOT = { kind: "routes", version: 2 } as const;

/** What a snapshot of contents with these hashes is called; null: there is none to make. */
export function routesFingerprint({ v4, v6, names }: RouteContents<string>): string | null {
  if (v4 === null && v6 === null && names === null) return null;
  return `routes-${ROUTES_SNAPSHOT.version} ${v4 ?? "none"} ${v6 ?? "none"} ${names ?? "none"}`;
}

/**
 * Makes the snapshot of announced routes and names of systems: today's 1.1 million IPv4 and 0.25 million IPv6 prefixes in
 * some 3 s, a file of 30 MB; meant for a child process. Throws InvalidValue when a content cannot be read.
 */
export async function buildRoutesSnapshot(
  outFile: string,
  contents: RouteContents<Uint8Array>,
  fingerprint: string,
): Promise<void> {
  const routes = createRouteRows();
  const systems = createSystems();
  const sections = {
    ...intervalsOf("v4", contents.v4, { routes, systems }),
    ...intervalsOf("v6", contents.v6, { routes, systems }),
  };
  const { route, sets } = routes.columns();
  const named = contents.names === null ? [] : readAsNames(contents.names).systems;
  await writeSnapshot(outFile, {
    ...ROUTES_SNAPSHOT,
    fingerprint,
    meta: { v4: contents.v4 !== null, v6: contents.v6 !== null, names: contents.names !== null },
    sections: {
      ...sections,
      ...prefixed("route", route),
      ...prefixed("sets", sets),
      ...systems.sections(named),
    },
  });
}

type Parts = {
  readonly routes: ReturnType<typeof createRouteRows>;
  readonly systems: ReturnType<typeof createSystems>;
};

function intervalsOf(family: AddressFamily, bytes: Uint8Array | null, { routes, systems }: Parts) {
  const dump: RisDump | null = bytes === null ? null : readRisDump(bytes, family);
  const collector = createIntervalCollector(2 * (dump?.uppers.length ?? 0) + 2);
  const nesting = createRouteNesting(collector);
  if (dump !== null) {
    forEachVisible(dump, (upper, lower, length, origins) => {
      nesting.add(upper, lower, length, routes.rowOf(origins, length));
      for (const origin of origins) systems.count(origin, family, upper, length);
    });
  }
  nesting.end();
  return prefixed(family, family === "v4" ? collector.packIpv4() : collector.packIpv6());
}
