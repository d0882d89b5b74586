import { Redis } from "ioredis";
import { expect, onTestFinished, test, vi } from "vitest";
import { share, startProcess } from "../../../test/limits-process.ts";
import { startTcpProxy } from "../../../test/servers/tcp-proxy.ts";
import { PATIENT_MS, withValkey } from "../../../test/valkey.ts";
import { systemClock } from "../../base/clock.ts";
import type { Admission } from "./types.ts";
import { openValkey, type Valkey } from "./valkey.ts";

const SLOTS = 5;

withValkey((create) => {
  /** A process on a way to the server that can be cut, and another one that sees what the server holds of it. */
  async function start(timeoutMs: number) {
    const place = await create();
    const { url, prefix, scripts, setTime } = place;
    const proxy = await startTcpProxy(Number(new URL(url).port || 6379));
    const through = `redis://127.0.0.1:${proxy.port}`;
    const valkey = await openValkey({ url: through, prefix, scripts, clock: systemClock, timeoutMs });
    let aheadMs = 0;
    const clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + aheadMs };
    /** Slots that this process gave back to the server. */
    const releases: string[] = [];
    const release: Valkey["release"] = (bucket, id) => {
      releases.push(id);
      return valkey.release(bucket, id);
    };
    const { limits, areShared } = await share({ ...valkey, release }, clock);
    onTestFinished(limits.close);
    const until = (isSo: () => boolean) => vi.waitUntil(isSo, { timeout: PATIENT_MS, interval: 20 });
    await until(areShared);
    const other = await startProcess(place);
    onTestFinished(other.limits.close);
    /** Lets time go by, for the process and the server. */
    const pass = async (ms: number): Promise<void> => {
      aheadMs += ms;
      await setTime(aheadMs);
    };
    /** Slots of one account that another process finds free, its own not counted. The window is over. */
    const free = async (bucket: string): Promise<number> => {
      await pass(1_500);
      const seen = await other.limits.admit(bucket, SLOTS);
      end(seen);
      return seen.limits.concurrencyRemaining + 1;
    };
    return {
      ...{ proxy, limits, other, pass, free, place, releases },
      isLost: () => until(() => !areShared()),
      isBack: () => until(areShared),
    };
  }

  const end = (admission: Admission): void => {
    if (admission.state === "admitted") admission.release();
  };

  test("what a server that stood still admitted meanwhile, and what ended meanwhile, takes no slot when it goes on", async () => {
    const { proxy, limits, free, isBack } = await start(1000);
    const before = await limits.admit("a", SLOTS);
    proxy.freeze();
    // The server's answer is lost, and the calls go on by the process's own limits.
    const during = await Promise.all([limits.admit("a", SLOTS), limits.admit("a", SLOTS)]);
    for (const one of [before, ...during]) end(one);
    proxy.thaw();
    await isBack();
    expect(await free("a")).toBe(SLOTS);
  });

  test("a call whose admission was never answered holds its slot on the server while it runs, and no longer", async () => {
    const { proxy, limits, free, isBack } = await start(1000);
    proxy.freeze();
    const call = await limits.admit("a", SLOTS);
    expect(call.state).toBe("admitted");
    proxy.thaw();
    await isBack();
    expect(await free("a")).toBe(SLOTS - 1);
    end(call);
    expect(await free("a")).toBe(SLOTS);
  });

  test("calls begun while the server was away hold their slots once it is back, so that no more run than are allowed", async () => {
    const { proxy, limits, other, free, isLost, isBack, releases } = await start(PATIENT_MS);
    await proxy.down();
    await isLost();
    const during = await Promise.all(Array.from({ length: SLOTS }, () => limits.admit("a", SLOTS)));
    const ended = await Promise.all(Array.from({ length: SLOTS }, () => limits.admit("b", SLOTS)));
    for (const { state } of [...during, ...ended]) expect(state).toBe("admitted");
    for (const one of ended) end(one);
    const once = await limits.begin("once");
    await proxy.up();
    await isBack();
    expect(await other.limits.admit("a", SLOTS)).toMatchObject({ state: "refused", scope: "concurrency" });
    expect(await other.limits.begin("once")).toBeNull();
    expect([await free("b"), releases.length]).toEqual([SLOTS, 0]);
    for (const one of [...during.slice(1), ...during.slice(1)]) end(one);
    once?.();
    expect([await free("a"), releases.length]).toEqual([SLOTS - 1, SLOTS]);
    expect(await other.limits.begin("once")).not.toBeNull();
  });

  test("calls begun while the server was away are as many as each process allows, and none is added while they run", async () => {
    const { proxy, limits, other, place, pass, isLost, isBack } = await start(PATIENT_MS);
    await proxy.down();
    await isLost();
    for (let i = 0; i < SLOTS; i++) expect((await limits.admit("a", SLOTS)).state).toBe("admitted");
    const running = await Promise.all([other.limits.admit("a", SLOTS), other.limits.admit("a", SLOTS)]);
    expect(running.map(({ state }) => state)).toEqual(["admitted", "admitted"]);
    await proxy.up();
    await isBack();
    const third = await startProcess(place);
    onTestFinished(third.limits.close);
    for (const process of [limits, other.limits, third.limits]) {
      await pass(1_500);
      expect(await process.admit("a", SLOTS)).toMatchObject({
        state: "refused",
        scope: "concurrency",
        limits: { concurrencyRemaining: 0 },
      });
    }
  });

  test("calls that ended while the connection was lost hold no slot once it is back, those that run hold theirs", async () => {
    const { proxy, limits, free, isLost, isBack } = await start(PATIENT_MS);
    const ending = [await limits.admit("a", SLOTS), await limits.admit("b", SLOTS)];
    expect((await limits.admit("a", SLOTS)).state).toBe("admitted");
    await proxy.down();
    await isLost();
    for (const one of ending) end(one);
    await proxy.up();
    await isBack();
    expect([await free("a"), await free("b")]).toEqual([SLOTS - 1, SLOTS]);
  });

  test("calls that run while the server is away for longer than their leases hold their slots when it is back", async () => {
    const { proxy, limits, free, isLost, isBack, pass } = await start(PATIENT_MS);
    expect((await limits.admit("a", SLOTS)).state).toBe("admitted");
    await proxy.down();
    await isLost();
    await pass(20_000);
    await proxy.up();
    await isBack();
    expect(await free("a")).toBe(SLOTS - 1);
  });

  test("calls that run hold their slots from the first moment on a server that started anew meanwhile", async () => {
    const { proxy, limits, free, isLost, isBack, place } = await start(PATIENT_MS);
    expect((await limits.admit("a", SLOTS)).state).toBe("admitted");
    await proxy.down();
    await isLost();
    const redis = new Redis(place.url);
    onTestFinished(() => redis.disconnect());
    expect(await redis.del(`${place.prefix}{a}:flights`)).toBe(1);
    await proxy.up();
    await isBack();
    expect(await free("a")).toBe(SLOTS - 1);
  });

  test("what was begun once, while the server stood still, can be begun in another process when it has ended", async () => {
    const { proxy, limits, other, isBack } = await start(1000);
    const first = await limits.begin("first");
    proxy.freeze();
    const second = await limits.begin("second");
    expect(await limits.begin("second")).toBeNull();
    first?.();
    second?.();
    proxy.thaw();
    await isBack();
    expect(await other.limits.begin("first")).not.toBeNull();
    expect(await other.limits.begin("second")).not.toBeNull();
  });
});
