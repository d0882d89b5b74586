import { expect, test, vi } from "vitest";
import { share, startProcess } from "../../../test/limits-process.ts";
import { startTcpProxy } from "../../../test/servers/tcp-proxy.ts";
import { PATIENT_MS, withValkey } from "../../../test/valkey.ts";
import { systemClock } from "../../base/clock.ts";
import { openValkey } from "./valkey.ts";

withValkey((create) => {
  test("what the process's own limits refuse takes no place on the server", async () => {
    const place = await create();
    const { url, prefix, scripts } = place;
    const proxy = await startTcpProxy(Number(new URL(url).port || 6379));
    const through = `redis://127.0.0.1:${proxy.port}`;
    const valkey = await openValkey({
      url: through,
      prefix,
      scripts,
      clock: systemClock,
      timeoutMs: PATIENT_MS,
    });
    const { limits, areShared } = await share(valkey, systemClock);
    await proxy.down();
    await vi.waitUntil(() => !areShared(), { timeout: PATIENT_MS, interval: 20 });
    // Two calls whose starts the server does not know.
    const calls = [await limits.admit("a", 2), await limits.admit("a", 2)];
    for (const { state } of calls) expect(state).toBe("admitted");
    await proxy.up();
    await vi.waitUntil(areShared, { timeout: PATIENT_MS, interval: 20 });
    await vi.waitUntil(async () => Object(await limits.admit("a", 2)).scope === "concurrency", {
      timeout: PATIENT_MS,
      interval: 20,
    });
    for (let i = 0; i < 5; i++) {
      expect(await limits.admit("a", 2)).toMatchObject({
        scope: "concurrency",
        limits: { concurrencyRemaining: 0 },
      });
    }
    for (const call of calls) if (call.state === "admitted") call.release();
    const other = await startProcess(place);
    expect(await other.limits.admit("a", 2)).toMatchObject({ state: "admitted", limits: { remaining: 1 } });
    await limits.close();
  });
});
