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
  ["is_tor", "tor", "Current Tor exit"],
  ["is_proxy", "proxy", "Open or anonymous proxy"],
  ["is_residential_proxy", "residential_proxy", "Exit of a residential proxy network"],
  ["is_webproxy", "webproxy", "Web-page proxy"],
  ["is_vpn", "vpn", "VPN exit or network"],
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
  const signals: Signal[] = FLAG_SIGNALS.filter(([flag]) => anonymity[flag]).map(([flag, name, reason]) => ({
    ...signalOf(name, reason),
    repeats: anonymity.sources[flag] ?? [],
  }));
  if (information.is_fake_bot) {
    signals.push(signalOf("fake_bot", "Claims a crawler's name that it does not have"));
  }
  if (vendor?.listed) {
    signals.push(
      vendor.dataset === "ASN"
        ? signalOf("asn_listed", "The origin network (AS) is listed")
        : signalOf("vendor_record", `Recorded in ${vendor.dataset ?? "the record service"}`),
    );
  }
  return signals;
}

const signalOf = (name: keyof typeof IP_SIGNALS, reason: string): Signal => ({
  name,
  strength: IP_SIGNALS[name],
  reason,
});

/** The sentence that names the shared infrastructure behind an address, or null (design 4.3). */
export function sharedInfrastructureOf({ information }: SharedFacts): string | null {
  if (information.edge_service !== "")
    return `Edge of ${information.edge_service}: many sites share the address`;
  if (information.is_public_dns) return "A public DNS resolver";
  if (information.is_major_provider_spf_ip) return "A sender of a large mail provider";
  if (information.is_search_engine_bot) return "A verified search engine crawler";
  return null;
}
