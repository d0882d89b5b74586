import { z } from "zod";

/** Where IANA publishes its files; a copy of them is in the package. */
export const IANA_BOOTSTRAP_URL = "https://data.iana.org/rdap/";

/** The operator's `rdap:`. Source: operating.md. */
export const rdapOptionsSchema = z.strictObject({
  bootstrap_url: z
    .url({ protocol: /^https?$/, error: "Expected an http: or https: URL" })
    .default(IANA_BOOTSTRAP_URL)
    .describe("Folder that holds dns.json, ipv4.json, ipv6.json and asn.json"),
});
