import { setImmediate } from "node:timers/promises";
import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { createStoppedClock } from "../../test/servers/dns-client.ts";
import { createIndexBuilds } from "./index-builds.ts";

const log = pino({ level: "silent" });

/** Builds that the test ends by hand. */
function createBuilds() {
  const clock = createStoppedClock();
  const stop = new AbortController();
  const open: PromiseWithResolvers<void>[] = [];
  const builds = createIndexBuilds({ clock, log, signal: stop.signal }, () => {
    const build = Promise.withResolvers<void>();
    open.push(build);
    return build.promise;
  });
  const pass = async (ms: number) => {
    clock.advance(ms);
    await setImmediate();
  };
  return { builds, pass, open, stop };
}

describe("index builds", () => {
  test("requests that come together make one build, a second later", async () => {
    const { builds, pass, open } = createBuilds();
    builds.request();
    await pass(500);
    builds.request();
    builds.request();
    expect(open).toHaveLength(0);
    await pass(500);
    expect(open).toHaveLength(1);
    open[0]?.resolve();
    await pass(60_000);
    expect(open).toHaveLength(1);
  });

  test("requests while one runs make one more, ten seconds after its start", async () => {
    const { builds, pass, open } = createBuilds();
    builds.request();
    await pass(1000);
    builds.request();
    builds.request();
    open[0]?.resolve();
    await pass(9000);
    expect(open).toHaveLength(1);
    await pass(1000);
    expect(open).toHaveLength(2);
  });

  test("never two at once, however long one takes", async () => {
    const { builds, pass, open } = createBuilds();
    builds.request();
    await pass(1000);
    builds.request();
    await pass(60_000);
    const asked = builds.now();
    expect(open).toHaveLength(1);
    open[0]?.resolve();
    await pass(0);
    expect(open).toHaveLength(2);
    open[1]?.resolve();
    await pass(0);
    expect(open).toHaveLength(3);
    open[2]?.resolve();
    await asked;
  });

  test("now() does not wait for the ten seconds, and rejects with the build's failure", async () => {
    const { builds, pass, open } = createBuilds();
    builds.request();
    await pass(1000);
    open[0]?.resolve();
    const asked = builds.now();
    await pass(0);
    expect(open).toHaveLength(2);
    open[1]?.reject(new Error("The disk is full"));
    await expect(asked).rejects.toThrow("The disk is full");
  });

  test("a requested build that fails is tried again after 15 seconds", async () => {
    const { builds, pass, open } = createBuilds();
    builds.request();
    await pass(1000);
    open[0]?.reject(new Error("The disk is full"));
    await pass(0);
    await pass(14_000);
    expect(open).toHaveLength(1);
    await pass(1000);
    expect(open).toHaveLength(2);
  });

  test("none begins after the end", async () => {
    const { builds, pass, open, stop } = createBuilds();
    builds.request();
    stop.abort();
    builds.request();
    await pass(60_000);
    expect(open).toHaveLength(0);
  });
});
