import { z } from "zod";

/** The operator's `site:`. */
export const siteOptionsSchema = z.strictObject({
  reports: z
    .enum(["full", "reduced", "off"])
    .default("reduced")
    .describe(
      "What strangers see on the public pages, five times a minute. reduced: verdict, ten engines and the main facts. full: the whole " +
        "report of addresses, domains, DNS and registrations, contacts included, from the lookup that reduced makes " +
        "too; URLs are not opened and mailboxes not asked. off: the tools are for who is signed in. " +
        "/api/free stays as it is",
    ),
  security_contact: z
    .url({ protocol: /^(https|mailto)$/, error: "Expected an https: or mailto: URL" })
    .max(1_000)
    .nullable()
    .default(null)
    .describe(
      "Where vulnerabilities of this installation are reported, e.g. mailto:security@example.org; /.well-known/security.txt names it. Without it there is no such file",
    ),
});

export type SiteOptions = z.infer<typeof siteOptionsSchema>;
