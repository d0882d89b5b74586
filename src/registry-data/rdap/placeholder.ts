import type { IpRegistration } from "../types.ts";

/** Names of entries that registries keep for what is not theirs to register. */
const NAMES =
  /^(?:non-[a-z]{3,8}(?:-ncc)?-managed-address-block|iana-bl(?:oc)?k|iana-netblock-\d{1,3}|erx-netblock|eu-zz-[\da-f-]{1,40}|stub-[\da-f-]{1,40}slash\d{1,3}|[a-z]{3,8}-net-transferred-\d{8})$/i;

/** How they describe them. */
const DESCRIPTIONS =
  /^(?:general placeholder reference for all ipv[46] addresses|the whole ipv[46] address space|early registration addresses|transferred to the [a-z]{3,8}(?: ncc)? region\b|this network (?:range )?(?:is not allocated to|has been transferred to) (?:the )?(?:arin|ripe|apnic|lacnic|afrinic)\b|ipv[46] address block not managed by (?:the )?(?:arin|ripe|apnic|lacnic|afrinic)\b)/i;

/** ARIN's types of the networks of other registries. */
const TYPES =
  /^(?:early registrations?, )?(?:allocated|transferred) to (?:arin|ripe(?: ncc)?|apnic|lacnic|afrinic)\b/i;

/**
 * What names an entry that a registry keeps in place of networks that another one registers; null of a registration. Who
 * such an entry names holds none of the addresses.
 */
export function placeholderOf(registration: IpRegistration): string | null {
  const { networkName, networkType, cidrs, remarks } = registration;
  const isAll = cidrs.some((cidr) => cidr.endsWith("/0"));
  const isOthers =
    isAll ||
    NAMES.test(networkName ?? "") ||
    TYPES.test(networkType ?? "") ||
    remarks.some((remark) => DESCRIPTIONS.test(remark));
  return isOthers ? (networkName ?? networkType ?? registration.handle ?? "of all addresses") : null;
}
