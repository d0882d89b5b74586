import { domainToUnicode } from "node:url";
import { getDomain } from "tldts";
import { nextTurn } from "../../base/next-turn.ts";
import type { Brand } from "./brands.ts";
import type { DomainFacts } from "./domain-facts-shape.ts";
import { lookalikeOf } from "./lookalike.ts";
import { skeletonOf } from "./skeleton.ts";

/** The name that a name looks like; the fields of design 6.4. */
type LikenessFacts = Pick<
  DomainFacts,
  "is_homoglyph" | "homoglyph_of" | "is_lookalike" | "lookalike_of" | "lookalike_kind"
>;

/** Compares names with brands and popular ones. */
export type Likeness = {
  /** `registered`: label and public suffix, A-labels. A popular name, or one of the brand's own, is no imitation. */
  readonly of: (registered: string, isExempt: boolean) => LikenessFacts;
  /** Whether a name is among the shipped popular ones. They grow old, but no name becomes an imitation by that. */
  readonly isShippedTop: (registered: string) => boolean;
  /** Makes what the first use would make otherwise, a millisecond or two in each turn of the event loop. */
  readonly prepare: () => Promise<void>;
};

const UNLIKE: LikenessFacts = {
  is_homoglyph: false,
  homoglyph_of: null,
  is_lookalike: false,
  lookalike_of: null,
  lookalike_kind: null,
};

/** The names are read, and the tables made of ten thousand skeletons, at the first use where nothing prepared them. */
export function createLikeness(brands: readonly Brand[], topNames: () => readonly string[]): Likeness {
  const own = new Set(brands.flatMap(({ domains, shared }) => [...domains, ...shared]));
  let top: ReadonlySet<string> | null = null;
  let skeletons: Skeletons | null = null;
  const shippedTop = () => {
    top ??= new Set(topNames());
    return top;
  };
  return {
    isShippedTop: (registered) => shippedTop().has(registered),
    of: (registered, isExempt) => {
      if (isExempt || own.has(registered)) return UNLIKE;
      skeletons ??= made(skeletonsOf(brands, shippedTop()));
      const homoglyph = homoglyphOf(registered, skeletons);
      const lookalike = lookalikeOf(labelOf(registered), registered, brands);
      return {
        is_homoglyph: homoglyph !== null,
        homoglyph_of: homoglyph,
        is_lookalike: lookalike !== null,
        lookalike_of: lookalike?.of ?? null,
        lookalike_kind: lookalike?.kind ?? null,
      };
    },
    prepare: async () => {
      const steps = skeletonsOf(brands, shippedTop());
      for (;;) {
        await nextTurn();
        const step = steps.next();
        if (step.done) {
          skeletons ??= step.value;
          return;
        }
      }
    },
  };
}

type Skeletons = {
  readonly byName: ReadonlyMap<string, string>;
  /** Labels of brands: they are imitated under any suffix. */
  readonly byLabel: ReadonlyMap<string, string>;
};

const NAMES_A_STEP = 250;

/** Yields after so many names, for those who have other things to do meanwhile. */
function* skeletonsOf(brands: readonly Brand[], topNames: ReadonlySet<string>): Generator<void, Skeletons> {
  const byName = new Map<string, string>();
  for (const name of topNames) {
    byName.set(skeletonOf(name.includes("xn--") ? domainToUnicode(name) : name), name);
    if (byName.size % NAMES_A_STEP === 0) yield;
  }
  const byLabel = new Map<string, string>();
  for (const { domain, label } of brands) {
    byName.set(skeletonOf(domain), domain);
    byLabel.set(skeletonOf(label), domain);
  }
  return { byName, byLabel };
}

function made<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

function homoglyphOf(registered: string, { byName, byLabel }: Skeletons): string | null {
  const unicode = domainToUnicode(registered);
  const whole = byName.get(skeletonOf(unicode)) ?? null;
  if (whole !== null) return whole === registered ? null : whole;
  const label = unicode.split(".")[0] ?? "";
  const brand = byLabel.get(skeletonOf(label)) ?? null;
  // The brand's own spelling under another suffix is a lookalike, no homoglyph.
  return brand !== null && label !== labelOf(brand) ? brand : null;
}

const labelOf = (registered: string): string =>
  (getDomain(registered, { allowPrivateDomains: true }) ?? registered).split(".")[0] ?? registered;
