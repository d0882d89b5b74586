import type { Clock, Random } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import type { Cidr } from "../../targets/cidr.ts";
import { onBehalfOf, SERVICE } from "../party.ts";
import type { DnsClient } from "./dns-types.ts";
import {
  type AnswerCredibility,
  type Findings,
  judgeProbes,
  judgeSaying,
  NOTHING_FOUND,
} from "./resolver-findings.ts";
import { type ProbeQuestion, probesOf, type Saying, sayingOf } from "./resolver-probes.ts";

/** What speaks against a resolver. */
export type ResolverTrouble = {
  readonly kind: "untrue" | "silent";
  /** Without the resolver's address: it is shown to everybody. */
  readonly sentence: string;
};

/** Whether one resolver tells the truth. */
export type ServerTrust = {
  /** Starts the probes when they are due; the promise of those under way, null when there are none. */
  readonly probe: () => Promise<void> | null;
  /** Told of every answer: it is not silent. */
  readonly hear: () => void;
  /** How an answer stands now; an answer that shows knowledge clears a denial. */
  readonly judge: (asked: ProbeQuestion, saying: Saying) => AnswerCredibility;
  /** Whether nothing speaks against it, so that its answers need no look. */
  readonly isClean: () => boolean;
  /** Whether a round of probes is over. */
  readonly isProbed: () => boolean;
  readonly isLiar: () => boolean;
  /** Resolves when it shows that it knows names. */
  readonly cleared: () => Promise<void>;
  /** Null: nothing speaks against it. */
  readonly trouble: () => ResolverTrouble | null;
  readonly close: () => void;
};

export type ServerTrustParts = {
  readonly server: string;
  readonly client: Pick<DnsClient, "query">;
  /** `dns.probe_names`. */
  readonly probeNames: readonly string[];
  /** Questions from the configuration that the resolver may know, asked only when it denies the probes' names. */
  readonly witnesses: readonly ProbeQuestion[];
  /** `fetch.allow_networks`: an address there may be given for every name. */
  readonly ownNetworks: readonly Cidr[];
  readonly clock: Pick<Clock, "monotonicMs">;
  /** `dns.timeout_ms`. */
  readonly timeoutMs: number;
  readonly random: Pick<Random, "bytes">;
  readonly log: Pick<Log, "warn" | "info">;
};

const PROBE_EVERY_MS = 600_000;
/** A resolver with trouble is looked at sooner. */
const PROBE_AGAIN_MS = 60_000;
/** A busy start of the service must not look like silence. */
const MIN_PROBE_MS = 2000;
/** Questions that it answered, kept to be asked again. */
const MAX_KNOWN = 8;

/** What is known of the resolver. */
type State = {
  findings: Findings;
  /** The first round of probes is over. */
  isProbed: boolean;
  /** It denies names that exist, but has shown that it knows others. */
  isProven: boolean;
  isTriedAgain: boolean;
  isClosed: boolean;
  dueMs: number;
  /** The sentence that was logged last. */
  told: string | null;
  /** Resolved while `isProven`. */
  proof: PromiseWithResolvers<void>;
  /** Questions that it answered although it denies the probes' names. */
  readonly known: Map<string, ProbeQuestion>;
};

/**
 * The trust in one resolver. One that denies the names that every resolver of the Internet knows is believed all the
 * same once it gives an answer that the probes did not get: it is the resolver of a private network. With the next
 * probes it must give such an answer again.
 */
export function createServerTrust(parts: ServerTrustParts): ServerTrust {
  const { clock } = parts;
  const state: State = {
    ...{ findings: NOTHING_FOUND, isProbed: false, isProven: false, isTriedAgain: false, isClosed: false },
    ...{ dueMs: Number.NEGATIVE_INFINITY, told: null, proof: Promise.withResolvers(), known: new Map() },
  };
  let running: Promise<void> | null = null;
  return {
    probe: () => {
      if (running === null && !state.isClosed && clock.monotonicMs() >= state.dueMs) {
        running = onBehalfOf(SERVICE, () => probeOnce(state, parts)).finally(() => {
          running = null;
        });
      }
      return running;
    },
    hear: () => hear(state, parts),
    judge: (asked, saying) => judge(state, parts, asked, saying),
    isClean: () => state.findings.denial === null && state.findings.forgery === null,
    isProbed: () => state.isProbed,
    isLiar: () => troubleOf(state)?.kind === "untrue",
    cleared: () => state.proof.promise,
    trouble: () => troubleOf(state),
    close: () => {
      state.isClosed = true;
    },
  };
}

