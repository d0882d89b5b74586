import type { EngineDefinition } from "../engines/definitions.ts";
import type { Category } from "../engines/kind.ts";
import type { Policy } from "../risk/policy.ts";
import type { Policies } from "../risk/policy-options.ts";
import { type ExportOptions, SERVICES, type ServiceGroup, type Subtraction } from "./options.ts";

/** Under which licence a source is published, as far as it is known. */
export type SourceLicence = {
  /** SPDX identifier; null: not known. */
  readonly spdx: string | null;
  readonly redistribution: "yes" | "no" | "unknown";
};

/** How an export's networks are put together; `promote` counts listed IPv4 addresses inside a network of `prefix`. */
type Aggregation = "exact" | "none" | { readonly prefix: number; readonly count: number };

/** The rules of one export, with all that its configuration refers to filled in. */
export type ExportSpec = {
  readonly name: string;
  readonly kind: ExportOptions["kind"];
  readonly target: ExportOptions["target"];
  /** Only what it blocks is exported. */
  readonly policy: Policy | null;
  readonly minScore: number;
  readonly categories: readonly Category[];
  readonly without: readonly Category[];
  readonly familiesMin: number;
  readonly maxAgeDays: number | null;
  readonly limit: number | null;
  readonly aggregate: Aggregation;
  readonly subtract: readonly Subtraction[];
  readonly minEntries: number;
  readonly services: readonly ServiceGroup[];
  /** Whether what the engine says goes into the export. */
  readonly counts: (engineKey: string) => boolean;
};

export type SpecSources = {
  readonly definitions: readonly EngineDefinition[];
  readonly licenceOf: (engineKey: string) => SourceLicence;
  readonly policies: Policies;
};

/** The rules that an entry of the configuration stands for. */
export function specOf(options: ExportOptions, { licenceOf, policies }: SpecSources): ExportSpec {
  const policy = options.policy === null ? null : (policies.get(options.policy) ?? null);
  if (options.policy !== null && policy === null) {
    throw new Error(`The export "${options.name}" names a policy that there is not: "${options.policy}"`);
  }
  return {
    name: options.name,
    kind: options.kind,
    target: options.target,
    policy,
    minScore: policy?.blockAt ?? options.min_score,
    categories: options.categories,
    without: options.without,
    familiesMin: policy === null ? options.families_min : 1,
    maxAgeDays: options.max_age_days,
    limit: options.limit,
    aggregate: aggregationOf(options.aggregate),
    subtract: options.kind === "allow" ? [] : options.subtract,
    minEntries: options.min_entries,
    services: options.services.length === 0 ? SERVICES : options.services,
    counts: countsOf(options, licenceOf),
  };
}

/** Asked of every list that names one of millions. */
function countsOf(
  { engines, redistribution }: Pick<ExportOptions, "engines" | "redistribution">,
  licenceOf: SpecSources["licenceOf"],
): ExportSpec["counts"] {
  const only = new Set(engines.only);
  const without = new Set(engines.without);
  const isAny = redistribution === "any";
  if (only.size === 0 && without.size === 0 && isAny) return () => true;
  return (key) =>
    (only.size === 0 || only.has(key)) &&
    !without.has(key) &&
    (isAny || licenceOf(key).redistribution === "yes");
}

function aggregationOf(aggregate: ExportOptions["aggregate"]): Aggregation {
  if (typeof aggregate === "string") return aggregate;
  const [prefix = 24, count = 1] = aggregate.promote.split(":").map(Number);
  return { prefix, count };
}
