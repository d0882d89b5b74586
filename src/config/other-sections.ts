import { z } from "zod";
import { readCidr } from "../targets/cidr.ts";
import { readIp } from "../targets/ip.ts";

// Sections of the file whose parts have no options schema of their own yet: accepted and checked from the first
// release, so that a file written for a later one does not stop an earlier one. A part that is built takes its own.

/** Sections that nothing uses yet; the documentation says so. */
export const UNUSED_SECTIONS: readonly string[] = ["history"];

/** A server to ask has its usual port where none is named; a place to listen at names one, and 0 stands for any. */
const isHostAndPort = (text: string, use: "ask" | "listen"): boolean => {
  const [, v6, name, port] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  if (port === undefined && use === "listen") return false;
  if (port !== undefined && (Number(port) > 65_535 || (use === "ask" && Number(port) === 0))) return false;
  if (v6 !== undefined) return readIp(v6)?.version === "v6";
  return name !== undefined && HOST_NAME.test(name);
};

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/i;

const webUrl = z.url({ protocol: /^https?$/, error: "Expected an http: or https: URL" });

const isBare = ({ username, password, search, hash }: URL): boolean =>
  `${username}${password}${search}${hash}` === "";

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
    .refine((text) => !URL.canParse(text) || isBare(new URL(text)), {
      error: "Expected a URL without user, query and fragment: links are made from it",
    })
    .nullable()
    .default(null)
    .describe("Address under which callers reach the service; links are made from it"),
  compress_answers: z
    .enum(["off", "on"])
    .default("off")
    .describe(
      "on: metered answers of 8 kB or more are sent with gzip where the caller accepts it. It takes more processor " +
        "time than the lookup, and most HTTP clients accept it without being asked",
    ),
});

/** The operator's `whois:`. Source: operating.md. */
export const whoisOptionsSchema = z.strictObject({
  servers: z
    .record(
      z.string().regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, "Expected a top-level domain in lower case"),
      z.string().refine((text) => isHostAndPort(text, "ask"), 'Expected "host" or "host:port"'),
    )
    .default({})
    .describe("Top-level domain to host[:port]; others: by IANA's referral"),
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
    .array(
      z
        .string()
        .regex(HOST_NAME, "Expected a domain name, A-labels")
        .refine((name) => name.includes("."), "Expected a domain name of two labels or more"),
    )
    .default([])
    .describe(
      "Domains whose lookalikes are watched; name every domain of yours, for the same name under another suffix is one",
    ),
});

/** The operator's `metrics:`. Source: design 15. */
export const metricsOptionsSchema = z.strictObject({
  listen: z
    .string()
    .refine((text) => isHostAndPort(text, "listen"), 'Expected "host:port"')
    .nullable()
    .default(null)
    .describe("host:port of the metrics page; without one there is none"),
});
