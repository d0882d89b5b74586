import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { type Clock, systemClock } from "../src/base/clock.ts";
import { unavailable } from "../src/base/failure.ts";
import { createLog } from "../src/base/log.ts";
import { createHttp } from "../src/net/http/http.ts";
import { createRegistrations, type Registrations } from "../src/registry-data/lookup.ts";
import type { WhoisLookup } from "../src/registry-data/outcome.ts";
import { createDialing } from "./servers/dialing.ts";
import {
  NOT_FOUND,
  startRdapServer,
  type TestRdapBehaviour,
  type TestRdapServer,
} from "./servers/rdap-server.ts";

/** A recording of `test/fixtures/rdap`. */
export const recorded = (name: string): object =>
  JSON.parse(readFileSync(fileURLToPath(new URL(`fixtures/rdap/${name}.json`, import.meta.url)), "utf8"));

/** A server's answer with a recording, some of its members replaced. */
export const json = (name: string, members: object = {}): TestRdapBehaviour => ({
  json: { ...recorded(name), ...members },
});
/** WHOIS that gives nothing. */
const silentWhois: WhoisLookup = async () => unavailable("whois", "error", "No WHOIS server is known");

/** A clock of which a test moves the time, while waiting stays real. */
function movedClock(): Clock & { readonly move: (ms: number) => void } {
  let movedMs = 0;
  return {
    now: () => new Date(Date.parse("2026-11-21T09:00:00Z") + movedMs),
    monotonicMs: () => systemClock.monotonicMs() + movedMs,
    sleep: systemClock.sleep,
    move: (ms) => {
      movedMs += ms;
    },
  };
}

/** Registries on loopback: every path not named here is a 404. */
export async function world(
  paths: (server: TestRdapServer) => Readonly<Record<string, TestRdapBehaviour>>,
  { whois = silentWhois, clock = movedClock(), keptDir = folder(), bootstrapUrl = "" } = {},
) {
  const server = await startRdapServer();
  const table = new Map(Object.entries(paths(server)));
  server.use((path) => table.get(path) ?? NOT_FOUND);
  const { dialer } = await createDialing();
  const http = createHttp({ dialer, clock: systemClock, caFile: null, userAgent: "Repute/test" });
  const registrations = createRegistrations({
    http,
    whois,
    clock,
    log: createLog({ level: "silent" }),
    bootstrapUrl: bootstrapUrl === "" ? server.url : bootstrapUrl,
    seedDir: fileURLToPath(new URL("../seed", import.meta.url)),
    keptDir,
  });
  for (const close of [server.close, http.close, registrations.close]) onTestFinished(close);
  return { server, clock, table, registrations };
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "repute-rdap-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** An asker with all the time in the world. */
export const patiently = (): Parameters<Registrations["domain"]>[1] => ({
  signal: new AbortController().signal,
  deadlineMs: systemClock.monotonicMs() + 1e9,
});
