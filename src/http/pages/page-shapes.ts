import { z } from "zod";
import { PlanTerms } from "../../accounts/shapes.ts";
import { PRODUCTS } from "../../products/all.ts";
import type { SealedProduct } from "../../products/product.ts";
import { siteOptionsSchema } from "./options.ts";
import { ReferencePage } from "./reference-shapes.ts";

// What the public pages are told, page by page: `web/site` renders it. A report is the `data` of the free endpoint.

/** The free report of a product's page. */
function freeOutput({ name, free, page }: SealedProduct): z.ZodType {
  const output = page.pageOnly?.output ?? free?.output;
  if (output === undefined) throw new Error(`${name} has no free report`);
  return output;
}

export const PageProblem = z
  .object({
    status: z.int(),
    message: z.string(),
    request_id: z.string(),
    retry_after_s: z.int().nullable().describe("When it goes on"),
  })
  .meta({ id: "PageProblem" });

/** `asked`: what the person typed; without a report and a problem nothing was asked yet. */
const tool = (product: SealedProduct) =>
  z.object({
    page: z.literal("tool"),
    tool: z.literal(product.cli.word),
    asked: z.string(),
    record_type: z.string().describe("Only of dns"),
    problem: PageProblem.nullable(),
    report: freeOutput(product).nullable(),
    full: product.output.nullable().describe("The whole report, where it was asked for or strangers see it"),
    charge: z.string().nullable().describe("What the whole report cost, and what is left"),
    depth: siteOptionsSchema.shape.reports.unwrap().describe("What strangers see"),
    price: z.int().describe("Credits that the whole report costs"),
    free_plan: z.object({
      requests_per_second: z.number().describe("Of the smallest plan, with this tool's product"),
      credits_per_month: z.int(),
    }),
  });

export const ToolPage = z.union(PRODUCTS.map(tool)).meta({ id: "ToolPage" });

const shared = ({ cli, output }: SealedProduct) =>
  z.object({
    page: z.literal("shared"),
    tool: z.literal(cli.word),
    target: z.string(),
    at: z.string().describe("When it was looked up"),
    expires_at: z.string().describe("When the link ends"),
    full: output,
  });

/** A kept answer, as the link to it shows it. */
export const SharedPage = z.union(PRODUCTS.map(shared)).meta({ id: "SharedPage" });

export const HomePage = z
  .object({
    page: z.literal("home"),
    asked: z.string(),
    fault: z.string().nullable().describe("Why what was asked leads nowhere"),
    engines: z.int().describe("Enabled ones, without allowlists"),
  })
  .meta({ id: "HomePage" });

export const PricingPage = z
  .object({
    page: z.literal("pricing"),
    has_billing: z.boolean().describe("False: no plan can be bought, and plans have no prices"),
    can_sign_up: z.boolean().describe("Whether strangers open Free accounts here"),
    plans: z.array(
      PlanTerms.extend({
        half_requests_per_second: z.int().describe("On URL reputation and the bulk endpoints"),
        price_usd_per_month: z.number().nullable().describe("Null: this installation does not sell it"),
      }),
    ),
    products: z.array(z.object({ name: z.string(), summary: z.string(), price: z.int() })),
  })
  .meta({ id: "PricingPage" });

export const GuidePage = z
  .object({
    page: z.literal("guide"),
    products: z.array(
      z.object({
        name: z.string(),
        summary: z.string(),
        description: z.string(),
        price: z.int(),
        has_bulk: z.boolean(),
        free_path: z.string().nullable(),
        example: z.record(z.string(), z.unknown()),
      }),
    ),
  })
  .meta({ id: "GuidePage" });

/** What people build with it, each with a page of its own. */
export const USES = ["sign-up", "comments", "mail", "siem"] as const;

export const UsePage = z.object({ page: z.literal("use"), use: z.enum(USES) }).meta({ id: "UsePage" });

/** How a source fared on one day. */
const Day = z
  .object({
    day: z.string(),
    checks: z.int().describe("How often it was looked at"),
    healthy: z.int(),
    trouble: z.string().nullable().describe("Its last status that was not `ok`"),
  })
  .meta({ id: "SourceDay" });

const history = z.array(Day).describe("Of the last 90 days those that were watched, oldest first");

/** An engine or allowlist, without what the page does not show. */
export const Source = z.object({
  key: z.string(),
  name: z.string(),
  kind: z.string(),
  target: z.string().nullable().describe("Null, as all below, where the operator configured the engine"),
  status: z.string(),
  entries: z.int().nullable(),
  data_age_s: z.number().nullable(),
  last_success: z.string().nullable().describe("When it answered last with data of its age"),
  last_error: z.string().nullable(),
  seed: z.boolean(),
});

const WatchedSource = Source.extend({ history });

export const StatusPage = z
  .object({
    page: z.literal("status"),
    version: z.string(),
    database: z.boolean(),
    are_limits_shared: z.boolean().nullable().describe("Null: they are not meant to be"),
    resolver_trouble: z.string().nullable().describe("What is wrong with the DNS resolvers; null: nothing"),
    missing: z.array(z.string()).describe("Parts of the data that are still being prepared"),
    lists: z
      .object({ loaded: z.int(), shipped: z.int(), total: z.int() })
      .describe(
        "How many of the lists that are downloaded were ever retrieved, and how many of the others answer from their shipped copy",
      ),
    causes: z
      .array(
        z.object({
          reason: z.string(),
          count: z.int(),
          names: z.array(z.string()).describe("Of the first of them"),
          hosts: z.array(z.string()).describe("The first of those that were asked"),
          check: z.string().nullable(),
        }),
      )
      .describe("Why built-in lists could not be retrieved, equal causes together"),
    is_history_known: z.boolean().describe("False: it could not be read"),
    engines: z.array(WatchedSource),
    allowlists: z.array(WatchedSource),
    tables: z
      .array(
        z.object({
          key: z.string(),
          name: z.string(),
          status: z.string(),
          entries: z.int().nullable().describe("Null: of the shipped table, whose rows are others"),
          data_age_s: z.number().nullable(),
          seed: z.boolean().describe("The shipped table answers"),
          last_error: z.string().nullable(),
          history,
        }),
      )
      .describe("Where places, networks and names of AS numbers come from"),
  })
  .meta({ id: "StatusPage" });

export const SourcesPage = z
  .object({
    page: z.literal("sources"),
    sets: z.array(
      z.object({
        name: z.string(),
        publisher: z.string(),
        licence: z.string(),
        url: z.string(),
        date: z.string(),
        entries: z.int().nullable(),
        changes: z.string(),
      }),
    ),
    live: z
      .array(Source)
      .describe("Engines and allowlists whose data is asked for or retrieved while the service runs"),
  })
  .meta({ id: "SourcesPage" });

export const ProblemPage = z
  .object({ page: z.literal("problem"), problem: PageProblem })
  .meta({ id: "ProblemPage" });

export const PublicPage = z.union([
  HomePage,
  ToolPage,
  SharedPage,
  PricingPage,
  GuidePage,
  UsePage,
  ReferencePage,
  StatusPage,
  SourcesPage,
  ProblemPage,
]);
export type PublicPage = z.infer<typeof PublicPage>;
export type Problem = z.infer<typeof PageProblem>;
