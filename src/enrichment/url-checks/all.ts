import { DOMAIN_CHECKS } from "./domain.ts";
import { FILE_CHECKS } from "./file.ts";
import { PAGE_CHECKS } from "./page.ts";
import { REACHABILITY_CHECKS } from "./reachability.ts";
import { URL_CHECKS } from "./url.ts";

/** Every security check of design 7.4, in the order in which they are shown. */
export const ALL_CHECKS = [
  ...URL_CHECKS,
  ...REACHABILITY_CHECKS,
  ...DOMAIN_CHECKS,
  ...PAGE_CHECKS,
  ...FILE_CHECKS,
] as const;

/** The name of a check, as on the wire. */
export type CheckName = (typeof ALL_CHECKS)[number]["name"];
