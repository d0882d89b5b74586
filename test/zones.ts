import { defineEngines } from "../src/engines/definitions.ts";
import {
  createZones,
  type ZoneAnswers,
  type ZoneEngine,
  type Zones,
  zoneEnginesOf,
} from "../src/engines/dnsbl/zones.ts";
import type { Absence, Verdict } from "../src/engines/kind.ts";
import { enginesOptionsSchema } from "../src/engines/options.ts";
import type { EngineTarget } from "../src/engines/target.ts";
import { client, createStoppedClock, type StoppedClock, serve } from "./servers/dns-client.ts";
import type { TestBehaviour, TestDnsServer, TestQuestion, TestScript } from "./servers/dns-server.ts";

/** What the tests of zones stand on: a name server that serves blacklists, and engines that ask it. */
export type ZonesWorld = {
  readonly zones: Zones;
  readonly engines: readonly ZoneEngine[];
  readonly clock: StoppedClock;
  readonly server: TestDnsServer;
  /** Asks all engines that are on. */
  readonly ask: (target: EngineTarget, withinMs?: number, signal?: AbortSignal) => Promise<ZoneAnswers>;
  /** Questions that were no self-test, as `TYPE name`. */
  readonly asked: () => readonly string[];
};

export const TIMEOUT_MS = 2000;
const NXDOMAIN = 3;

/** Answers with these addresses. */
export const listedAs = (...addresses: readonly string[]): TestBehaviour => ({
  answers: addresses.map((data) => ({ type: "A", data })),
});

export const NOT_LISTED: TestBehaviour = { rcode: NXDOMAIN };

const TEST_POINT = /^(2\.0\.0\.127\.(?!0)|2\.0\.0\.0\.0\.0\.f\.7\.f\.f\.f\.f\.(0\.){20}|test\.)/i;
const EMPTY_POINT = /^(1\.0\.0\.127\.(?!0)|1\.0\.0\.0\.0\.0\.f\.7\.f\.f\.f\.f\.(0\.){20}|invalid\.)/i;

const isTest = (name: string): boolean => TEST_POINT.test(name) || EMPTY_POINT.test(name);

/** A well-kept list: its test entries are right, everything else is as `script` says. */
export const wellKept =
  (script: (question: TestQuestion) => ReturnType<TestScript>): TestScript =>
  (question) => {
    if (TEST_POINT.test(question.name)) return listedAs("127.0.0.2");
    return EMPTY_POINT.test(question.name) ? NOT_LISTED : script(question);
  };

/** Zones as `engines.dnsbl` has them; `bl.example` for addresses when nothing is said. Time stands still. */
export async function openZones(
  script: TestScript,
  entries: readonly Record<string, unknown>[] = [{}],
): Promise<ZonesWorld> {
  const server = await serve(script);
  const clock = createStoppedClock();
  const dnsbl = entries.map((entry, i) => ({
    key: `zone_${i + 1}`,
    target: "ip",
    zone: "bl.example",
    ...entry,
  }));
  const definitions = defineEngines({
    engines: enginesOptionsSchema.parse({ builtin: false, dnsbl }),
    allowlists: [],
  });
  const engines = zoneEnginesOf(definitions);
  const dns = client([server], { clock, timeoutMs: TIMEOUT_MS });
  const zones = createZones(engines, { dns, clock, timeoutMs: TIMEOUT_MS });
  return {
    zones,
    engines,
    clock,
    server,
    ask: (target, withinMs = 60_000, signal = new AbortController().signal) =>
      zones.ask(engines, target, { signal, withinMs }),
    asked: () =>
      server.questions
        .filter(({ name }) => !isTest(name))
        .map(({ type, name }) => `${type} ${name.toLowerCase()}`),
  };
}

/** What one engine said, in the words of the outcome table: `listed 127.0.0.2`, `not listed`, `error: …`. */
export function said({ verdicts, absences }: Pick<ZoneAnswers, "verdicts" | "absences">): readonly string[] {
  const verdict = ({ detected, codes }: Verdict) => (detected ? `listed ${codes.join(" ")}` : "not listed");
  const absence = ({ status, detail }: Absence) => `${status}: ${detail}`;
  return [...verdicts.map(verdict), ...absences.map(absence)];
}
