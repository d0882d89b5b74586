import type { IpFacts } from "../../enrichment/facts.ts";
import { VENDOR_RECORD_STRENGTH, type VendorEnrichment } from "../../enrichment/vendor.ts";
import type { Signal } from "../../risk/score.ts";

/** Strengths of an address's signals. Hosting, relay, satellite and cloud add nothing. Source: design 4.4. */
export const IP_SIGNALS = {
  tor: 0.3,
  proxy: 0.3,
  residential_proxy: 0.3,
  webproxy: 0.25,
  vpn: 0.1,
  fake_bot: 0.5,
  asn_listed: 0.4,
  vendor_record: VENDOR_RECORD_STRENGTH,
} as const;

const FLAG_SIGNALS = [
  { flag: "is_tor", name: "tor", strength: IP_SIGNALS.tor, reason: "Current Tor exit" },
  { flag: "is_proxy", name: "proxy", strength: IP_SIGNALS.proxy, reason: "Open or anonymous proxy" },
  {
    flag: "is_residential_proxy",
    name: "residential_proxy",
    strength: IP_SIGNALS.residential_proxy,
    reason: "Exit of a residential proxy network",
  },
  { flag: "is_webproxy", name: "webproxy", strength: IP_SIGNALS.webproxy, reason: "Web-page proxy" },
  { flag: "is_vpn", name: "vpn", strength: IP_SIGNALS.vpn, reason: "VPN exit or network" },
] as const;

/** What the signals of an address are drawn from. */
export type SignalFacts = {
  readonly anonymity: IpFacts["anonymity"];
  readonly information: Pick<IpFacts["information"], "is_fake_bot">;
};

/** What tells that many share an address. */
export type SharedFacts = {
  readonly information: Pick<
    IpFacts["information"],
    "edge_service" | "is_public_dns" | "is_major_provider_spf_ip" | "is_search_engine_bot"
  >;
};

/** The facts that add to an address's score; a flag set by an engine's own list joins that engine's family. */
export function ipSignals(facts: SignalFacts, vendor: VendorEnrichment | null): Signal[] {
  const { anonymity, information } = facts;
  const signals: Signal[] = FLAG_SIGNALS.filter(({ flag }) => anonymity[flag]).map(
    ({ flag, name, strength, reason }) => ({
      name,
      strength,
      reason,
      repeats: anonymity.sources[flag] ?? [],
    }),
  );
  if (information.is_fake_bot) {
    signals.push({
      name: "fake_bot",
      strength: IP_SIGNALS.fake_bot,
      reason: "Claims a crawler's name that it does not have",
    });
  }
  if (vendor?.listed) signals.push(vendorSignal(vendor));
  return signals;
}

function vendorSignal(vendor: VendorEnrichment): Signal {
  if (vendor.dataset === "ASN") {
    return {
      name: "asn_listed",
      strength: IP_SIGNALS.asn_listed,
      reason: "The origin network (AS) is listed",
    };
  }
  return {
    name: "vendor_record",
    strength: IP_SIGNALS.vendor_record,
    reason: `Recorded in ${vendor.dataset ?? "the record service"}`,
  };
}

/** The sentence that names the shared infrastructure behind an address, or null (design 4.3). */
export function sharedInfrastructureOf({ information }: SharedFacts): string | null {
  if (information.edge_service !== "")
    return `Edge of ${information.edge_service}: many sites share the address`;
  if (information.is_public_dns) return "A public DNS resolver";
  if (information.is_major_provider_spf_ip) return "A sender of a large mail provider";
  if (information.is_search_engine_bot) return "A verified search engine crawler";
  return null;
}