function troubleOf({ findings, isProven }: State): ResolverTrouble | null {
  const untrue = (isProven ? null : findings.denial) ?? findings.forgery?.sentence ?? null;
  if (untrue !== null) return { kind: "untrue", sentence: untrue };
  return findings.silence === null ? null : { kind: "silent", sentence: findings.silence };
}

/** Logs a change. */
function tell(state: State, { log, server }: ServerTrustParts): void {
  const sentence = troubleOf(state)?.sentence ?? null;
  if (sentence === state.told) return;
  state.told = sentence;
  if (sentence === null) log.info({ server }, "The resolver answers as it should again");
  else log.warn({ server }, sentence);
}

function hear(state: State, parts: ServerTrustParts): void {
  if (!state.isProbed || state.findings.isDecided) return;
  // It does answer: then the probes may be answered as well, which is tried once.
  if (!state.isTriedAgain) state.dueMs = Number.NEGATIVE_INFINITY;
  state.isTriedAgain = true;
  state.findings = { ...state.findings, silence: null };
  tell(state, parts);
}

function judge(
  state: State,
  parts: ServerTrustParts,
  asked: ProbeQuestion,
  saying: Saying,
): AnswerCredibility {
  const verdict = judgeSaying(asked, saying, state.findings);
  if (verdict.state === "knowledge" && state.findings.denial !== null) {
    keepKnown(state.known, asked, saying);
    state.isProven = true;
    state.proof.resolve();
    tell(state, parts);
  }
  return verdict.state === "doubtful" && state.isProven ? { state: "plain" } : verdict;
}

/** One round: the probes, and after a denial the questions that the resolver may know. */
async function probeOnce(state: State, parts: ServerTrustParts): Promise<void> {
  const findings = await askProbes(parts, (soFar) => {
    // Before the first round is over, what is there of it counts.
    if (!state.isProbed) state.findings = soFar;
  });
  const isProven = findings.denial !== null && (await knowsAny(state, parts, findings));
  if (state.isClosed) return;
  if (state.isProven && !isProven) state.proof = Promise.withResolvers();
  if (isProven) state.proof.resolve();
  const isTriedAgain = state.isTriedAgain && !findings.isDecided;
  Object.assign(state, { findings, isProven, isTriedAgain, isProbed: true });
  const pauseMs = troubleOf(state) === null ? PROBE_EVERY_MS : PROBE_AGAIN_MS;
  state.dueMs = parts.clock.monotonicMs() + pauseMs;
  tell(state, parts);
}

async function knowsAny({ known }: State, parts: ServerTrustParts, findings: Findings): Promise<boolean> {
  const asked = [...known.values(), ...parts.witnesses];
  const verdicts = await Promise.all(
    asked.map(async (one) => judgeSaying(one, sayingOf(one, await ask(one, parts)), findings)),
  );
  return verdicts.some(({ state }) => state === "knowledge");
}

async function askProbes(parts: ServerTrustParts, onProgress: (soFar: Findings) => void): Promise<Findings> {
  const probes = probesOf(parts.probeNames, parts.random);
  const sayings = new Map<number, Saying>();
  const judged = () =>
    judgeProbes(
      probes.map((probe, i) => ({ probe, saying: sayings.get(i) ?? null })),
      parts.ownNetworks,
    );
  await Promise.all(
    probes.map(async (probe, i) => {
      sayings.set(i, sayingOf(probe, await ask(probe, parts)));
      onProgress(judged());
    }),
  );
  return judged();
}

/** Asks this resolver alone. */
const ask = ({ name, type }: ProbeQuestion, { client, server, timeoutMs }: ServerTrustParts) =>
  client.query(name, type, { only: server, timeoutMs: Math.max(timeoutMs, MIN_PROBE_MS) });

/** Keeps the newest questions that were answered with records. */
function keepKnown(
  known: Map<string, ProbeQuestion>,
  { name, type }: ProbeQuestion,
  { state }: Saying,
): void {
  if (state !== "records") return;
  const key = `${type} ${name}`;
  known.delete(key);
  known.set(key, { name, type });
  const oldest = known.keys().next();
  if (known.size > MAX_KNOWN && !oldest.done) known.delete(oldest.value);
}
