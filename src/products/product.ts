import type { z } from "zod";
import type { JsonText } from "../base/json-text.ts";
import { type Disposition, judge, type Policy, type PolicyInput } from "../risk/policy.ts";
import type { TargetKind } from "../targets/recognise.ts";
import { type Compact, compactBy } from "./compact.ts";
import type { Deps } from "./deps.ts";
import { type View, type ViewedReport, viewText } from "./views.ts";

/** What a lookup may use beside its dependencies: the end of its time, and why it is asked. */
export type LookupContext = {
  readonly signal: AbortSignal;
  /** Monotonic milliseconds at which the answer must go out. */
  readonly deadlineMs: number;
  /** True: for a free tool, which shows only a part; what it does not show need not be looked up. */
  readonly isReduced?: boolean;
};

/** What a free tool answers; its page begins with the sentence. */
type FreeAnswer = { readonly message: string };

type FreeVariant<Report, FreeReport> = {
  readonly path: `/api/free/${string}`;
  /** What the tool does, without a full stop. */
  readonly summary: string;
  /** Body of the free tool where it differs; what comes out of it is a body of the product. */
  readonly input?: z.ZodType<object>;
  /** Shape on the wire. */
  readonly output: z.ZodType;
  readonly reduce: (report: Report, deps: Pick<Deps, "engines">) => FreeReport;
};

export type BulkVariant = {
  /** Member that holds the list, e.g. `ips`. */
  readonly field: string;
  /** Member of the single input that each entry of the list stands for, e.g. `ip`. */
  readonly item: string;
  /** Items at work at once (design 11). */
  readonly concurrency: number;
  readonly deadlineMs: number;
};

/** A field that takes a target. */
type TargetField = { readonly label: string; readonly example: string };

/** What the pages say of a product. `npm run web:types` hands it to `web/`. */
type ProductPage = {
  /** In lists and choices, e.g. `IP reputation`. */
  readonly name: string;
  /** Kinds of text that it takes. A text is for the first product of `all.ts` that takes its kind. */
  readonly takes: readonly TargetKind[];
  /** In the dashboard. */
  readonly form: TargetField;
  /** Its public page. */
  readonly tool: TargetField & {
    /** In the row of tools. */
    readonly tab: string;
    readonly title: string;
    readonly lead: string;
    /** What an account sees beside the free report, within a sentence. */
    readonly full: string;
  };
  /** Whether strangers may be shown the whole report; false where it asks or fetches more than the free one. */
  readonly isWholePublic: boolean;
  /** A free report that the public page alone has, of a product without a free endpoint. */
  readonly pageOnly?: PageOnly;
};

export type PageOnly = {
  /** Shape on the wire. */
  readonly output: z.ZodType;
  /** The free endpoint in whose window it counts. */
  readonly countsAs: `/api/free/${string}`;
  /** Reads what was typed. Throws InvalidValue. */
  readonly prepare: (text: string) => (deps: Deps, context: LookupContext) => Promise<object>;
};

/**
 * One product: everything that routes, bulk, free tool, command line, OpenAPI, price list and pages are derived from.
 * `Input` is the body's shape, `Target` what `parse` makes of it, `Report` the answer's `data`.
 */
export type Product<
  Input extends object,
  Target,
  Report extends ViewedReport,
  FreeReport extends FreeAnswer,
> = {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  /** Credits per call or per bulk item. */
  readonly price: number;
  /** Half the plan's allowance (interface 8.3). */
  readonly halfAllowance: boolean;
  readonly targetKind: string;
  readonly input: z.ZodType<Input>;
  /** Shape on the wire of what `lookup` makes. */
  readonly output: z.ZodType;
  /** The least that an answer says: its shape on the wire, and what fills it. */
  readonly verdict: { readonly output: z.ZodObject; readonly of: (report: Report) => object };
  /** Whole call, milliseconds. */
  readonly deadlineMs: number;
  /** Member of the input that a text from the command line stands for. */
  readonly field: string & keyof Input;
  /** Throws InvalidValue; pure. Reads the members of the body as they were sent. */
  readonly parse: (input: Input) => Target;
  /** The target as the caller will see it; equal targets give equal text (bulk duplicates). */
  readonly textOf: (target: Target) => string;
  /** What `field` holds to ask for the target again; left out: its text. */
  readonly askedOf?: (target: Target) => string;
  /** At once where nothing has to be waited for. */
  readonly lookup: (target: Target, deps: Deps, context: LookupContext) => Promise<Report> | Report;
  /** False for the 200s that are not charged (design 13.2). */
  readonly isCharged: (report: Report) => boolean;
  /** Code and sentence of a bulk item whose single call would be uncharged. */
  readonly failureOf: (report: Report) => string;
  /** What a policy judges; left out where there is no score. */
  readonly judged?: (report: Report) => PolicyInput;
  readonly bulk: BulkVariant | null;
  readonly free: FreeVariant<Report, FreeReport> | null;
  readonly cli: {
    readonly word: string;
    /** Member of the input that the option `--type` stands for, and what it takes; without one the option is refused. */
    readonly type?: { readonly member: string & keyof Input; readonly takes: string };
    readonly render: (report: Report, style: Style, view: View) => string;
  };
  /** What the pages need of it; their word for it in addresses is `cli.word`. */
  readonly page: ProductPage;
  readonly example: Input;
};

