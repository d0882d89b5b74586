import { z } from "zod";
import {
  builtinSources,
  type FeedDefinition,
  feedOf,
  feedShape,
  feedUrlSchema,
  keySchema,
  type Sourced,
  seedShape,
} from "../feeds/feed.ts";
import { besideFormat, formatOptionFault, formatShape } from "../feeds/format-options.ts";
import type { ListedKind } from "../targets/listed-kinds.ts";
import { ANONYMITY_FLAGS } from "./facts.ts";

// Lists that only classify: the entries of `catalogue/networks.yaml` and `catalogue/names.yaml`.

/** What membership in a network list says of an address. */
const NETWORK_FLAGS = [
  ...ANONYMITY_FLAGS,
  "tor_relay",
  "search_engine_bot",
  "vendor_bot",
  "mail_sender",
  "public_dns",
  "satellite",
  "vendor_service",
  "sinkhole",
  "parking",
] as const;
export type NetworkFlag = (typeof NETWORK_FLAGS)[number];

/** Where a list that only classifies comes from. */
const classifyingShape = {
  ...formatShape,
  key: keySchema,
  url: feedUrlSchema.optional(),
  ...seedShape,
  refresh_minutes: feedShape.refresh_minutes.default(1440),
};

/** One entry of `enrichment/catalogue/networks.yaml`: a list that only classifies (design 3.1, 5.2, 5.4). */
export const NetworkListSchema = z
  .strictObject(
    besideFormat({
      ...classifyingShape,
      service: z
        .strictObject({ name: z.string().min(1), domain: z.string(), type: z.string() })
        .optional()
        .describe("Fills related_service_*"),
      cloud: z
        .strictObject({ provider: z.string().min(1), domain: z.string(), service: z.string().optional() })
        .optional()
        .describe("Fills cloud_*"),
      edge: z
        .strictObject({ name: z.string().min(1), domain: z.string() })
        .optional()
        .describe("Fills edge_*"),
      provider: z.string().min(1).optional().describe("Brand of the VPN, relay or proxy"),
      flags: z.array(z.enum(NETWORK_FLAGS)).default([]).describe("Flags that membership sets"),
    }),
  )
  .superRefine((entry, context) => {
    const fault = formatOptionFault(entry);
    if (fault) context.addIssue({ code: "custom", ...fault });
  });
export type NetworkList = z.infer<typeof NetworkListSchema>;

/** What membership in a list of names says of a name. */
const NAME_FLAGS = [
  "top_list",
  "dynamic_dns",
  "free_hosting",
  "url_shortener",
  "link_in_bio",
  "parking_ns",
  "sinkhole",
  "disposable_mail",
  "free_mail",
] as const;
export type NameFlag = (typeof NAME_FLAGS)[number];

/** One entry of `enrichment/catalogue/names.yaml`: a list of names that only classifies (design 6.4, 7.2, 9). */
export const NameListSchema = z
  .strictObject(
    besideFormat({
      ...classifyingShape,
      flags: z.array(z.enum(NAME_FLAGS)).min(1).describe("What membership says"),
      except: z
        .array(z.string())
        .optional()
        .describe("Entries of the publisher's that say nothing of the kind"),
    }),
  )
  .superRefine((entry, context) => {
    const fault = formatOptionFault(entry);
    if (fault) context.addIssue({ code: "custom", ...fault });
  });
export type NameList = z.infer<typeof NameListSchema>;

/** The feed behind a network list. */
export const feedOfNetworkList = (list: NetworkList): FeedDefinition =>
  classifyingFeed(list, "ip", list.service ?? list.cloud ?? list.edge ?? null);

/** The feed behind a list of names. */
export const feedOfNameList = (list: NameList): FeedDefinition => classifyingFeed(list, "domain", null);

type Named = { readonly name?: string; readonly provider?: string } | null;

const classifyingFeed = (
  list: Sourced & { readonly key: string; readonly refresh_minutes: number },
  target: ListedKind,
  named: Named,
): FeedDefinition =>
  feedOf(
    { ...list, target, name: named?.name ?? named?.provider ?? list.key },
    "network",
    true,
    builtinSources(list),
  );
