import type { ConfigFile } from "./file-schema.ts";

/** What the sections of a configuration file want of one another: `repute serve` does not start with one of these. */
export function startFaults({ dashboard, mail }: Pick<ConfigFile, "dashboard" | "mail">): readonly string[] {
  if (dashboard.signup !== "open" || mail.smtp_url !== null) return [];
  return [
    "dashboard.signup: open needs mail.smtp_url: whoever signs up proves the e-mail address by a mailed link",
  ];
}
