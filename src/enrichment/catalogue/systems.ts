/**
 * What is known of single autonomous systems, by hand, for what no published list says. Numbers were checked
 * against the organisation names of the bundled ASN table.
 */
export type KnownSystem = {
  /** `tor` is an operator of Tor relays: a VPN list that names its ranges is wrong. */
  readonly use: "hosting" | "satellite" | "tor";
  readonly cloud?: { readonly provider: string; readonly domain: string };
  readonly edge?: { readonly name: string; readonly domain: string };
};

const HOSTING: KnownSystem = { use: "hosting" };
const SATELLITE: KnownSystem = { use: "satellite" };
const TOR: KnownSystem = { use: "tor" };

const cloud = (provider: string, domain: string): KnownSystem => ({
  use: "hosting",
  cloud: { provider, domain },
});
const edge = (name: string, domain: string): KnownSystem => ({ use: "hosting", edge: { name, domain } });

const HETZNER = cloud("Hetzner", "hetzner.com");
const ALIBABA = cloud("Alibaba Cloud", "alibabacloud.com");
const TENCENT = cloud("Tencent Cloud", "tencentcloud.com");
const LEASEWEB = cloud("Leaseweb", "leaseweb.com");
const AKAMAI = edge("Akamai", "akamai.com");

/** AS number to what is known of it. */
export const KNOWN_SYSTEMS: ReadonlyMap<number, KnownSystem> = new Map([
  [24940, HETZNER],
  [213230, HETZNER],
  [212317, HETZNER],
  [16276, cloud("OVHcloud", "ovhcloud.com")],
  [12876, cloud("Scaleway", "scaleway.com")],
  [36351, cloud("IBM Cloud", "ibm.com")],
  [45102, ALIBABA],
  [37963, ALIBABA],
  [132203, TENCENT],
  [45090, TENCENT],
  [51167, cloud("Contabo", "contabo.com")],
  [60781, LEASEWEB],
  [28753, LEASEWEB],
  [30633, LEASEWEB],
  [16265, LEASEWEB],
  [14061, cloud("DigitalOcean", "digitalocean.com")],
  [20473, cloud("Vultr", "vultr.com")],
  [63949, cloud("Linode", "linode.com")], // Akamai's, and no edge
  [396982, cloud("Google Cloud", "cloud.google.com")],
  [16509, HOSTING], // Amazon: the cloud by its published ranges only
  [14618, HOSTING],
  [31898, cloud("Oracle Cloud", "oracle.com")],
  [20940, AKAMAI],
  [16625, AKAMAI],
  [36183, AKAMAI], // exits of iCloud Private Relay among them
  [54113, edge("Fastly", "fastly.com")],
  [19551, edge("Imperva", "imperva.com")],
  [200325, edge("bunny.net", "bunny.net")],
  [199524, HOSTING], // Gcore: cloud and edge from the same network
  [212238, HOSTING], // Datacamp
  [9009, HOSTING], // M247
  [49981, HOSTING], // WorldStream
  [8100, HOSTING], // QuadraNet
  [46606, HOSTING], // Unified Layer
  [26496, HOSTING], // GoDaddy
  [29802, HOSTING], // Hivelocity
  [53667, HOSTING], // FranTech
  [14593, SATELLITE], // Starlink
  [27277, SATELLITE], // Starlink
  [7155, SATELLITE], // Viasat
  [16491, SATELLITE], // Viasat
  [40306, SATELLITE], // Viasat
  [6621, SATELLITE], // Hughes
  [1358, SATELLITE], // Hughes
  [12684, SATELLITE], // SES Astra
  [34444, SATELLITE], // Eutelsat
  [800, SATELLITE], // OneWeb
  [60729, TOR], // Stiftung Erneuerbare Freiheit
  [205100, TOR], // F3 Netze
  [208323, TOR], // Foundation for Applied Privacy
  [396507, TOR], // Emerald Onion
  [62744, TOR], // Quintex Alliance Consulting
  [4224, TOR], // The Calyx Institute
  [198093, TOR], // Föreningen för digitala fri- och rättigheter
]);
