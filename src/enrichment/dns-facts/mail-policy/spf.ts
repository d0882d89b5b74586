import { type DnsRecords, isAnswered, type LookupTime, type Resolved } from "../resolve.ts";
import { MAX_POLICY_OCTETS, type PolicyText, policyTexts } from "./policy-text.ts";
import type { Spf, SpfAll } from "./shapes.ts";
import { isSpf, parseSpfRecord, type SpfRecord } from "./spf-record.ts";
import { findVoidLookups } from "./spf-voids.ts";

/** RFC 7208, 4.6.4. */
const MAX_LOOKUPS = 10;
const MAX_ERRORS = 10;

const NONE: Spf = { present: false, record: null, valid: false, all: null, lookups: 0, errors: [] };

/**
 * The SPF policy of a name, by its TXT records, with all that it includes: as a receiver whose message matches
 * nothing would read it. Records of one depth are asked for at once. Source: RFC 7208, design 6.1.
 */
export async function lookUpSpf(
  txt: { readonly name: string; readonly found: Resolved<"TXT"> },
  deps: { readonly dnsRecords: DnsRecords },
  time: LookupTime,
): Promise<Spf> {
  if (!isAnswered(txt.found)) {
    return {
      ...NONE,
      present: null,
      valid: null,
      lookups: null,
      errors: [`${txt.name}: ${txt.found.outcome}`],
    };
  }
  const records = policyTexts(txt.found, isSpf);
  const [record] = records;
  if (record === undefined) return NONE;
  if (records.length > 1) {
    const errors = [`${records.length} SPF records where only one may be`];
    return { ...NONE, present: true, record: record.shown, errors };
  }
  const root = nodeOf(txt.name, record, []);
  const tree = await walk(root, deps, time);
  return {
    present: true,
    record: record.shown,
    valid: tree.errors.length > 0 ? false : tree.failures.length > 0 ? null : true,
    all: allOf(root),
    lookups: tree.lookups,
    errors: [...tree.errors, ...tree.failures].slice(0, MAX_ERRORS),
  };
}

/** One record of the tree. */
type Node = {
  readonly name: string;
  readonly spf: SpfRecord;
  readonly isCut: boolean;
  readonly ancestors: readonly string[];
  /** The record that `redirect` leads to, once it is there. */
  redirected: Node | null;
};

/** Of a record that is cut the last term may be half a term: it is left out. */
const nodeOf = (name: string, { octets, isCut }: PolicyText, ancestors: readonly string[]): Node => ({
  name,
  spf: parseSpfRecord(isCut ? octets.slice(0, octets.lastIndexOf(" ")) : octets),
  isCut,
  ancestors: [...ancestors, name],
  redirected: null,
});

function allOf({ spf, redirected }: Node): SpfAll | null {
  return spf.all ?? (redirected === null ? null : allOf(redirected));
}

type Tree = {
  lookups: number;
  readonly errors: string[];
  /** What DNS did not answer, or is too long to be read. */
  readonly failures: string[];
};

async function walk(root: Node, deps: { readonly dnsRecords: DnsRecords }, time: LookupTime): Promise<Tree> {
  const tree: Tree = { lookups: 0, errors: [], failures: [] };
  const nodes: Node[] = [];
  for (let level: readonly Node[] = [root]; level.length > 0; ) {
    for (const { name, spf, isCut } of level) {
      tree.lookups += spf.lookups;
      tree.errors.push(...spf.errors.map((error) => `${name}: ${error}`));
      if (isCut) tree.failures.push(`${name}: only the first ${MAX_POLICY_OCTETS} octets are read`);
    }
    if (tree.lookups > MAX_LOOKUPS) {
      tree.errors.push(`More than ${MAX_LOOKUPS} DNS lookups`);
      return tree;
    }
    nodes.push(...level);
    const children = await Promise.all(level.flatMap((node) => childrenOf(node, deps, time)));
    for (const child of children) {
      if (child.state === "error") tree.errors.push(child.text);
      if (child.state === "failure") tree.failures.push(child.text);
    }
    level = children.flatMap((child) => (child.state === "node" ? [child.node] : []));
  }
  // A record with errors is evaluated by no receiver: its hosts need not be asked for.
  if (tree.errors.length > 0) return tree;
  const hosts = nodes.flatMap(({ name, spf }) =>
    spf.hosts.map((host) => ({ kind: host.kind, name: host.name ?? name })),
  );
  const voids = await findVoidLookups(hosts, deps, time);
  tree.errors.push(...voids.errors);
  tree.failures.push(...voids.failures);
  return tree;
}

type Child =
  | { readonly state: "node"; readonly node: Node }
  | { readonly state: "error" | "failure"; readonly text: string };

function childrenOf(
  node: Node,
  { dnsRecords }: { readonly dnsRecords: DnsRecords },
  time: LookupTime,
): Promise<Child>[] {
  const { includes, redirect } = node.spf;
  const targets = redirect === null ? includes : [...includes, redirect];
  return targets.map(async (target, i): Promise<Child> => {
    if (node.ancestors.includes(target)) {
      return { state: "error", text: `${node.name}: "${target}" leads back to itself` };
    }
    const child = readChild(target, node.ancestors, await dnsRecords.resolve(target, "TXT", time));
    if (child.state === "node" && i === includes.length) node.redirected = child.node;
    return child;
  });
}

function readChild(name: string, ancestors: readonly string[], found: Resolved<"TXT">): Child {
  if (!isAnswered(found)) return { state: "failure", text: `${name}: ${found.outcome}` };
  const texts = policyTexts(found, isSpf);
  const [text] = texts;
  if (text === undefined) return { state: "error", text: `${name}: no SPF record` };
  if (texts.length > 1) return { state: "error", text: `${name}: ${texts.length} SPF records` };
  return { state: "node", node: nodeOf(name, text, ancestors) };
}
