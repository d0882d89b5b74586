import { PLANS } from "../../accounts/plans.ts";
import { InvalidValue, Refusal } from "../../base/failure.ts";
import { halfOf } from "../../metering/limits/headers.ts";
import type { Reply, Request } from "../context.ts";
import type { SiteOptions } from "./options.ts";
import type { PublicPage } from "./page-shapes.ts";
import { problemOf } from "./page-views.ts";
import type { ToolQuestion } from "./tools.ts";

/** What the page of a tool says whatever came of the question. */
export function toolView({ product, asked, recordType }: ToolQuestion, { reports }: SiteOptions) {
  const { price, halfAllowance, cli } = product;
  const [free] = PLANS;
  if (free === undefined) throw new Error("There is no plan");
  const perSecond = halfAllowance ? halfOf(free.requestsPerSecond) : free.requestsPerSecond;
  return {
    page: "tool",
    tool: cli.word,
    asked,
    record_type: recordType,
    price,
    free_plan: { requests_per_second: perSecond, credits_per_month: free.creditsPerMonth },
    full: null,
    charge: null,
    depth: reports,
  } as const;
}

/** The page that says why a question was not answered, with its status. Throws what is no refusal. */
export function refusalPage(
  view: ReturnType<typeof toolView>,
  error: unknown,
  request: Request,
  reply: Reply,
): PublicPage {
  const refusal = error instanceof InvalidValue ? invalid(error) : error;
  if (!(refusal instanceof Refusal)) throw error;
  const problem = problemOf(refusal, request.id);
  reply.code(problem.status);
  if (problem.retry_after_s !== null) reply.header("Retry-After", String(problem.retry_after_s));
  return { ...view, problem, report: null };
}

const invalid = (cause: InvalidValue): Refusal =>
  new Refusal("VALIDATION", { message: cause.message, cause });

/** A text of a query or path; empty when it is not there, or there twice. */
export function memberOf(from: unknown, name: string): string {
  const value: unknown = typeof from === "object" && from !== null ? Reflect.get(from, name) : undefined;
  return typeof value === "string" ? value : "";
}
