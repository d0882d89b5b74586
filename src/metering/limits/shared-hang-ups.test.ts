import { expect, test, vi } from "vitest";
import { hangUpContract } from "../../../test/hang-up-contract.ts";
import { share, startProcess } from "../../../test/limits-process.ts";
import { startTcpProxy } from "../../../test/servers/tcp-proxy.ts";
import { PATIENT_MS, withValkey } from "../../../test/valkey.ts";
import { systemClock } from "../../base/clock.ts";
import { MAX_HANG_UPS } from "./hang-ups.ts";
import { openValkey } from "./valkey.ts";

withValkey((create) => {
  hangUpContract("createSharedLimits()", async () => startProcess(await create()));

  test("what is abandoned on all processes counts together, and is refused by all of them", async () => {
    const place = await create();
    const [a, b, c] = [await startProcess(place), await startProcess(place), await startProcess(place)];
    for (let i = 0; i <= MAX_HANG_UPS; i++) {
      expect((await c.store.admit("owner check-ip", 100, "owner")).state).toBe("admitted");
      const process = i % 2 === 0 ? a : b;
      process.store.noteHangUp("owner");
      await process.store.admit("another check-ip", 1000, "another");
    }
    for (const { store } of [a, b, c]) {
      expect(await store.admit("owner check-ip", 100, "owner")).toMatchObject({
        state: "refused",
        scope: "requests",
        retryAfterS: 60,
        isForHangUps: true,
      });
    }
    await c.advance(60_000);
    for (const { store } of [a, b, c]) {
      expect((await store.admit("owner dns-lookup", 100, "owner")).state).toBe("admitted");
    }
  });

  test("what was abandoned while the server was away counts on in its process when it is back", async () => {
    const place = await create();
    const { port } = new URL(place.url);
    const proxy = await startTcpProxy(Number(port || 6379));
    const { prefix, scripts } = place;
    const url = `redis://127.0.0.1:${proxy.port}`;
    const valkey = await openValkey({ url, prefix, scripts, clock: systemClock, timeoutMs: PATIENT_MS });
    const { limits, areShared } = await share(valkey, { ...systemClock, monotonicMs: () => 1000 });
    await proxy.down();
    for (let i = 0; i <= MAX_HANG_UPS; i++) limits.noteHangUp("owner");
    expect((await limits.admit("owner check-ip", 9, "owner")).state).toBe("refused");
    await proxy.up();
    await vi.waitUntil(areShared, { timeout: PATIENT_MS, interval: 20 });
    expect((await limits.admit("owner check-ip", 9, "owner")).state).toBe("refused");
    expect((await limits.admit("another check-ip", 9, "another")).state).toBe("admitted");
    await limits.close();
  });
});
