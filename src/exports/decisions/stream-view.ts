import { SCENARIOS } from "./decision.ts";

/** How a bouncer may ask to be told networks: `24`: those of /24 and smaller address by address, no others; `no`: as networks. */
export const EXPANSIONS = ["24", "no"] as const;
/** `ip`: as `24`, for who takes addresses alone and is no firewall: he is told of challenges too. */
export type Expansion = (typeof EXPANSIONS)[number] | "ip";

/** Which decisions of an export a bouncer is sent. */
export type StreamView = {
  readonly expand: Expansion;
  readonly hasIps: boolean;
  readonly hasRanges: boolean;
  /** By place in `SCENARIOS`. */
  readonly scenarios: readonly boolean[];
};

/** Whether every scenario is in it: then what a value is listed for does not matter. */
export const isUnfiltered = ({ scenarios }: StreamView): boolean => !scenarios.includes(false);

/** What is told of a generation: the decisions of a view, and the seconds for which they hold. */
export type Telling = { readonly view: StreamView; readonly durationS: number };

/** The same text for the same: part of file names. A generation may outlast the time for which its decisions were told first. */
export function viewId({ view, durationS }: Telling): string {
  const { expand, hasIps, hasRanges, scenarios } = view;
  const scopes = (hasIps ? "i" : "") + (hasRanges ? "r" : "");
  return `stream~${expand}~${scopes}~${scenarios.map((one) => (one ? "1" : "0")).join("")}~${durationS}`;
}

const VIEW_ID = /^stream~(24|no|ip)~(i?r?)~([01]{15})~(\d{1,8})(?:~from=(\d{1,10}))?$/;

/** Id of the body with what changed since a generation. */
export const deltaId = (telling: Telling, from: number): string => `${viewId(telling)}~from=${from}`;

/** What an id tells, and the generation that its changes are told from; null: a text that is no such id. */
export function parseViewId(id: string): (Telling & { readonly from: number | null }) | null {
  const [, expand, scopes = "", flags = "", durationS, from] = VIEW_ID.exec(id) ?? [];
  if (expand !== "24" && expand !== "no" && expand !== "ip") return null;
  if (flags.length !== SCENARIOS.length) return null;
  return {
    view: {
      expand,
      hasIps: scopes.includes("i"),
      hasRanges: scopes.includes("r"),
      scenarios: [...flags].map((one) => one === "1"),
    },
    durationS: Number(durationS),
    from: from === undefined ? null : Number(from),
  };
}
