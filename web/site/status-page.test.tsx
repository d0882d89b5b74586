import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import type { FrameOf } from "./frame.ts";
import { StatusPage } from "./status-page.tsx";

const ENGINE = {
  target: "ip",
  entries: 1,
  data_age_s: 60,
  last_error: null,
  last_success: null,
  seed: true,
  history: [],
} as const;
const source = (key: string, status: string, kind = "feed") => {
  return { ...ENGINE, key, name: key, status, kind, history: [] };
};

function textOf(page: Partial<FrameOf<"status">["page"]>): string {
  const frame: FrameOf<"status"> = {
    page: {
      page: "status",
      version: "0.3.0",
      database: true,
      are_limits_shared: null,
      resolver_trouble: null,
      missing: [],
      is_history_known: true,
      lists: { loaded: 0, shipped: 0, total: 0 },
      causes: [],
      engines: [],
      allowlists: [],
      tables: [],
      ...page,
    },
    files: { scripts: [], preloads: [], styles: [] },
    theme: "system",
    path: "/status",
    origin: "http://127.0.0.1",
    version: "0.3.0",
    person: null,
    now: "2026-11-22T09:00:00Z",
  };
  return renderToString(<StatusPage frame={frame} />)
    .replace(/<!-- -->/g, "")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");
}

test("allowlists are counted apart from engines, and do not make up for them", () => {
  const engines = [source("a", "stale"), source("b", "timeout"), source("c", "ok")];
  const text = textOf({ engines, allowlists: [source("d", "ok", "allow"), source("e", "ok", "allow")] });
  expect(text).toContain("1 of 3 engines and 2 of 2 allowlists healthy.");
  expect(text).toContain("Degraded: 2 of 5 sources have a problem");
});

test("lists that were never retrieved are no health, however well the rest is", () => {
  const text = textOf({ engines: [source("a", "ok")], lists: { loaded: 3, shipped: 0, total: 5 } });
  expect(text).toContain("Degraded: 2 lists not loaded yet");
  expect(text).not.toContain("All systems healthy");
});

test("lists that answer from their shipped copy are not called downloaded", () => {
  const text = textOf({ engines: [source("a", "ok")], lists: { loaded: 3, shipped: 2, total: 7 } });
  expect(text).toContain(
    "3 of 7 lists downloaded; 2 others answer from their shipped copy; 2 not loaded yet",
  );
});

test("data that is ready says nothing of engines that are silent", () => {
  const text = textOf({ engines: [source("a", "timeout")] });
  expect(text).toContain("0 of 1 engine healthy.");
  expect(text).toContain("Bundled data ready");
  expect(text).not.toMatch(/complete/);
});

test("tables say how old they are, whether they are the shipped ones, and what went wrong", () => {
  const routes = { key: "table-routes-ipv4", name: "RIPE RIS, IPv4 routes", entries: 1_104_233, seed: false };
  const city = { key: "table-city", name: "DB-IP City Lite", entries: null, seed: true };
  const text = textOf({
    tables: [
      {
        ...city,
        status: "stale",
        data_age_s: 170 * 86_400,
        last_error: "The server answered 503",
        history: [],
      },
      { ...routes, status: "ok", data_age_s: 3600, last_error: null, history: [] },
    ],
  });
  expect(text).toContain(
    "DB-IP City Lite bundled table · The server answered 503 bundled data, old 170 days old",
  );
  expect(text).toContain("RIPE RIS, IPv4 routes 1,104,233 entries healthy 1 h old");
});

test("one entry is singular", () => {
  const state = { status: "ok", data_age_s: 3600, last_error: null, history: [], seed: false };
  const routes = { key: "table-routes-ipv6", name: "RIPE RIS, IPv6 routes", entries: 1, ...state };
  expect(textOf({ tables: [routes] })).toContain("RIPE RIS, IPv6 routes 1 entry healthy");
  const own = { ...source("a", "ok"), is_own: false, entries: 1 };
  expect(textOf({ engines: [own] })).not.toContain("1 entries");
});

test("what is still being prepared is named", () => {
  expect(textOf({ missing: ["lists"] })).toContain("Starting: preparing the bundled data (lists)");
});

test("a resolver that lies is named, and the service is not called well", () => {
  const trouble = 'DNS answers are not trusted: the resolver says that "com" does not exist';
  const text = textOf({ engines: [source("a", "ok")], resolver_trouble: trouble });
  expect(text).toContain(
    "DNS answers are not trusted: the resolver says that &quot;com&quot; does not exist",
  );
  expect(text).toContain("Degraded: DNS does not work");
  expect(textOf({ engines: [source("a", "ok")] })).toContain("DNS working");
});

test("green is for a service all of whose sources answer with data of their age", () => {
  const well = [source("a", "ok"), source("b", "ok")];
  expect(textOf({ engines: well })).toContain("All systems healthy");
  for (const status of ["stale", "never", "timeout", "gone"]) {
    const text = textOf({ engines: [...well, source("c", status)] });
    expect(text).toContain("Degraded: 1 of 3 sources has a problem");
    expect(text).not.toContain("All systems healthy");
  }
});

test("a problem says which source, since when and why", () => {
  const silent = {
    ...source("c", "timeout"),
    last_success: "2026-11-22T06:00:00Z",
    last_error: "No answer in 5 s",
  };
  const text = textOf({ engines: [source("a", "ok"), silent] });
  expect(text).toContain("1 source: timeout · c · No answer in 5 s · last healthy 3 h ago");
});

test("ninety days of a source are a bar whose text says how it fared", () => {
  const history = [
    { day: "2026-11-20", checks: 96, healthy: 96, trouble: null },
    { day: "2026-11-21", checks: 96, healthy: 0, trouble: "timeout" },
    { day: "2026-11-22", checks: 36, healthy: 36, trouble: null },
  ];
  const text = textOf({ engines: [{ ...source("a", "ok"), history }] });
  expect(text).toContain(
    "Healthy in 58 % of the checks on 3 days; trouble on 1 day, last on 2026-11-21: timeout",
  );
});

test("an engine whose last download failed is not called healthy in its row", () => {
  const behind = { ...source("a", "ok"), last_error: "The connection was refused" };
  const text = textOf({ engines: [behind] });
  expect(text).toContain("answering, last download failed");
  expect(text).toContain("The connection was refused");
  expect(textOf({ engines: [source("a", "ok")] })).not.toContain("last download failed");
});
