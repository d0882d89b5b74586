import { afterEach, expect, test } from "vitest";
import { systemClock } from "../src/base/clock.ts";
import { forEachDatabase } from "./databases.ts";
import { type Publisher, startPublisher } from "./publishers.ts";
import { onInternet } from "./servers/resolvers.ts";
import { BUILTIN_ZONES, NXDOMAIN, startTestService, until } from "./service.ts";
import { createServicePlace, endServiceProcesses, startServiceProcess } from "./service-process.ts";

// A laboratory of publishers on loopback: thirty-two plain lists, one with a key that is right and one with a key that is
// not, one that takes its time and one that is gone.
const PLAIN = 32;
const SLOW_MS = 2000;
const KEY = "laboratory-key-0123456789";

let publisher: Publisher | null = null;
afterEach(async () => {
  await endServiceProcesses();
  await publisher?.close();
});

const startLaboratory = (): Promise<Publisher> =>
  startPublisher(({ url = "", headers }, response) => {
    const list = `45.45.${url.length}.7\n45.46.0.1\n`;
    if (url === "/gone") response.writeHead(404).end("gone");
    else if (url === "/slow") setTimeout(() => response.end(list), SLOW_MS);
    else if (url.startsWith("/keyed") && (headers["auth-key"] !== KEY || url === "/keyed-refused")) {
      response.writeHead(401).end();
    } else response.writeHead(200, { etag: '"1"' }).end(list);
  });

const pathsOf = (): readonly string[] => [
  ...Array.from({ length: PLAIN }, (_, i) => `/list-${i}`),
  "/keyed",
  "/keyed-refused",
  "/slow",
  "/gone",
];

const enginesOf = ({ url }: Publisher) => ({
  builtin: false,
  keys: { lab: KEY },
  feeds: pathsOf().map((path) => ({
    key: path.slice(1).replace("-", "_"),
    ...{ target: "ip", format: "plain", url: url + path, refresh_minutes: 720 },
    ...(path.startsWith("/keyed") ? { auth: { key: "lab", header: "Auth-Key" } } : {}),
  })),
});

/** Engines by their state. */
async function statesOf(port: number): Promise<ReadonlyMap<string, readonly string[]>> {
  const answer = await (await fetch(`http://127.0.0.1:${port}/api/engines`)).json();
  const engines: { key: string; state: string }[] = Object(answer).data.engines;
  return new Map(
    [...Map.groupBy(engines, ({ state }) => state)].map(([state, group]) => [
      state,
      group.map(({ key }) => key),
    ]),
  );
}

forEachDatabase((dialect, database) => {
  const processes = dialect === "postgres" ? 3 : 1;
  test(`${processes} processes on one database: thirty engines answer within a minute, and each source is asked once`, async () => {
    const laboratory = await startLaboratory();
    publisher = laboratory;
    const file = { engines: enginesOf(laboratory) };
    const startMs = systemClock.monotonicMs();
    const services = await Promise.all(
      Array.from({ length: processes }, async () => {
        const place = await createServicePlace(database, { file });
        return startServiceProcess(place.env);
      }),
    );
    const ports = await Promise.all(services.map(({ listening }) => listening));
    const answering = async (port: number) => (await statesOf(port)).get("ok")?.length ?? 0;
    for (const port of ports) await until(async () => (await answering(port)) >= 30);
    expect(systemClock.monotonicMs() - startMs).toBeLessThan(60_000);
    // The slow one too, and what one process was refused all of them know.
    for (const port of ports) {
      await until(async () => (await answering(port)) === PLAIN + 2);
      const states = await statesOf(port);
      expect(states.get("refused")).toEqual(["keyed_refused"]);
      expect(states.get("error")).toEqual(["gone"]);
      const ready = await (await fetch(`http://127.0.0.1:${port}/readyz`)).json();
      expect(ready).toMatchObject({ lists: { loaded: PLAIN + 2 } });
    }
    const asked = laboratory.asked.map((text): string => JSON.parse(text)[0]);
    expect(asked.toSorted()).toEqual(pathsOf().toSorted());
    expect(laboratory.asked.every((text) => /"user-agent":"Repute\/[^"]*\(\+https:/.test(text))).toBe(true);
    const logs = services.map(({ out }) => out()).join("\n");
    expect(logs).toMatch(/"msg":"\d+ of \d+ lists loaded, \d+ others answer from their shipped copy"/);
  });
});

test("without a network the log says so once, and so do /status and /readyz", async () => {
  const service = await startTestService({
    dns: onInternet(() => NXDOMAIN),
    file: { engines: { disable: BUILTIN_ZONES } },
  });
  try {
    const told = () => [...service.logged().matchAll(/"msg":"(No list could be downloaded[^"]*)"/g)];
    await until(() => told().length > 0);
    const [[, sentence = ""] = []] = told();
    expect(sentence).toMatch(
      /^No list could be downloaded: host names cannot be resolved \(\d\d+ lists\); trying again every 5 minutes$/,
    );
    const count = Number(/\((\d+) lists\)/.exec(sentence)?.[1]);
    const lines = service.logged().split("\n");
    expect(lines.filter((line) => /could not be downloaded|Cannot update a list/.test(line))).toEqual([]);
    expect(told()).toHaveLength(1);
    const ready = await service.call({ method: "GET", path: "/readyz" });
    expect(ready.of("lists", "loaded")).toBe(0);
    expect(ready.of("lists", "total")).toBe(count);
    const status = await (await fetch(`${service.address}/status`)).text();
    expect(status.match(/The host name cannot be resolved/g)?.length).toBe(1);
    expect(status).toContain("Check dns.servers");
    expect(status).toContain(`0 of ${count} lists downloaded`);
  } finally {
    await service.close();
  }
});
