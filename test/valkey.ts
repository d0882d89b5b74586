import { describe, onTestFinished, test } from "vitest";
import { systemClock, systemRandom } from "../src/base/clock.ts";
import { type LimitScripts, limitScripts } from "../src/metering/limits/scripts.ts";
import { openValkey, type Valkey } from "../src/metering/limits/valkey.ts";

/** Longer than any wait: what is tested is no matter of speed. */
export const PATIENT_MS = 60_000;

/** A name of this test's own before every key, and the server's time under the test's hand. */
export type TestValkey = {
  readonly url: string;
  readonly prefix: string;
  readonly scripts: LimitScripts;
  readonly connect: () => Promise<Valkey>;
  /** The server's time from now on. Where it stands at first: some microseconds after some second. */
  readonly setTime: (ms: number) => Promise<void>;
};

/**
 * Runs the tests against Valkey or Redis: `TEST_VALKEY_URL`, or 127.0.0.1:6379; where neither answers, one skipped test
 * says so.
 */
export function withValkey(tests: (create: () => Promise<TestValkey>) => void): void {
  if (found) describe("with Valkey", () => tests(createTestValkey));
  else test.skip("with Valkey: not reachable; TEST_VALKEY_URL names one", () => undefined);
}

/** Where the tests' server is, if there is one. */
export const valkeyUrl = process.env["TEST_VALKEY_URL"] ?? "redis://127.0.0.1:6379";

async function createTestValkey(): Promise<TestValkey> {
  const { Redis } = await import("ioredis");
  const prefix = `repute-test-${systemRandom.uuid()}:`;
  const redis = new Redis(valkeyUrl);
  onTestFinished(() => redis.disconnect());
  const timeKey = `${prefix}now`;
  const setTime = async (ms: number): Promise<void> => {
    await redis.set(timeKey, Math.round(1_800_000_000_123_456 + ms * 1000), "PX", 600_000);
  };
  await setTime(0);
  const scripts = limitScripts({ time: `local now = tonumber(redis.call('GET', '${timeKey}'))` });
  const connect = async () => {
    const valkey = await openValkey({
      url: valkeyUrl,
      clock: systemClock,
      prefix,
      scripts,
      timeoutMs: PATIENT_MS,
    });
    onTestFinished(valkey.close);
    return valkey;
  };
  return { url: valkeyUrl, prefix, scripts, connect, setTime };
}

async function isReachable(): Promise<boolean> {
  const valkey = await openValkey({ url: valkeyUrl, clock: systemClock });
  try {
    await valkey.probe();
    return true;
  } catch {
    return false;
  } finally {
    valkey.close();
  }
}

const found = await isReachable();
