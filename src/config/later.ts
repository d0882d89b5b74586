import { z } from "zod";
import { PLANS } from "../accounts/plans.ts";
import { readCidr } from "../targets/cidr.ts";
import { readIp } from "../targets/ip.ts";

// Sections of the file whose parts have no options schema of their own yet: accepted and checked from the first
// release, so that a file written for a later one does not stop an earlier one. A part that is built takes its own.

/** Sections that nothing uses yet; the documentation says so. */
export const UNUSED_SECTIONS: readonly string[] = [
  "rdap",
  "whois",
  "fetch",
  "email",
  "history",
  "watch",
  "billing",
  "dashboard",
  "mail",
  "metrics",
];

const hasHostAndPort = (text: string, isPortNeeded: boolean): boolean => {
  const [, v6, name, port] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  if (port === undefined ? isPortNeeded : Number(port) > 65_535) return false;
  if (v6 !== undefined) return readIp(v6)?.version === "v6";
  return name !== undefined && HOST_NAME.test(name);
};

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/i;

const webUrl = z.url({ protocol: /^https?$/, error: "Expected an http: or https: URL" });
const email = z.string().regex(/^[^\s@<>]+@[^\s@<>]+$/, "Expected an e-mail address");
const secret = z.string().min(1).nullable().default(null);

/** The operator's `server:`. Source: operating.md. */
export const serverOptionsSchema = z.strictObject({
  trust_proxy: z
    .array(
      z
        .string()
        .refine((text) => readCidr(text) !== null, "Expected a network such as 10.0.0.0/8, host bits zero"),
    )
    .default([])
    .describe("Networks (CIDR) of proxies whose X-Forwarded-For is believed"),
  public_url: webUrl
    .nullable()
    .default(null)
    .describe("Address under which callers reach the service; links are made from it"),
});

/** The operator's `rdap:`. Source: operating.md. */
export const rdapOptionsSchema = z.strictObject({
  bootstrap_url: webUrl
    .default("https://data.iana.org/rdap/")
    .describe("Folder that holds dns.json, ipv4.json, ipv6.json and asn.json"),
});

/** The operator's `whois:`. Source: operating.md. */
export const whoisOptionsSchema = z.strictObject({
  servers: z
    .record(
      z.string().regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, "Expected a top-level domain in lower case"),
      z.string().refine((text) => hasHostAndPort(text, false), 'Expected "host" or "host:port"'),
    )
    .default({})
    .describe("Top-level domain to host[:port]; others: by IANA's referral"),
});

const PAID_PLANS = PLANS.filter(({ priceUsdPerMonth }) => priceUsdPerMonth > 0).map(({ name }) => name);

/** The operator's `billing:`. Source: operating.md, design 14 and 15. */
export const billingOptionsSchema = z.strictObject({
  stripe_secret_key: secret.describe(
    "Stripe's secret key, also from STRIPE_SECRET_KEY; without one billing is off",
  ),
  stripe_webhook_secret: secret.describe(
    "Secret that signs Stripe's events; without one the webhook is absent",
  ),
  prices: z
    .partialRecord(z.enum(PAID_PLANS), z.string().min(1))
    .default({})
    .describe(`Plan (${PAID_PLANS.join(", ")}) to Stripe price id`),
  stripe_api_base: webUrl.default("https://api.stripe.com").describe("Where Stripe's interface is"),
});

/** The operator's `email:`. Source: design 15. */
export const emailOptionsSchema = z.strictObject({
  smtp_check: z
    .boolean()
    .default(false)
    .describe("Ask the mail server of an address whether it takes mail for it"),
});

/** The operator's `history:`. Source: design 15 and 16. */
export const historyOptionsSchema = z.strictObject({
  keep_days: z.int().min(0).max(36_500).default(0).describe("Days that past listings are kept; 0: none are"),
});

/** The operator's `watch:`. Source: design 15. */
export const watchOptionsSchema = z.strictObject({
  brands: z
    .array(z.string().regex(HOST_NAME, "Expected a domain name, A-labels"))
    .default([])
    .describe("Domains whose lookalikes are watched"),
});

/** The operator's `dashboard:`. Source: design 15. */
export const dashboardOptionsSchema = z.strictObject({
  signup: z.enum(["open", "closed"]).default("closed").describe("Whether strangers may open an account"),
  owners: z
    .array(email)
    .default([])
    .describe("E-mail addresses that see the Admin pages; default: the first account"),
});

/** The operator's `mail:`. Source: design 15. */
export const mailOptionsSchema = z.strictObject({
  smtp_url: z
    .url({ protocol: /^smtps?$/, error: "Expected an smtp: or smtps: URL" })
    .nullable()
    .default(null)
    .describe("Mail server that takes the service's mail"),
  from: z
    .string()
    .regex(/^[^\r\n]{0,200}<?[^\s@<>]+@[^\s@<>]+>?$/, "Expected an e-mail address, or a name and <address>")
    .nullable()
    .default(null)
    .describe("Sender of the service's mail"),
});

/** The operator's `metrics:`. Source: design 15. */
export const metricsOptionsSchema = z.strictObject({
  listen: z
    .string()
    .refine((text) => hasHostAndPort(text, true), 'Expected "host:port"')
    .nullable()
    .default(null)
    .describe("host:port of the metrics page; without one there is none"),
});
