import { parseDomain } from "../targets/domain.ts";
import { readIp } from "../targets/ip.ts";
import type { EngineDefinition } from "./definitions.ts";

/** What an operator wants to know of an engine before switching it on. */
export type Offer = {
  /** The publisher by its site's domain, or its account at a code host; null: not known. */
  readonly publisher: string | null;
  /** Name of the key under `engines.keys` that it takes; null: none. */
  readonly takesKey: string | null;
  /** Line of the configuration that switches it on; null where it is on, and where no line does. */
  readonly line: string | null;
};

/** Of some 400 definitions, each of which stays the same until one is switched: to make all takes milliseconds. */
const offers = new WeakMap<EngineDefinition, Offer>();

/** The offer of one engine. A key stands in the line as three dots. */
export function offerOf(definition: EngineDefinition): Offer {
  const known = offers.get(definition);
  if (known !== undefined) return known;
  const { engine, auth } = definition;
  const made = {
    publisher: publisherOf(definition),
    takesKey: auth?.key ?? null,
    line: engine.disabled === null ? null : lineOf(definition),
  };
  offers.set(definition, made);
  return made;
}

function lineOf({ engine, auth, isUnaskable }: EngineDefinition): string | null {
  if (isUnaskable || !engine.builtin) return null;
  return auth?.required === true
    ? `engines: { keys: { ${auth.key}: "…" } }`
    : `engines: { enable: [${engine.key}] }`;
}

/** Sites where the owner of an account is the publisher. */
const CODE_HOSTS = new Set(["raw.githubusercontent.com", "github.com", "gitlab.com", "codeberg.org"]);

function publisherOf({ engine, feed, zone }: EngineDefinition): string | null {
  if (!engine.builtin) return null;
  const source = feed?.source.kind === "web" ? feed.source.url : null;
  for (const text of [source, engine.homepage, engine.reference?.replaceAll("{value}", "x") ?? null]) {
    const url = text === null ? null : URL.parse(text);
    if (url === null) continue;
    const [owner = ""] = url.pathname.split("/").filter((part) => part !== "");
    if (CODE_HOSTS.has(url.hostname))
      return `${owner} (${url.hostname.replace("raw.githubusercontent", "github")})`;
    return siteOf(url.hostname);
  }
  return zone === null ? null : siteOf(zone.zone);
}

const siteOf = (host: string): string =>
  readIp(host) === null ? (parseDomain(host).registeredDomain ?? host) : host;
