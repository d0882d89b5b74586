import { z } from "zod";
import { usageOptionsSchema } from "../accounts/usage-options.ts";
import { billingOptionsSchema } from "../billing/options.ts";
import { allowlistsOptionsSchema, enginesOptionsSchema } from "../engines/options.ts";
import { enrichmentOptionsSchema, geoOptionsSchema } from "../enrichment/options.ts";
import { exportsOptionsSchema } from "../exports/options.ts";
import { gateOptionsSchema } from "../http/gate/options.ts";
import { siteOptionsSchema } from "../http/pages/options.ts";
import { dnsOptionsSchema } from "../net/dns/dns-options.ts";
import { mailOptionsSchema } from "../net/mail/mail.ts";
import { fetchOptionsSchema } from "../net/ssrf-guard.ts";
import { rdapOptionsSchema } from "../registry-data/options.ts";
import { policiesOptionsSchema } from "../risk/policy-options.ts";
import { dashboardOptionsSchema } from "../sessions/options.ts";
import { describeSchema, type SchemaNode } from "../yaml/schema-words.ts";
import {
  emailOptionsSchema,
  historyOptionsSchema,
  metricsOptionsSchema,
  serverOptionsSchema,
  watchOptionsSchema,
  whoisOptionsSchema,
} from "./other-sections.ts";

/** The configuration file: every section is optional, every key too; an unknown one is refused. */
export const configFileSchema = z.strictObject({
  server: serverOptionsSchema.prefault({}),
  dns: dnsOptionsSchema.prefault({}),
  rdap: rdapOptionsSchema.prefault({}),
  whois: whoisOptionsSchema.prefault({}),
  fetch: fetchOptionsSchema.prefault({}),
  engines: enginesOptionsSchema.prefault({}),
  policies: policiesOptionsSchema,
  gate: gateOptionsSchema.prefault({}),
  allowlists: allowlistsOptionsSchema.prefault([]),
  exports: exportsOptionsSchema.prefault([]),
  enrichment: enrichmentOptionsSchema.prefault({}),
  geo: geoOptionsSchema.prefault({}),
  email: emailOptionsSchema.prefault({}),
  usage: usageOptionsSchema.prefault({}),
  history: historyOptionsSchema.prefault({}),
  watch: watchOptionsSchema.prefault({}),
  billing: billingOptionsSchema.prefault({}),
  dashboard: dashboardOptionsSchema.prefault({}),
  site: siteOptionsSchema.prefault({}),
  mail: mailOptionsSchema.prefault({}),
  metrics: metricsOptionsSchema.prefault({}),
});

/** The file's schema as data. */
export const describeConfigFile = (): SchemaNode => describeSchema(configFileSchema);

/** The file's sections with all defaults filled; keys as the file has them. */
export type ConfigFile = z.infer<typeof configFileSchema>;
