import type { ListState } from "../blocklist-index/types.ts";
import type { ListedKind } from "../targets/listed-kinds.ts";
import type { EngineDefinition } from "./definitions.ts";
import { namesFor } from "./dnsbl/zone-questions.ts";
import type { ListAge } from "./feed.ts";
import type { Absence, Verdict } from "./kind.ts";
import type { EngineTarget, IpTarget } from "./target.ts";

/** What is known of one engine at one instant, made once per second and index. */
export type EngineStanding = {
  readonly definition: EngineDefinition;
  readonly state: ListState | null;
  readonly age: ListAge | null;
  readonly absence: Absence | null;
  /** What it says when it does not name the target; null while it cannot answer. */
  readonly miss: Verdict | null;
};

/** Whether an engine has anything to do with the target. Design 3.1, 3.3. */
export function applicability(target: EngineTarget): (standing: EngineStanding) => boolean {
  const kinds = kindsFor(target);
  const ip = ipOf(target);
  return (standing) => {
    const { engine, zone } = standing.definition;
    if (!kinds.has(engine.target)) return false;
    // Bogons are everybody's: no stranger's list can mean this one (design 1.8, 3.4).
    if (ip?.isBogon && engine.builtin) return false;
    if (zone !== null) return namesFor(zone, target).length > 0;
    return engine.target !== "ip" || ip === null || coversFamily(standing, ip);
  };
}

const KINDS: Readonly<Record<EngineTarget["kind"], ReadonlySet<ListedKind>>> = {
  ip: new Set(["ip"]),
  domain: new Set(["domain", "url"]),
  url: new Set(["url", "domain"]),
  email: new Set(["email", "domain", "url"]),
};
const URL_WITH_IP_HOST: ReadonlySet<ListedKind> = new Set(["url", "ip"]);

const kindsFor = (target: EngineTarget): ReadonlySet<ListedKind> =>
  target.kind === "url" && target.host.kind === "ip" ? URL_WITH_IP_HOST : KINDS[target.kind];

function ipOf(target: EngineTarget): IpTarget | null {
  if (target.kind === "ip") return target;
  return target.kind === "url" && target.host.kind === "ip" ? target.host : null;
}

/** A list of one family does not apply to the other; one that holds nothing yet might hold anything. */
function coversFamily({ definition, state }: EngineStanding, { ip, embeddedIpv4 }: IpTarget): boolean {
  const held = state?.loaded && state.families.length > 0 ? state.families : null;
  const families = definition.families ?? held;
  if (families === null) return true;
  return families.includes(ip.version) || (embeddedIpv4 !== null && families.includes("v4"));
}

/** Everything about a target that `applicability` looks at. */
export function sortOf(target: EngineTarget): string {
  const ip = ipOf(target);
  if (ip === null) return target.kind;
  const { version } = ip.ip;
  const sort = (version === "v4" ? 0 : 1) + (ip.embeddedIpv4 === null ? 0 : 2) + (ip.isBogon ? 4 : 0);
  return SORTS_OF_ADDRESSES[target.kind === "ip" ? sort : sort + 8] ?? "";
}

/** Their names, made once: one put together on every call would have to be looked up letter by letter. */
const SORTS_OF_ADDRESSES = Array.from({ length: 16 }, (_, sort) => `address ${sort}`);
