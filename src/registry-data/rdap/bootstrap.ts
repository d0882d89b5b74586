import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import type { Clock } from "../../base/clock.ts";
import { DAY_MS } from "../../base/durations.ts";
import { type Answer, answered, unavailable } from "../../base/failure.ts";
import type { Log } from "../../base/log.ts";
import { parseJson } from "../../base/parse-json.ts";
import type { Http } from "../../net/http/http-types.ts";
import { onBehalfOf, SERVICE } from "../../net/party.ts";
import { createSharing, promised } from "../../net/sharing.ts";
import { type WaitLimit, within } from "../../net/within.ts";
import { IANA_BOOTSTRAP_URL } from "../options.ts";
import type { RegionalRegistry } from "../types.ts";
import {
  type BootstrapFile,
  type BootstrapTable,
  fileOf,
  isSpecialNumber,
  readBootstrap,
  registryOfHost,
  type Subject,
} from "./bootstrap-table.ts";
import { memberOf } from "./json.ts";
import { readKeptBootstrap, writeKeptBootstrap } from "./kept-bootstrap.ts";

/** Which server to ask about a subject. */
export type Bootstrap = {
  /** Base address, ending in `/`; null: no file names one; `unavailable`: no file that could tell was to be had. */
  readonly serverOf: (subject: Subject, patience: WaitLimit) => Promise<Answer<string | null>>;
  /** As `serverOf`, of the files in memory alone; null also when they do not tell. */
  readonly knownServerOf: (subject: Subject) => string | null;
  /**
   * Of a subject without a known server: whether asking brings nothing now. No file is in memory, or it does not
   * hold an ordinary number, and none is being retrieved or due.
   */
  readonly isAway: (subject: Subject) => boolean;
  /** The regional registry of an AS number by the files in memory; sends no request, null when they do not tell. */
  readonly registryOfAsn: (number: number) => RegionalRegistry | null;
  /** Resolves when no file is being retrieved or written any more. */
  readonly close: () => Promise<void>;
};

export type BootstrapParts = {
  readonly http: Pick<Http, "get">;
  readonly clock: Clock;
  readonly log: Log;
  /** `rdap.bootstrap_url`, ending in `/`. */
  readonly url: string;
  /** Folder of the packed copies of IANA's files (`rdap-dns.br` …). */
  readonly seedDir: string;
  /** Where retrieved files are kept. */
  readonly keptDir: string;
};

/** RFC 9224 8: files are renewed daily. */
const REFRESH_MS = DAY_MS;
const RETRY_MS = 60_000;
const TIMEOUT_MS = 5_000;
const MAX_BYTES = 4 * 1024 * 1024;

type State = {
  table: BootstrapTable | null;
  /** Wall clock; null of the packed copy. */
  retrievedAtMs: number | null;
  /** Monotonic. */
  triedAtMs: number;
  isTrying: boolean;
};

/**
 * IANA's files answer at once from the packed or kept copy and are renewed while they do. Those of an operator's own
 * are retrieved before the first answer: the packed ones would lead elsewhere. What an old copy does not hold is
 * looked for in a new one first. A file that fails leaves the old one. Source: design 10, RFC 9224.
 */
export function createBootstrap(parts: BootstrapParts): Bootstrap {
  const { clock } = parts;
  const states = new Map<BootstrapFile, State>();
  const refreshing = createSharing<void>(undefined);
  const underWay = new Set<Promise<void>>();
  const stateOf = (file: BootstrapFile): State => {
    const state = states.get(file) ?? openState(parts, file);
    states.set(file, state);
    return state;
  };
  const knownServerOf = (subject: Subject) => stateOf(fileOf(subject)).table?.find(subject) ?? null;
  const refresh = (file: BootstrapFile, state: State): Promise<void> =>
    refreshing.ask(file, promised(refreshOf(parts, { file, state, underWay })));
  return {
    serverOf: async (subject, patience) => {
      // Not for public servers: special-purpose numbers go to an operator's own registries at most (design 1).
      if (isSpecialNumber(subject) && parts.url === IANA_BOOTSTRAP_URL) return answered(null);
      const file = fileOf(subject);
      const state = stateOf(file);
      const renewed = refresh(file, state);
      const known = state.table?.find(subject) ?? null;
      if (known !== null) return answered(known);
      await within(renewed, undefined, { ...patience, clock });
      return state.table === null || state.retrievedAtMs === null
        ? lastWord(state, subject)
        : answered(state.table.find(subject));
    },
    knownServerOf,
    isAway: (subject) => isAway(stateOf(fileOf(subject)), subject, clock),
    registryOfAsn: (number) => {
      const url = knownServerOf({ kind: "asn", number });
      return url === null ? null : registryAt(url);
    },
    close: async () => {
      refreshing.close();
      await Promise.allSettled(underWay);
    },
  };
}

type Refresh = {
  readonly file: BootstrapFile;
  readonly state: State;
  readonly underWay: Set<Promise<unknown>>;
};

