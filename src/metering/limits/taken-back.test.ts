import fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import { share, startProcess } from "../../../test/limits-process.ts";
import { startTcpProxy } from "../../../test/servers/tcp-proxy.ts";
import { PATIENT_MS, withValkey } from "../../../test/valkey.ts";
import { systemClock } from "../../base/clock.ts";
import { createFreeLimits } from "./free.ts";
import { MAX_HANG_UPS } from "./hang-ups.ts";
import { createMemoryLimits } from "./in-process.ts";
import type { Admission } from "./types.ts";
import { openValkey } from "./valkey.ts";

type Own = {
  readonly admit: (bucket: string, limit: number) => Admission;
  readonly takeBack: (bucket: string, atMs: number) => void;
};

/** What a process keeps for itself, and how long its window is. */
const STORES = {
  "createMemoryLimits()": [(clock): Own => createMemoryLimits({ clock }), 1_000],
  "createFreeLimits()": [(clock): Own => createFreeLimits({ clock }), 60_000],
} satisfies Record<string, [(clock: { monotonicMs: () => number }) => Own, number]>;

const LIMIT = 5;

/** After a pause, in windows: a start, or the answer that refuses one of those that wait for it. */
const step = fc.record({
  pause: fc.constantFrom(0, 0.1, 0.3, 0.45, 0.9, 1),
  refuses: fc.option(fc.nat(20), { freq: 2 }),
});

test.each(Object.entries(STORES))(
  "%s forgets the start that was refused, whatever started since and however late that is known",
  (_name, [open, windowMs]) => {
    const play = (steps: readonly { readonly pause: number; readonly refuses: number | null }[]): void => {
      let nowMs = 5_000;
      const own = open({ monotonicMs: () => nowMs });
      let kept: number[] = [];
      const waiting: number[] = [];
      for (const { pause, refuses } of steps) {
        nowMs += pause * windowMs;
        kept = kept.filter((startMs) => startMs > nowMs - windowMs);
        const refused = refuses === null ? undefined : waiting.splice(refuses % (waiting.length || 1), 1)[0];
        if (refused !== undefined) {
          own.takeBack("a", refused);
          if (kept.includes(refused)) kept.splice(kept.indexOf(refused), 1);
          continue;
        }
        const admission = own.admit("a", LIMIT);
        expect(admission.state).toBe(kept.length < LIMIT ? "admitted" : "refused");
        if (admission.state === "refused") continue;
        admission.release();
        kept.push(nowMs);
        waiting.push(nowMs);
        expect(admission.limits.remaining).toBe(LIMIT - kept.length);
      }
    };
    fc.assert(fc.property(fc.array(step, { minLength: 4, maxLength: 30 }), play), { numRuns: 2_000 });
  },
);

withValkey((create) => {
  test("with a slow server, which refuses a start after a later one, the later one counts once the server is lost", async () => {
    const place = await create();
    const { url, prefix, scripts } = place;
    const other = await startProcess(place);
    onTestFinished(other.limits.close);
    for (let i = 0; i <= MAX_HANG_UPS; i++) other.limits.noteHangUp("owner");
    const proxy = await startTcpProxy(Number(new URL(url).port || 6379));
    const through = `redis://127.0.0.1:${proxy.port}`;
    const valkey = await openValkey({
      ...{ url: through, prefix, scripts, clock: systemClock, timeoutMs: PATIENT_MS },
    });
    let nowMs = 0;
    const { limits, areShared } = await share(valkey, { ...systemClock, monotonicMs: () => nowMs });
    onTestFinished(limits.close);
    await vi.waitUntil(areShared, { timeout: PATIENT_MS, interval: 20 });
    proxy.freeze();
    const early = limits.admit("owner a", 1, "owner");
    nowMs = 600;
    const late = limits.admit("owner a", 2);
    proxy.thaw();
    expect([await early, await late]).toMatchObject([
      { state: "refused", isForHangUps: true },
      { state: "admitted" },
    ]);
    await proxy.down();
    await vi.waitUntil(() => !areShared(), { timeout: PATIENT_MS, interval: 20 });
    nowMs = 1_100;
    expect(await limits.admit("owner a", 1)).toMatchObject({ state: "refused", scope: "requests" });
  });
});
