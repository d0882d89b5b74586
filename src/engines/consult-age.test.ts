import { afterAll, describe, expect, test } from "vitest";
import { HOUR_MS } from "../base/durations.ts";
import { ask, COMPILED, feed, fileUrl, ipTarget, open, removeWorlds } from "./test-world.ts";

afterAll(removeWorlds);

describe("age", () => {
  const one = { engines: { feeds: [feed("a")] }, lists: { "a.txt": "20.0.0.7\n" } };

  test("a list is fresh, then stale after three intervals and an hour, then gone after seven days", async () => {
    const world = await open({
      engines: { feeds: [feed("a", { url: fileUrl("a.txt") })] },
      lists: one.lists,
    });
    world.clock.ms += 3 * HOUR_MS;
    expect((await ask(world, ipTarget("20.0.0.7"))).verdicts[0]).toMatchObject({
      stale: false,
      dataAgeS: 10_800,
    });
    world.clock.ms += 1000;
    expect((await ask(world, ipTarget("20.0.0.7"))).verdicts[0]).toMatchObject({
      stale: true,
      detected: true,
    });
    world.clock.ms = COMPILED.getTime() + 7 * 24 * HOUR_MS + 1000;
    const { verdicts, absences } = await ask(world, ipTarget("20.0.0.7"));
    expect(verdicts).toEqual([]);
    expect(absences).toMatchObject([
      { status: "stale", since: "2026-11-28T09:00:00Z", detail: "The data is 7 days old" },
    ]);
    expect(world.engines.list()[0]).toMatchObject({ status: "stale", entries: 1 });
  });

  test("a look that found the file unchanged counts as a retrieval", async () => {
    const retrievals = () => ({ retrievedAt: "2026-11-21T14:00:00Z", nextAttempt: "2026-11-21T15:00:00Z" });
    const world = await open({ engines: { feeds: [feed("a")] }, lists: one.lists, retrievals });
    world.clock.ms += 6 * HOUR_MS;
    expect((await ask(world, ipTarget("20.0.0.7"))).verdicts[0]).toMatchObject({
      stale: false,
      dataAgeS: 3600,
    });
    expect(world.engines.list()[0]).toMatchObject({
      status: "ok",
      last_success: "2026-11-21T14:00:00Z",
      next_attempt: "2026-11-21T15:00:00Z",
    });
  });

  test("the publisher's own date counts where it is older", async () => {
    const lists = { "a.txt": "# Generated: 2026-11-20T09:00:00Z\n20.0.0.7\n" };
    const world = await open({ engines: { feeds: [feed("a")] }, lists });
    expect((await ask(world, ipTarget("20.0.0.7"))).verdicts[0]).toMatchObject({
      stale: true,
      dataAgeS: 86_400,
    });
  });

  test("content that has not changed for 30 days is stale however often it is looked at", async () => {
    let confirmed = "2026-11-21T09:00:00Z";
    const world = await open({
      engines: { feeds: [feed("a")] },
      lists: one.lists,
      retrievals: () => ({ retrievedAt: confirmed }),
    });
    world.clock.ms += 31 * 24 * HOUR_MS;
    confirmed = new Date(world.clock.ms).toISOString();
    expect((await ask(world, ipTarget("20.0.0.7"))).verdicts[0]).toMatchObject({ stale: true, dataAgeS: 0 });
  });

  test("a seed counts from its publisher's date, answers as seed, and lasts 400 days", async () => {
    const world = await open({ engines: { builtin: true } });
    const { verdicts } = await ask(world, ipTarget("8.8.8.8"));
    const ipsum = verdicts.find(({ engine }) => engine.key === "ipsum_3");
    const ageS = (COMPILED.getTime() - Date.parse("2026-08-22T01:00:29Z")) / 1000;
    expect(ipsum).toMatchObject({ seed: true, stale: true, dataAgeS: ageS });
    world.clock.ms += 400 * 24 * HOUR_MS;
    const later = await ask(world, ipTarget("8.8.8.8"));
    expect(later.verdicts).toEqual([]);
    expect(later.absences.find(({ engine }) => engine.key === "ipsum_3")).toMatchObject({
      status: "stale",
      since: "2027-09-26T01:00:29Z",
    });
  });
});

describe("engines without an answer", () => {
  test("never retrieved, missing and zones are absences with their reasons, sorted by key", async () => {
    const world = await open({
      engines: {
        disable: ["off"],
        feeds: [
          feed("web", { url: "https://lists.example/x" }),
          feed("off"),
          feed("gone", { url: fileUrl("no-such-file.txt") }),
        ],
        dnsbl: [{ key: "zone", target: "ip", zone: "bl.example" }],
      },
      lists: { "off.txt": "20.0.0.7\n" },
    });
    const { verdicts, absences } = await ask(world, ipTarget("20.0.0.7"));
    expect(verdicts).toEqual([]);
    expect(absences.map(({ engine, status, since, detail }) => [engine.key, status, since, detail])).toEqual([
      ["gone", "error", "2026-11-21T09:00:00Z", "Cannot be used; `repute feeds list` says why"],
      ["web", "error", "2026-11-21T09:00:00Z", "Never retrieved"],
      ["zone", "error", "2026-11-21T09:00:00Z", "There is no resolver"],
    ]);
    expect(world.engines.list().map(({ key, status }) => [key, status])).toEqual([
      ["gone", "error"],
      ["off", "disabled"],
      ["web", "never"],
      ["zone", "error"],
    ]);
  });

  test("a list that was retrieved and is in no index yet is not called never retrieved", async () => {
    const world = await open({
      engines: { feeds: [feed("web", { url: "https://lists.example/x" })] },
      lists: {},
      retrievals: () => ({ lastAttempt: "2026-11-21T08:00:00Z" }),
    });
    const { verdicts, absences } = await ask(world, ipTarget("20.0.0.7"));
    expect(verdicts).toEqual([]);
    expect(absences.map(({ engine, since, detail }) => [engine.key, since, detail])).toEqual([
      ["web", "2026-11-21T08:00:00Z", "Retrieved, but not loaded yet"],
    ]);
    expect(world.engines.list().map(({ key, status }) => [key, status])).toEqual([["web", "error"]]);
  });

  test("the rows of feeds list hold exactly the members of the design", async () => {
    const lists = { "a.txt": "20.0.0.7\nwhat\n" };
    const retrievals = () => ({ nextAttempt: "2026-11-21T10:00:00Z" });
    const world = await open({ engines: { feeds: [feed("a")] }, lists, retrievals });
    expect(world.engines.list()).toEqual([
      {
        key: "a",
        name: "a",
        kind: "feed",
        target: "ip",
        status: "ok",
        entries: 1,
        dropped: 1,
        data_age_s: 0,
        last_success: "2026-11-21T09:00:00Z",
        last_attempt: "2026-11-21T09:00:00Z",
        last_error: null,
        next_attempt: "2026-11-21T10:00:00Z",
        changed_at: "2026-11-21T09:00:00Z",
        seed: false,
      },
    ]);
  });

  test("the same question at the same instant gets the same answer", async () => {
    const world = await open({ engines: { feeds: [feed("a")] }, lists: { "a.txt": "20.0.0.7\n" } });
    expect(await ask(world, ipTarget("20.0.0.7"))).toEqual(await ask(world, ipTarget("20.0.0.7")));
  });
});
