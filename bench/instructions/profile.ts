import { pathToFileURL } from "node:url";

/*
 * What callgrind counted, by function of JavaScript: the engine's own code and all libraries count for the function that
 * called them. Source: https://valgrind.org/docs/manual/cl-format.html
 */

/** Instructions of one function of JavaScript and of all that is no JavaScript below it. */
type Share = {
  /** Function and place: `viewText src/products/views.ts:30`. */
  readonly name: string;
  readonly instructions: number;
  /** The native functions that took most of them, the largest first. */
  readonly within: readonly string[];
};

export type Profile = {
  readonly total: number;
  /** The largest first. */
  readonly shares: readonly Share[];
};

/** What an address of compiled code is called; null when it is none. */
export type NameOf = (address: number) => string | null;

type Graph = {
  readonly own: Map<string, number>;
  /** Caller to called to instructions within. */
  readonly calls: Map<string, Map<string, number>>;
};

/** Reads a dump of one thread. */
export function readProfile(dump: string, nameOf: NameOf): Profile {
  const graph = readGraph(dump, nameOf);
  const { own, calls } = graph;
  const nativePart = nativePartOf(graph);
  const shares: Share[] = [];
  for (const name of new Set([...own.keys(), ...calls.keys()])) {
    if (!isScript(name)) continue;
    const parts = [...(calls.get(name) ?? [])]
      .filter(([called]) => !isScript(called))
      .map(([called, cost]) => ({ called, cost: cost * nativePart(called) }))
      .sort((a, b) => b.cost - a.cost);
    shares.push({
      name: name.slice(SCRIPT.length),
      instructions: (own.get(name) ?? 0) + sum(parts.map(({ cost }) => cost)),
      within: parts.slice(0, 2).map(({ called }) => called),
    });
  }
  return {
    total: sum([...own.values()]),
    shares: shares.sort((a, b) => b.instructions - a.instructions),
  };
}

function readGraph(dump: string, nameOf: NameOf): Graph {
  const names = new Map<string, string>();
  const graph: Graph = { own: new Map(), calls: new Map() };
  const named = (text: string): string => {
    const [, id = "", name] = /^\((\d+)\)(?: (.*))?$/.exec(text) ?? [];
    if (name !== undefined) names.set(id, shortName(name, nameOf));
    return names.get(id) ?? id;
  };
  let caller = "";
  let called = "";
  let isCall = false;
  for (const line of dump.split("\n")) {
    if (line.startsWith("fn=")) caller = named(line.slice(3));
    else if (line.startsWith("cfn=")) called = named(line.slice(4));
    else if (line.startsWith("calls=")) isCall = true;
    else if (/^[\d+*-]/.test(line)) {
      const cost = Number(line.split(" ")[1] ?? 0);
      if (!isCall) add(graph.own, caller, cost);
      else if (caller !== called) add(inner(graph.calls, caller), called, cost);
      isCall = false;
    }
  }
  return graph;
}

const SCRIPT = "script ";
const isScript = (name: string): boolean => name.startsWith(SCRIPT);

/** Without the depth of recursion, which callgrind adds (`'2`), and without the engine's marks for how it was compiled. */
function shortName(name: string, nameOf: NameOf): string {
  const [, address, plain = name] = /^(?:0x([0-9a-f]{8,})|(.*?))(?:'\d+)?$/.exec(name) ?? [];
  const known = address === undefined ? plain : (nameOf(Number.parseInt(address, 16)) ?? name);
  const [, text] = /^JS:[~^+*]?'?(.*)$/.exec(known) ?? [];
  return text === undefined ? known : SCRIPT + text;
}

/** Of what a native function took with all that it called: the part that is no JavaScript, 0 to 1. */
function nativePartOf({ own, calls }: Graph): (name: string) => number {
  const all = [...new Set([...own.keys(), ...calls.keys()])].filter((name) => !isScript(name));
  let parts = new Map(all.map((name) => [name, 1]));
  // Functions call each other in circles: near enough after some rounds.
  for (let round = 0; round < 40; round++) {
    const next = new Map<string, number>();
    for (const name of all) {
      const below = [...(calls.get(name) ?? [])];
      const whole = (own.get(name) ?? 0) + sum(below.map(([, cost]) => cost));
      const script = sum(
        below.map(([called, cost]) => cost * (isScript(called) ? 1 : 1 - (parts.get(called) ?? 1))),
      );
      next.set(name, whole === 0 ? 0 : 1 - script / whole);
    }
    parts = next;
  }
  return (name) => parts.get(name) ?? 1;
}

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

function add(costs: Map<string, number>, name: string, cost: number): void {
  costs.set(name, (costs.get(name) ?? 0) + cost);
}

function inner(calls: Graph["calls"], caller: string): Map<string, number> {
  const known = calls.get(caller) ?? new Map<string, number>();
  calls.set(caller, known);
  return known;
}

/**
 * Names from the engine's own list (`--perf-basic-prof`): `ADDRESS LENGTH NAME` in hexadecimal, one a line, the latest of
 * an address counts. Paths below `root` are shown without it.
 */
export function namesOf(list: string, root: string): NameOf {
  const names = new Map<number, string>();
  const url = pathToFileURL(root).href;
  for (const line of list.split("\n")) {
    const [, address = "", name = ""] = /^([0-9a-f]+) [0-9a-f]+ (.*)$/.exec(line) ?? [];
    if (name !== "") names.set(Number.parseInt(address, 16), name.replaceAll(url, "").replaceAll(root, ""));
  }
  return (address) => names.get(address) ?? null;
}
