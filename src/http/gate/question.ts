import type { IncomingHttpHeaders } from "node:http";
import { Refusal } from "../../base/failure.ts";
import { unknownPolicy } from "../../metering/disposition.ts";
import type { Policy } from "../../risk/policy.ts";
import { DEFAULT_POLICY, type Policies } from "../../risk/policy-options.ts";
import { type Ip, readIp } from "../../targets/ip.ts";
import { withoutPort } from "../client-address.ts";

/** Where the gate is; what stands below is the visitor's own path. */
const GATE_PATH = "/api/gate";

/** Whether a request target is the gate's. */
export function isGate(url: string): boolean {
  if (!url.startsWith(GATE_PATH)) return false;
  const next = url.charCodeAt(GATE_PATH.length);
  // The end, "/" or "?".
  return url.length === GATE_PATH.length || next === 47 || next === 63;
}

/** What a proxy asks. */
export type GateQuestion = { readonly ip: Ip; readonly policy: Policy };

export type GateRequest = {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** Who dials. */
  readonly peer: Ip | null;
};

export type QuestionRules = {
  readonly policies: Policies;
  readonly isTrustedProxy: (ip: Ip) => boolean;
};

/**
 * Which address is asked about, and by which policy. The query counts for `/api/gate` itself alone: below it stands what the
 * visitor wrote, so that a query there would let visitors choose their address. Throws VALIDATION.
 */
export function readQuestion({ url, headers, peer }: GateRequest, rules: QuestionRules): GateQuestion {
  const question = url.indexOf("?");
  const query = question === GATE_PATH.length ? url.slice(question + 1) : "";
  const { ips, names } = ONE_ADDRESS.test(query) ? { ips: [query.slice(3)], names: [] } : readQuery(query);
  const name = names.length === 0 ? DEFAULT_POLICY : names.length === 1 ? (names[0] ?? "") : names;
  const policy = typeof name === "string" ? rules.policies.get(name) : undefined;
  if (policy === undefined)
    throw new Refusal("VALIDATION", { faults: [unknownPolicy(rules.policies, name)] });
  return { ip: addressOf({ given: ips, headers, peer }, rules), policy };
}

/** What proxies mostly ask. Read in full it says the same, and takes longer. */
const ONE_ADDRESS = /^ip=[0-9a-fA-F.:]+$/;

/** A misspelt name is refused: passed over, it would judge by another policy than the one that was meant. */
function readQuery(query: string): { readonly ips: readonly string[]; readonly names: readonly string[] } {
  const given = new URLSearchParams(query);
  for (const name of given.keys()) if (name !== "ip" && name !== "policy") throw unknownName(name);
  return { ips: given.getAll("ip"), names: given.getAll("policy") };
}

type Places = Pick<GateRequest, "headers" | "peer"> & { readonly given: readonly string[] };

function addressOf({ given, headers, peer }: Places, { isTrustedProxy }: QuestionRules): Ip {
  const realIp = headers["x-real-ip"];
  const forwarded = headers["x-forwarded-for"];
  const isNamed = given.length > 0 || realIp !== undefined || forwarded !== undefined;
  const isTrusted = peer !== null && isTrustedProxy(peer);
  // To pass over what a stranger says would judge the proxy in place of its visitor, and let everybody in.
  if (isNamed && !isTrusted) throw untrusted(peer);
  if (given.length > 0) return named(given.join(","), "?ip=");
  if (realIp !== undefined) return named([realIp].flat().join(","), "X-Real-IP");
  if (forwarded !== undefined) return rightmost([forwarded].flat().join(","), isTrustedProxy);
  if (peer === null || isTrusted) throw nothingNamed();
  return peer;
}

function named(text: string, where: string): Ip {
  const ip = readIp(text.trim());
  if (ip === null) throw refusal("address_malformed", `${where} holds no IP address: "${text.slice(0, 60)}"`);
  return ip;
}

/** The last entry that is no trusted proxy; where all are, the first of them. */
function rightmost(forwarded: string, isTrusted: (ip: Ip) => boolean): Ip {
  const entries = forwarded.split(",");
  let ip = named(withoutPort(entries.pop() ?? ""), "X-Forwarded-For");
  while (isTrusted(ip)) {
    const entry = entries.pop();
    if (entry === undefined) return ip;
    ip = named(withoutPort(entry), "X-Forwarded-For");
  }
  return ip;
}

const untrusted = (peer: Ip | null): Refusal =>
  refusal(
    "proxy_untrusted",
    `The gate is told addresses by the networks of server.trust_proxy alone, and ${peer?.text ?? "this peer"} is in none of them`,
  );

const nothingNamed = (): Refusal =>
  refusal("address_missing", "Name the visitor's address: ?ip=, X-Real-IP or X-Forwarded-For");

const unknownName = (name: string): Refusal =>
  refusal(
    "unknown_name",
    `The gate has no "${name.slice(0, 60)}" in its query; it has ip, policy`,
    name.slice(0, 60),
  );

const refusal = (reason: string, msg: string, where = "ip"): Refusal =>
  new Refusal("VALIDATION", {
    faults: [{ loc: ["query", where], msg, type: "value_error", input: null, ctx: { reason } }],
  });
