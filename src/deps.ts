import type { Clock } from "./clock.ts";
import type { Engines } from "./engines/consult.ts";
import type { IpEnrichment } from "./enrichment/enrich-ip.ts";
import type { Log } from "./log.ts";
import type { Dns } from "./net/dns-types.ts";

/** What a lookup may use. Grows with the products; nothing here knows who pays. */
export type Deps = {
  readonly clock: Clock;
  readonly log: Log;
  readonly dns: Dns;
  readonly engines: Engines;
  readonly ipEnrichment: IpEnrichment;
};
