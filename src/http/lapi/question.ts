import { Refusal } from "../../base/failure.ts";
import { ORIGIN, SCENARIOS } from "../../exports/decisions/decision.ts";
import { EXPANSIONS, type Expansion, type StreamView } from "../../exports/decisions/stream-view.ts";

/** Whether a request target is one of bouncers, whose `api_url` points here. */
export const isLapi = (url: string): boolean => url.startsWith("/lapi/") || /^\/lapi(?:\?|$)/.test(url);

/** Every parameter that bouncers of CrowdSec send or that means something here: a misspelled filter must not let everything in. */
const PARAMETERS = new Set([
  ...["startup", "scopes", "scope", "origins", "scenarios_containing", "scenarios_not_containing"],
  ...["export", "expand", "ip", "range", "value", "type", "contains"],
  // Of CrowdSec's own sources, which there are none of here.
  ...["dedup", "additional_pull", "community_pull"],
  // Bouncers of Traefik send banned=true to decisions, all of which block or challenge here.
  "banned",
]);

/** What a bouncer asks, from its path, query and user agent. */
export type LapiQuestion = {
  /** `decisions/stream`, `decisions`, `usage-metrics`, or a route that is not served here. */
  readonly route: string;
  /** Null: the first export that a bouncer can enforce. */
  readonly exportName: string | null;
  readonly view: StreamView;
  /** It wants everything. */
  readonly isStartup: boolean;
  /** The one value of a parameter; null: it was not given. Throws VALIDATION for several. */
  readonly parameter: (name: string) => string | null;
};

// Bouncers build their URLs from `api_url` alone, so that what they cannot put in a query stands in the path.
const PATH =
  /^\/lapi\/(?:([a-z0-9][a-z0-9_-]{0,62})\/)?(?:expand=([a-z0-9]{1,4})\/)?v1\/([a-z0-9/_-]{1,64})$/;

/** CrowdSec's own bouncer for firewalls puts single addresses into sets alone, and of a network its first address. */
export const isFirewallBouncer = (userAgent: string): boolean =>
  userAgent.startsWith("crowdsec-firewall-bouncer");

/** Reads a request target. Throws VALIDATION, whose message says what is wrong; FORBIDDEN for a path outside the API. */
export function readLapiQuestion(url: string, userAgent: string): LapiQuestion {
  const mark = url.indexOf("?");
  const [, inPath = null, expandInPath = null, route] = PATH.exec(mark < 0 ? url : url.slice(0, mark)) ?? [];
  if (route === undefined) throw notServed();
  const query = new URLSearchParams(mark < 0 ? "" : url.slice(mark + 1));
  for (const name of query.keys()) {
    if (!PARAMETERS.has(name)) throw invalid(`There is no parameter "${name.slice(0, 60)}"`);
  }
  const parameter = (name: string): string | null => {
    const [value = null, second] = query.getAll(name);
    if (second !== undefined) throw invalid(`The parameter "${name}" is given more than once`);
    return value;
  };
  const startup = parameter("startup") ?? "false";
  if (startup !== "true" && startup !== "false") throw invalid("Expected of startup: true or false");
  if ((parameter("banned") ?? "true") !== "true") throw invalid("Expected of banned: true");
  return {
    route,
    exportName: oneOf("export", inPath, parameter("export")),
    isStartup: startup === "true",
    view: readView(parameter, oneOf("expand", expandInPath, parameter("expand")), userAgent),
    parameter,
  };
}

/** LAPI's answer to what a credential may not do. */
export const notServed = (): Refusal =>
  new Refusal("FORBIDDEN", {
    message:
      "Only decisions/stream, decisions (GET, HEAD) and usage-metrics (POST) are served below /lapi/v1/",
  });

type Parameter = LapiQuestion["parameter"];

/** What path and query may both say, and then alike. */
function oneOf(name: string, inPath: string | null, inQuery: string | null): string | null {
  if (inPath !== null && inQuery !== null && inPath !== inQuery)
    throw invalid(`The path says ${name} "${inPath}" and the query "${inQuery.slice(0, 60)}"`);
  return inPath ?? inQuery;
}

function readView(parameter: Parameter, expand: string | null, userAgent: string): StreamView {
  const origins = listOf(parameter("origins"));
  if (origins !== null && !origins.includes(ORIGIN)) {
    throw invalid(`No decision has one of these origins: here there is ${ORIGIN} alone`);
  }
  const scopes = listOf(parameter("scopes") ?? parameter("scope"))?.map((one) => one.toLowerCase()) ?? null;
  if (scopes !== null && !scopes.includes("ip") && !scopes.includes("range")) {
    throw invalid("No decision has one of these scopes: here there are ip and range");
  }
  const hasRanges = scopes?.includes("range") ?? true;
  return {
    // Who takes addresses alone would not learn of one that stands in a network here, with its neighbours.
    expand: readExpansion(expand, userAgent, hasRanges),
    hasIps: scopes?.includes("ip") ?? true,
    hasRanges,
    scenarios: readScenarios(parameter),
  };
}

/** Throws VALIDATION for filters that let nothing through: a bouncer would take its empty list for what is blocked now. */
function readScenarios(parameter: Parameter): readonly boolean[] {
  const containing = listOf(parameter("scenarios_containing"));
  const excluded = listOf(parameter("scenarios_not_containing"));
  const scenarios = SCENARIOS.map(
    (scenario) =>
      (containing?.some((part) => scenario.includes(part)) ?? true) &&
      !(excluded?.some((part) => scenario.includes(part)) ?? false),
  );
  if (scenarios.includes(true)) return scenarios;
  throw invalid(`No decision has such a scenario: here there are ${SCENARIOS.join(", ")}`);
}

/** The members of a list; a text without any is a parameter that was not given, as bouncers send it. */
function listOf(text: string | null): readonly string[] | null {
  const members = (text ?? "")
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");
  return members.length === 0 ? null : members;
}

function readExpansion(text: string | null, userAgent: string, hasRanges: boolean): Expansion {
  if (text === null) return isFirewallBouncer(userAgent) ? "24" : hasRanges ? "no" : "ip";
  const known = EXPANSIONS.find((one) => one === text);
  if (known === undefined) throw invalid(`Expected of expand: ${EXPANSIONS.join(" or ")}`);
  return known === "no" && !hasRanges ? "ip" : known;
}

/** The refusal of a parameter. */
export const invalid = (message: string): Refusal => new Refusal("VALIDATION", { message });
