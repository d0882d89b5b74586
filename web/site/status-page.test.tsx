import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import type { EngineView } from "./engine-states.tsx";
import type { FrameOf } from "./frame.ts";
import { StatusPage } from "./status-page.tsx";

const ENGINE = { target: "ip", entries: 1, data_age_s: 60, last_error: null, seed: true } as const;
const source = (key: string, status: string, kind = "feed"): EngineView => {
  return { ...ENGINE, key, name: key, status, kind };
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
      lists: { loaded: 0, total: 0 },
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
  expect(text).toContain("1 of 3 engines and 2 of 2 allowlists well.");
  expect(text).toContain("The service answers; most of its engines have old data or none");
});

test("data that is ready says nothing of engines that are silent", () => {
  const text = textOf({ engines: [source("a", "timeout")] });
  expect(text).toContain("0 of 1 engine well.");
  expect(text).toContain("Shipped data ready");
  expect(text).not.toMatch(/complete/);
});

test("tables say how old they are, whether they are the shipped ones, and what went wrong", () => {
  const routes = { key: "table-routes-ipv4", name: "RIPE RIS, IPv4 routes", entries: 1_104_233, seed: false };
  const city = { key: "table-city", name: "DB-IP City Lite", entries: null, seed: true };
  const text = textOf({
    tables: [
      { ...city, status: "stale", data_age_s: 170 * 86_400, last_error: "The server answered 503" },
      { ...routes, status: "ok", data_age_s: 3600, last_error: null },
    ],
  });
  expect(text).toContain(
    "DB-IP City Lite shipped table · The server answered 503 shipped data, old 170 days old",
  );
  expect(text).toContain("RIPE RIS, IPv4 routes 1,104,233 entries well 1 h old");
});

test("what is still being prepared is named", () => {
  expect(textOf({ missing: ["lists"] })).toContain("Shipped data being prepared: lists");
});

test("a resolver that lies is named, and the service is not called well", () => {
  const trouble = 'DNS answers are not trusted: the resolver says that "com" does not exist';
  const text = textOf({ engines: [source("a", "ok")], resolver_trouble: trouble });
  expect(text).toContain(
    "DNS answers are not trusted: the resolver says that &quot;com&quot; does not exist",
  );
  expect(text).toContain("A part of the service is away");
  expect(textOf({ engines: [source("a", "ok")] })).toContain("DNS working");
});