const refreshOf =
  (parts: BootstrapParts, { file, state, underWay }: Refresh) =>
  async (end: AbortSignal): Promise<void> => {
    if (!isDue(state, parts.clock)) return;
    state.triedAtMs = parts.clock.monotonicMs();
    state.isTrying = true;
    const renewing = onBehalfOf(SERVICE, () => renew(parts, { file, state, end }));
    underWay.add(renewing);
    await renewing.finally(() => {
      underWay.delete(renewing);
      state.isTrying = false;
    });
  };

const registries = new Map<string, RegionalRegistry | null>();
const MAX_REGISTRIES = 100;

/** The registry behind a server's address; the servers are a handful, and every lookup of an address asks. */
function registryAt(url: string): RegionalRegistry | null {
  const known = registries.get(url);
  if (known !== undefined) return known;
  const registry = registryOfHost(new URL(url).hostname);
  if (registries.size < MAX_REGISTRIES) registries.set(url, registry);
  return registry;
}

/** A packed copy is years old: what it holds is right, what it does not hold may exist by now. */
function lastWord({ table }: State, subject: Subject): Answer<string | null> {
  const url = table?.find(subject) ?? null;
  // Without a file that assigns them, special-purpose numbers have no holder.
  if (url !== null || isSpecialNumber(subject)) return answered(url);
  return unavailable("rdap bootstrap", "error", "The list of registries could not be retrieved");
}

/** A name without a server goes to WHOIS, and a special-purpose number has no holder: both are answers. */
const isAway = (state: State, subject: Subject, clock: Clock): boolean =>
  !state.isTrying &&
  !isDue(state, clock) &&
  (state.table === null || (subject.kind !== "domain" && !isSpecialNumber(subject)));

function isDue({ retrievedAtMs, triedAtMs }: State, clock: Clock): boolean {
  if (clock.monotonicMs() - triedAtMs < RETRY_MS) return false;
  const ageMs = retrievedAtMs === null ? null : clock.now().getTime() - retrievedAtMs;
  return ageMs === null || ageMs < 0 || ageMs >= REFRESH_MS; // below 0: the clock was set back
}

/** https always; http only of an operator's own files. */
const judgeOf =
  (url: string) =>
  ({ protocol, hostname }: URL): boolean =>
    hostname !== "" && (protocol === "https:" || (protocol === "http:" && url !== IANA_BOOTSTRAP_URL));

function openState({ url, seedDir, keptDir, log }: BootstrapParts, file: BootstrapFile): State {
  const kept = readKeptBootstrap(keptDir, file, url);
  const table = kept === null ? null : readTable(url, file, kept.content);
  const untried = Number.NEGATIVE_INFINITY;
  if (kept !== null && table !== null)
    return { table, retrievedAtMs: kept.retrievedAtMs, triedAtMs: untried, isTrying: false };
  const packed = url === IANA_BOOTSTRAP_URL ? readPacked(seedDir, file) : null;
  if (packed !== null) log.debug({ file }, "RDAP bootstrap from the packed copy");
  return {
    table: packed === null ? null : readTable(url, file, packed),
    retrievedAtMs: null,
    triedAtMs: untried,
    isTrying: false,
  };
}

const NOTHING: BootstrapTable = { find: () => null };

/** An operator's own list may be empty: no server has those subjects. IANA's empty list is a fault. */
function readTable(url: string, file: BootstrapFile, content: unknown): BootstrapTable | null {
  const services = memberOf(content, "services");
  const isEmpty = Array.isArray(services) && services.length === 0;
  return isEmpty && url !== IANA_BOOTSTRAP_URL ? NOTHING : readBootstrap(file, content, judgeOf(url));
}

const readPacked = (seedDir: string, file: BootstrapFile): unknown =>
  parseJson(brotliDecompressSync(readFileSync(join(seedDir, `rdap-${file}.br`))).toString("utf8"));

async function renew(
  { http, clock, log, url, keptDir }: BootstrapParts,
  { file, state, end }: { file: BootstrapFile; state: State; end: AbortSignal },
): Promise<void> {
  const reply = await http.get({
    url: `${url}${file}.json`,
    headers: { accept: "application/json" },
    maxBytes: MAX_BYTES,
    timeoutMs: TIMEOUT_MS,
    signal: end,
    isOperatorsWord: true,
  });
  if (end.aborted) return;
  if (reply.state === "unavailable" || reply.value.status !== 200) {
    const detail = reply.state === "unavailable" ? reply.detail : `HTTP status ${reply.value.status}`;
    log.warn({ file, detail }, "RDAP bootstrap file not retrieved; the old one stays");
    return;
  }
  const content = jsonOf(reply.value.body.toString("utf8"));
  const table = readTable(url, file, content);
  if (table === null) {
    log.warn({ file }, "RDAP bootstrap file holds no service; the old one stays");
    return;
  }
  state.table = table;
  state.retrievedAtMs = clock.now().getTime();
  try {
    await writeKeptBootstrap(keptDir, file, { url, retrievedAtMs: state.retrievedAtMs, content });
  } catch (error) {
    log.warn({ err: error, file }, "RDAP bootstrap file not kept");
  }
}

function jsonOf(text: string): unknown {
  try {
    return parseJson(text.replace(/^\ufeff/, ""));
  } catch {
    return null; // not JSON: as good as a file without services
  }
}