/** How a report is painted on a terminal; without colours every function is the identity. */
export type Style = {
  readonly width: number;
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly good: (text: string) => string;
  readonly warn: (text: string) => string;
  readonly bad: (text: string) => string;
};

/**
 * A product whose own types are sealed: what `all.ts` lists and every consumer loops over. Values cross the
 * border as what the product itself made of them (`parse` → `lookup` → `isCharged`), so no consumer needs their types.
 */

export type ProductLookup = {
  /** The target as the caller will see it. */
  readonly text: string;
  /** What the product's `field` holds to ask for it again. */
  readonly asked: string;
  /** At once where nothing has to be waited for. */
  readonly run: (deps: Deps, context: LookupContext) => Promise<ProductResult> | ProductResult;
};

export type ProductResult = {
  /** The report as JSON text in a view. `input`: as it was sent, where that is not what was looked up first. */
  readonly json: (view: View, input?: string) => JsonText;
  readonly isCharged: boolean;
  readonly failure: string | null;
  /** What a policy says of the target; null where there is no score. */
  readonly judge: ((policy: Policy) => Disposition) | null;
  readonly free: () => object | null;
  readonly print: (style: Style, view: View) => string;
};

export type SealedProduct = Pick<
  Product<object, unknown, ViewedReport, FreeAnswer>,
  | "name"
  | "summary"
  | "description"
  | "price"
  | "halfAllowance"
  | "targetKind"
  | "input"
  | "output"
  | "deadlineMs"
  | "bulk"
  | "page"
  | "example"
> & {
  /** Whether a report has a score, which policies judge. */
  readonly isScored: boolean;
  readonly field: string;
  readonly verdict: Pick<Product<object, unknown, ViewedReport, FreeAnswer>["verdict"], "output">;
  readonly free: Pick<FreeVariant<never, object>, "path" | "summary" | "input" | "output"> | null;
  readonly cli: {
    readonly word: string;
    readonly type?: { readonly member: string; readonly takes: string };
  };
  /** Reads a body that has the input's shape. Throws InvalidValue. */
  readonly prepare: (body: object) => ProductLookup;
};

/** Seals a product: checks nothing, changes nothing, only hides its type parameters. */
export function defineProduct<I extends object, T, R extends ViewedReport, F extends FreeAnswer>(
  product: Product<I, T, R, F>,
): SealedProduct {
  let compact: Compact | null = null;
  const compacted: Compact = (facts) => {
    compact ??= compactBy(product.output);
    return compact(facts);
  };
  const prepare = (body: object): ProductLookup => {
    const target = product.parse(product.input.parse(body));
    const text = product.textOf(target);
    return {
      text,
      asked: product.askedOf?.(target) ?? text,
      run: (deps, context) => {
        const report = product.lookup(target, deps, context);
        const sealed = (made: R) => seal({ product, compact: compacted }, made, deps);
        return report instanceof Promise ? report.then(sealed) : sealed(report);
      },
    };
  };
  return { ...product, isScored: product.judged !== undefined, prepare };
}

type Defined<I extends object, T, R extends ViewedReport, F extends FreeAnswer> = {
  readonly product: Product<I, T, R, F>;
  readonly compact: Compact;
};

function seal<I extends object, T, R extends ViewedReport, F extends FreeAnswer>(
  { product, compact }: Defined<I, T, R, F>,
  report: R,
  deps: Deps,
): ProductResult {
  const isCharged = product.isCharged(report);
  const { judged } = product;
  const cuts = { compact, verdict: product.verdict.of };
  return {
    json: (view, input) => viewText(input === undefined ? report : withInput(report, input), view, cuts),
    isCharged,
    failure: isCharged ? null : product.failureOf(report),
    judge: judged === undefined ? null : (policy) => judge(policy, judged(report)),
    free: () => product.free?.reduce(report, deps) ?? null,
    print: (style, view) => product.cli.render(report, style, view),
  };
}

/** Equal items of a batch share one lookup; each still shows how it was written. */
const withInput = <R extends object>(report: R, input: string): R =>
  Object.hasOwn(report, "input") ? { ...report, input } : report;
