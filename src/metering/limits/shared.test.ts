import { spawn } from "node:child_process";
import { once } from "node:events";
import { Redis } from "ioredis";
import { expect, onTestFinished, test, vi } from "vitest";
import { limitStoreContract } from "../../../test/limit-store-contract.ts";
import { share, startProcess } from "../../../test/limits-process.ts";
import { startTcpProxy } from "../../../test/servers/tcp-proxy.ts";
import { PATIENT_MS, type TestValkey, withValkey } from "../../../test/valkey.ts";
import { systemClock } from "../../base/clock.ts";
import { openValkey } from "./valkey.ts";

/** A connection that can be cut, and that can fall silent. */
async function connectThrough({ url, prefix, scripts }: TestValkey, timeoutMs: number) {
  const proxy = await startTcpProxy(Number(new URL(url).port || 6379));
  const through = `redis://127.0.0.1:${proxy.port}`;
  const valkey = await openValkey({ url: through, prefix, scripts, clock: systemClock, timeoutMs });
  return { proxy, valkey };
}

/** Text of a program that has `limits` and `freeLimits` on the same server, and prints what `body` makes. */
function programOf({ url, prefix, scripts }: TestValkey, body: string): string {
  const at = (file: string) => JSON.stringify(new URL(file, import.meta.url).href);
  return `
    const { systemClock: clock, systemRandom: random } = await import(${at("../../base/clock.ts")});
    const { createLog } = await import(${at("../../base/log.ts")});
    const { createFreeLimits } = await import(${at("./free.ts")});
    const { createMemoryLimits } = await import(${at("./in-process.ts")});
    const { createSharedLimits } = await import(${at("./shared.ts")});
    const { openValkey } = await import(${at("./valkey.ts")});
    const options = ${JSON.stringify({ url, prefix, scripts, timeoutMs: PATIENT_MS })};
    const valkey = await openValkey({ ...options, clock });
    const own = { limits: createMemoryLimits({ clock }), freeLimits: createFreeLimits({ clock }) };
    const shared = createSharedLimits({ valkey, own, clock, random, log: createLog({ level: "silent" }) });
    await shared.whenKnown;
    const { limits, freeLimits } = shared;
    ${body}`;
}

