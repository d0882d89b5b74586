import { type Cidr, cidrContains } from "../../targets/cidr.ts";
import { readIp } from "../../targets/ip.ts";
import { isBuiltIn, PROBED_TYPES, type Probe, type ProbeQuestion, type Saying } from "./resolver-probes.ts";

/** What a resolver gives for names that do not exist. */
type Forgery = {
  readonly marks: ReadonlySet<string>;
  /** Different addresses for different names: any address may be one of them. */
  readonly isVarying: boolean;
  /** "Nothing of this type" may stand for "no such name". */
  readonly hidesAbsence: boolean;
  readonly sentence: string;
};

/** What the probes showed of a resolver. */
export type Findings = {
  /** Whether it said anything of a name that exists. */
  readonly isDecided: boolean;
  /** What it says of names that exist, as a sentence; null: nothing untrue. */
  readonly denial: string | null;
  /** The forms of "there is nothing" that it gave to probes. */
  readonly emptyForms: ReadonlySet<string>;
  readonly forgery: Forgery | null;
  /** Why no probe was answered; null: some were. */
  readonly silence: string | null;
};

/** One probe and what came of it; null: nothing yet. */
export type Probed = { readonly probe: Probe; readonly saying: Saying | null };

/** Of a resolver that was not probed yet. */
export const NOTHING_FOUND: Findings = {
  isDecided: false,
  denial: null,
  emptyForms: new Set(),
  forgery: null,
  silence: null,
};

const NOT_TRUSTED = "DNS answers are not trusted";

/**
 * What the answers to the probes show, those that are missing left open; pure. An address in `ownNetworks` is never
 * forged: a wildcard that leads there is the operator's own.
 */
export function judgeProbes(probed: readonly Probed[], ownNetworks: readonly Cidr[]): Findings {
  const existing = probed.filter(({ probe }) => probe.exists);
  const isOwn = (mark: string) => {
    const ip = readIp(addressIn(mark) ?? "");
    return ip !== null && ownNetworks.some((network) => cidrContains(network, ip));
  };
  const forged = probed.flatMap(({ probe, saying }) =>
    !probe.exists && saying?.state === "records" && !saying.marks.every(isOwn)
      ? [{ probe, marks: saying.marks }]
      : [],
  );
  const marks = new Set(forged.flatMap((one) => one.marks));
  const isKnown = ({ saying }: Probed) =>
    saying?.state === "records" && saying.isAnswer && !saying.marks.some((mark) => marks.has(mark));
  const knowsSome = existing.some(isKnown);
  const isComplete = existing.every(({ saying }) => saying !== null);
  const answered = existing.find(({ saying }) => saying !== null && saying.state !== "failed");
  const failures = probed.flatMap(({ saying }) => (saying?.state === "failed" ? [saying.detail] : []));
  return {
    isDecided: answered !== undefined,
    denial: isComplete && !knowsSome && answered !== undefined ? denialOf(answered) : null,
    emptyForms: new Set(probed.flatMap(({ saying }) => (saying?.state === "nothing" ? saying.forms : []))),
    forgery: forged.length === 0 ? null : forgeryOf(probed, forged, knowsSome),
    silence: failures.length === probed.length ? `The resolver answers no question: ${failures[0]}` : null,
  };
}

function denialOf({ probe, saying }: Probed): string {
  const says =
    saying?.state === "nothing" && saying.outcome === "nxdomain" ? "does not exist" : "has no name servers";
  return `${NOT_TRUSTED}: the resolver says that "${probe.name}" ${says}`;
}

/** The address of an address record's mark. */
const addressIn = (mark: string): string | undefined => /^(?:A|AAAA) "([0-9a-f.:]+)"$/.exec(mark)?.[1];

type Forged = { readonly probe: Probe; readonly marks: readonly string[] };

function forgeryOf(probed: readonly Probed[], forged: readonly Forged[], knowsSome: boolean): Forgery {
  const all = forged.flatMap(({ marks }) => marks);
  const sets = (["A", "AAAA"] as const).map(
    (type) =>
      new Set(
        forged.filter(({ probe }) => probe.type === type).map(({ marks }) => marks.toSorted().join("\n")),
      ),
  );
  const address = all.map(addressIn).find(Boolean);
  const hidesSome = probed.some(
    ({ probe, saying }) => !probe.exists && saying?.state === "nothing" && saying.outcome === "nodata",
  );
  return {
    marks: new Set(all),
    isVarying: sets.some(({ size }) => size > 1),
    hidesAbsence: knowsSome && hidesSome,
    sentence: `${NOT_TRUSTED}: the resolver gives ${address ?? "records"} for names that do not exist`,
  };
}

/** How an answer stands beside what the probes showed. */
export type AnswerCredibility =
  /** It says nothing of the resolver. */
  | { readonly state: "plain" }
  /** No resolver that gives everybody the same answer would give this one. */
  | { readonly state: "knowledge" }
  /** Untrue unless the resolver shows otherwise that it knows names. */
  | { readonly state: "doubtful"; readonly sentence: string }
  | { readonly state: "forged"; readonly sentence: string };

const PLAIN: AnswerCredibility = { state: "plain" };
const KNOWLEDGE: AnswerCredibility = { state: "knowledge" };

/** Judges one answer by what the probes showed of its resolver; pure. */
export function judgeSaying(
  asked: ProbeQuestion,
  saying: Saying,
  { denial, emptyForms, forgery }: Findings,
): AnswerCredibility {
  if (saying.state === "failed") return PLAIN;
  if (saying.state === "records") {
    if (forgery !== null && isForged(saying.marks, forgery)) {
      return { state: "forged", sentence: forgery.sentence };
    }
    if (saying.isAnswer && isBuiltIn(asked)) return PLAIN;
    if (saying.isAnswer && showsKnowledge(asked, forgery)) return KNOWLEDGE;
    return denial === null ? PLAIN : { state: "doubtful", sentence: denial };
  }
  if (forgery?.hidesAbsence && saying.outcome === "nodata") {
    return { state: "forged", sentence: forgery.sentence };
  }
  if (denial === null) return PLAIN;
  const isKnownForm = saying.forms.some((form) => emptyForms.has(form));
  return PROBED_TYPES.has(asked.type) && !isKnownForm ? KNOWLEDGE : { state: "doubtful", sentence: denial };
}

/**
 * Whether records of this type can be told from forged ones. Reverse names are not probed: a reverse name counts unless
 * the resolver makes up more than addresses.
 */
const showsKnowledge = ({ type }: ProbeQuestion, forgery: Forgery | null): boolean =>
  PROBED_TYPES.has(type) ||
  (type === "PTR" && [...(forgery?.marks ?? [])].every((mark) => /^(?:A|AAAA|CNAME) /.test(mark)));

const isForged = (marks: readonly string[], { marks: forged, isVarying }: Forgery): boolean =>
  marks.some((mark) => forged.has(mark) || (isVarying && /^(?:A|AAAA) /.test(mark)));
