import { type Clock, isoSeconds } from "../../base/clock.ts";
import type { Reason } from "../../base/failure.ts";
import { type AnswerTable, judgeEmptyEntry, judgeTestEntry, type ZoneAnswerState } from "./answer-table.ts";
import type { TestPoints } from "./zone-definition.ts";
import type { ZoneReply } from "./zone-reply.ts";
import type { ZoneState } from "./zone-state.ts";

/** The self-tests of one zone. */
export type SelfTests = {
  /** What the last test with a result said; `passed` where the publisher has no test points. */
  readonly verdict: () => "passed" | "failed" | null;
  /** Whether answers count as things stand: the last test was passed, and none is due. */
  readonly isTrusted: () => boolean;
  /** Starts the test that is due, or joins the one under way; null when none is. */
  readonly startDue: () => Promise<void> | null;
  /** How often a test has failed so far. */
  readonly failures: () => number;
  readonly dates: () => TestDates;
};

/** ISO 8601; null: none so far, or the publisher has no test points. */
export type TestDates = {
  readonly lastAttempt: string | null;
  readonly lastSuccess: string | null;
  readonly nextAttempt: string | null;
};

const TEST_EVERY_MS = 15 * 60_000;
/** After a test without a result, of a zone that has had one: until then the status it had holds. */
const TEST_AGAIN_MS = 60_000;

/**
 * At first use and every 15 minutes a zone is asked for entries that it must hold and for some that it must not,
 * `points` being the names before the zone's. One wrong answer fails the test; a test without a result changes
 * nothing, and is made again at the next use by a zone that has none yet. Source: RFC 5782, 5; design 3.5.
 */
export function createSelfTests(options: {
  readonly points: TestPoints | null;
  readonly tables: readonly AnswerTable[];
  readonly ask: (name: string) => Promise<ZoneReply>;
  readonly state: Pick<ZoneState, "note">;
  readonly clock: Pick<Clock, "now" | "monotonicMs">;
}): SelfTests {
  const { points, state, clock } = options;
  let verdict: "passed" | "failed" | null = points === null ? "passed" : null;
  let dueMs = Number.NEGATIVE_INFINITY;
  let failures = 0;
  let running: Promise<void> | null = null;
  let lastAttempt: string | null = null;
  let lastSuccess: string | null = null;
  const run = async (asked: TestPoints) => {
    const result = await testZone(asked, options.tables, options.ask);
    const isResult = result.state === "passed" || result.state === "failed";
    if (result.state === "passed") state.note("ok", "");
    else if (result.state === "failed") state.note("self_test_failed", result.detail);
    else if (verdict === null && !result.isRepeated) state.note(result.state, result.detail);
    if (isResult) verdict = result.state;
    if (result.state === "failed") failures++;
    lastAttempt = isoSeconds(clock.now());
    if (result.state === "passed") lastSuccess = lastAttempt;
    const pauseMs = isResult ? TEST_EVERY_MS : TEST_AGAIN_MS;
    dueMs = verdict === null ? Number.NEGATIVE_INFINITY : clock.monotonicMs() + pauseMs;
    running = null;
  };
  const isDue = () => points !== null && clock.monotonicMs() >= dueMs;
  return {
    verdict: () => verdict,
    isTrusted: () => verdict === "passed" && !isDue(),
    startDue: () => {
      if (points === null || (running === null && !isDue())) return running;
      running ??= run(points);
      return running;
    },
    failures: () => failures,
    dates: () => {
      const leftMs = dueMs - clock.monotonicMs();
      const next = new Date(clock.now().getTime() + leftMs);
      return { lastAttempt, lastSuccess, nextAttempt: Number.isFinite(leftMs) ? isoSeconds(next) : null };
    },
  };
}

/** What came of a self-test; any other state is that there was no result, and why. */
type TestResult =
  | { readonly state: "passed" }
  | {
      readonly state: "failed" | Reason;
      readonly detail: string;
      readonly isRepeated?: true;
    };

async function testZone(
  points: TestPoints,
  tables: readonly AnswerTable[],
  ask: (name: string) => Promise<ZoneReply>,
): Promise<TestResult> {
  const results = await Promise.all([
    ...points.listed.map(async (name) =>
      resultOf(await ask(name), "A test entry that it must hold is not listed", (values) =>
        judgeTestEntry(tables, values),
      ),
    ),
    ...points.notListed.map(async (name) =>
      resultOf(await ask(name), "A test entry that no list may hold is listed", (values) =>
        judgeEmptyEntry(tables, values),
      ),
    ),
  ]);
  const wrong = results.find(({ state }) => state === "failed");
  return wrong ?? results.find(({ state }) => state !== "passed") ?? { state: "passed" };
}

function resultOf(
  reply: ZoneReply,
  wrong: string,
  judge: (values: readonly number[]) => ZoneAnswerState | null,
): TestResult {
  if (reply.state !== "answered") return reply;
  const judgement = judge(reply.values);
  if (judgement === null) return { state: "failed", detail: wrong };
  return judgement.state === "read" ? { state: "passed" } : judgement;
}