function startProgram(text: string) {
  const child = spawn(process.execPath, ["--input-type=module", "-e", text], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = once(child, "close");
  const line = async (): Promise<unknown> => {
    let out = "";
    for await (const chunk of child.stdout) {
      out += chunk;
      if (out.includes("\n")) break;
    }
    return JSON.parse(out);
  };
  return { line: line(), kill: () => child.kill("SIGKILL"), ended };
}

const HAMMER = `
  const admitted = { starts: 0, free: 0 };
  await Promise.all(Array.from({ length: 40 }, async () => {
    const one = await limits.admit("account check-ip", 50);
    if (one.state === "admitted") { admitted.starts++; one.release(); }
    if ((await freeLimits.admit("tool client")).state === "admitted") admitted.free++;
  }));
  console.log(JSON.stringify(admitted));
  await limits.close();`;

withValkey((create) => {
  limitStoreContract("createSharedLimits()", async () => startProcess(await create()));

  test("the free tools' minute slides for all processes together", async () => {
    const place = await create();
    const [a, b] = [await startProcess(place), await startProcess(place)];
    for (const [i, remaining] of [4, 3, 2, 1, 0].entries()) {
      const admission = await (i % 2 === 0 ? a : b).freeLimits.admit("tool 192.0.2.1");
      expect(admission).toMatchObject({ state: "admitted", limits: { limit: 5, remaining } });
      await a.advance(1000);
    }
    expect(await b.freeLimits.admit("tool 192.0.2.1")).toMatchObject({
      state: "refused",
      scope: "requests",
      retryAfterS: 55,
      limits: { remaining: 0, resetAfterS: 55, concurrencyLimit: Number.POSITIVE_INFINITY },
    });
    expect((await b.freeLimits.admit("tool 192.0.2.2")).state).toBe("admitted");
    await a.advance(54_999);
    expect((await b.freeLimits.admit("tool 192.0.2.1")).state).toBe("refused");
    await a.advance(1);
    expect((await b.freeLimits.admit("tool 192.0.2.1")).state).toBe("admitted");
  });

  test("four processes at once admit together exactly what one may", async () => {
    const place = await create();
    const text = programOf(place, HAMMER);
    const counts = await Promise.all([1, 2, 3, 4].map(() => startProgram(text).line));
    const sum = (name: string) => counts.reduce((all: number, one) => all + Number(Object(one)[name]), 0);
    expect([sum("starts"), sum("free")]).toEqual([50, 5]);
  });

  test("the slots of a process that was killed are free after its leases, those of the living stay taken", async () => {
    const place = await create();
    const alive = await startProcess(place);
    expect((await alive.store.admit("a", 2)).state).toBe("admitted");
    const dying = startProgram(
      programOf(place, `console.log(JSON.stringify((await limits.admit("a", 2)).state))`),
    );
    expect(await dying.line).toBe("admitted");
    dying.kill();
    await dying.ended;
    await alive.advance(9_000);
    expect(await alive.store.admit("a", 2)).toMatchObject({ state: "refused", scope: "concurrency" });
    await alive.advance(1_000);
    expect(await alive.store.admit("a", 2)).toMatchObject({
      state: "admitted",
      limits: { concurrencyRemaining: 0 },
    });
  });

  test("what is under way in one process is not begun in another until it has ended there", async () => {
    const place = await create();
    const [a, b] = [await startProcess(place), await startProcess(place)];
    const end = await a.store.begin("lookup");
    expect(await b.store.begin("lookup")).toBeNull();
    end?.();
    await a.store.admit("a", 1); // on the same connection, after the end
    expect(await b.store.begin("lookup")).not.toBeNull();
    expect(await a.store.begin("lookup")).toBeNull();
  });

  test("while the server is away each process begins for itself", async () => {
    const { proxy, valkey } = await connectThrough(await create(), PATIENT_MS);
    const { limits } = await share(valkey, { ...systemClock, monotonicMs: () => 1000 });
    await proxy.down();
    const end = await limits.begin("lookup");
    expect(end).not.toBeNull();
    expect(await limits.begin("lookup")).toBeNull();
    end?.();
    expect(await limits.begin("lookup")).not.toBeNull();
    await limits.close();
  });

  test("a server whose clock is set back by an hour keeps no caller out for an hour", async () => {
    const place = await create();
    const process = await startProcess(place);
    await process.advance(3_600_000);
    expect((await process.store.admit("a", 1)).state).toBe("admitted");
    expect((await process.freeLimits.admit("tool client")).limits.remaining).toBe(4);
    await place.setTime(0);
    // The slot in flight is leased anew before long: what was started then does not count any more.
    expect(await process.store.admit("a", 2)).toMatchObject({ state: "admitted", limits: { remaining: 1 } });
    expect((await process.freeLimits.admit("tool client")).limits.remaining).toBe(4);
  });

  test("the server's own time is what counts outside of tests", async () => {
    const { url, prefix } = await create();
    const valkey = await openValkey({ url, prefix, clock: systemClock, timeoutMs: PATIENT_MS });
    const { freeLimits, limits, areShared } = await share(valkey, systemClock);
    for (let i = 0; i < 5; i++) expect((await freeLimits.admit("a")).state).toBe("admitted");
    const refused = await freeLimits.admit("a");
    expect(refused).toMatchObject({ state: "refused", limits: { remaining: 0 } });
    expect(refused.limits.resetAfterS).toBeGreaterThan(0);
    expect(refused.limits.resetAfterS).toBeLessThanOrEqual(60);
    expect(areShared()).toBe(true);
    await limits.close();
  });

  test("while the server is away a process keeps its own limits, with what it admitted before, and says so once", async () => {
    const place = await create();
    const { proxy, valkey } = await connectThrough(place, PATIENT_MS);
    // Time stands still but for the looking after the server: nothing leaves a window.
    const clock = { ...systemClock, monotonicMs: () => 1000 };
    const { limits, freeLimits, areShared, warnings, logged } = await share(valkey, clock);
    const other = await startProcess(place);
    const first = await limits.admit("a", 2);
    expect(first.state).toBe("admitted");
    for (let i = 0; i < 3; i++) await freeLimits.admit("tool client");
    await proxy.down();
    expect((await limits.admit("a", 2)).state).toBe("admitted");
    expect(areShared()).toBe(false);
    expect(await limits.admit("a", 2)).toMatchObject({ state: "refused", scope: "requests" });
    for (const state of ["admitted", "admitted", "refused"]) {
      expect((await freeLimits.admit("tool client")).state).toBe(state);
    }
    if (first.state === "admitted") first.release();
    expect(warnings()).toBe(1);
    expect(logged()).not.toContain(place.prefix);
    await proxy.up();
    await vi.waitUntil(areShared, { timeout: PATIENT_MS, interval: 20 });
    expect(warnings()).toBe(1);
    // What it admitted meanwhile counts on, though the server does not know it; others go by the server.
    expect(await limits.admit("a", 2)).toMatchObject({ state: "refused", scope: "requests" });
    expect((await freeLimits.admit("tool client")).state).toBe("refused");
    expect((await freeLimits.admit("tool another")).limits.remaining).toBe(4);
    expect((await other.freeLimits.admit("tool client")).limits.remaining).toBe(1);
    await limits.close();
  });

  test("a server that forgets what it admitted opens no limit, and is away until it keeps what it is told", async () => {
    const place = await create();
    // Four times as fast: how long a server must keep everything is no matter of this test.
    const clock = { ...systemClock, monotonicMs: () => 4 * systemClock.monotonicMs() };
    const options = { url: place.url, prefix: place.prefix, scripts: place.scripts, timeoutMs: PATIENT_MS };
    const valkey = await openValkey({ ...options, clock });
    const admin = new Redis(place.url);
    onTestFinished(() => admin.disconnect());
    const evict = async () => {
      const keys = (await admin.keys(`${place.prefix}*`)).filter((key) => key !== `${place.prefix}now`);
      if (keys.length > 0) await admin.del(...keys);
    };
    const { limits, freeLimits, areShared, warnings } = await share(valkey, clock);
    const still = await share(valkey, { ...systemClock, monotonicMs: () => 1000 });
    const states: string[] = [];
    for (let i = 0; i < 8; i++) {
      await evict();
      states.push(
        (await still.limits.admit("a", 3)).state,
        (await still.freeLimits.admit("tool client")).state,
      );
    }
    const of = (first: number) =>
      states.filter((_, i) => i % 2 === first).filter((state) => state === "admitted");
    expect([of(0).length, of(1).length]).toEqual([3, 5]);
    const isAwayEvicting = async () => {
      await evict();
      return !areShared();
    };
    await vi.waitUntil(isAwayEvicting, { timeout: PATIENT_MS, interval: 1 });
    expect(warnings()).toBe(1);
    await vi.waitUntil(areShared, { timeout: PATIENT_MS, interval: 20 });
    await Promise.all([limits.close(), still.limits.close()]);
    expect((await freeLimits.admit("tool client")).state).toBe("admitted");
  });

  test("what the server refuses takes no place in the process's own limits", async () => {
    const place = await create();
    const { proxy, valkey } = await connectThrough(place, PATIENT_MS);
    const clock = { ...systemClock, monotonicMs: () => 1000 };
    const { limits, freeLimits, areShared } = await share(valkey, clock);
    const other = await startProcess(place);
    for (let i = 0; i < 3; i++) await other.limits.admit("a", 3);
    for (let i = 0; i < 5; i++) await other.freeLimits.admit("tool client");
    for (let i = 0; i < 10; i++) {
      expect((await limits.admit("a", 3)).state).toBe("refused");
      expect((await freeLimits.admit("tool client")).state).toBe("refused");
    }
    await proxy.down();
    await vi.waitUntil(() => !areShared(), { timeout: PATIENT_MS, interval: 20 });
    expect(await limits.admit("a", 3)).toMatchObject({
      state: "admitted",
      limits: { remaining: 2, concurrencyRemaining: 2 },
    });
    expect(await freeLimits.admit("tool client")).toMatchObject({ limits: { remaining: 4 } });
    await limits.close();
  });

  test("it is known that the server is gone without calls", async () => {
    const place = await create();
    const { proxy, valkey } = await connectThrough(place, PATIENT_MS);
    const { limits, areShared, warnings } = await share(valkey, systemClock);
    expect(areShared()).toBe(true);
    await proxy.down();
    await vi.waitUntil(() => !areShared(), { timeout: PATIENT_MS, interval: 20 });
    expect(warnings()).toBe(1);
    await proxy.up();
    await vi.waitUntil(areShared, { timeout: PATIENT_MS, interval: 20 });
    await limits.close();
  });

  test("a server that is silent holds up only those who ask it first, and is taken back when it speaks", async () => {
    const place = await create();
    const { proxy, valkey } = await connectThrough(place, 1000);
    const { limits, areShared } = await share(valkey, systemClock);
    await vi.waitUntil(areShared, { timeout: PATIENT_MS, interval: 20 });
    proxy.freeze();
    expect((await limits.admit("a", 5)).state).toBe("admitted");
    expect(areShared()).toBe(false);
    expect((await limits.admit("a", 5)).state).toBe("admitted");
    proxy.thaw();
    await vi.waitUntil(areShared, { timeout: PATIENT_MS, interval: 20 });
    await limits.close();
  });
});

test("without a server at the start a process keeps its own limits", async () => {
  const valkey = await openValkey({ url: "redis://127.0.0.1:1", clock: systemClock });
  const { limits, freeLimits, areShared, warnings } = await share(valkey, systemClock);
  expect(areShared()).toBe(false);
  expect(await limits.admit("a", 1)).toMatchObject({ state: "admitted" });
  expect(await limits.admit("a", 1)).toMatchObject({ state: "refused" });
  expect(await freeLimits.admit("a")).toMatchObject({ state: "admitted", limits: { remaining: 4 } });
  expect(warnings()).toBe(1);
  await limits.close();
});
