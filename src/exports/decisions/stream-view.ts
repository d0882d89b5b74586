import { SCENARIOS } from "./decision.ts";

/** How a bouncer is told networks: `24`: those of /24 and smaller address by address, no others; `no`: as networks. */
export const EXPANSIONS = ["24", "no"] as const;
export type Expansion = (typeof EXPANSIONS)[number];

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

/** The same text for the same view: part of file names. */
export function viewId({ expand, hasIps, hasRanges, scenarios }: StreamView): string {
  const scopes = (hasIps ? "i" : "") + (hasRanges ? "r" : "");
  return `stream~${expand}~${scopes}~${scenarios.map((one) => (one ? "1" : "0")).join("")}`;
}

const VIEW_ID = /^stream~(24|no)~(i?r?)~([01]{15})(?:~from=(\d{1,10}))?$/;

/** Id of the body with what changed since a generation. */
export const deltaId = (view: StreamView, from: number): string => `${viewId(view)}~from=${from}`;

/** The view of an id, and the generation that its changes are told from; null: a text that is no such id. */
export function parseViewId(id: string): { readonly view: StreamView; readonly from: number | null } | null {
  const [, expand, scopes = "", flags = "", from] = VIEW_ID.exec(id) ?? [];
  if (expand !== "24" && expand !== "no") return null;
  if (flags.length !== SCENARIOS.length) return null;
  return {
    view: {
      expand,
      hasIps: scopes.includes("i"),
      hasRanges: scopes.includes("r"),
      scenarios: [...flags].map((one) => one === "1"),
    },
    from: from === undefined ? null : Number(from),
  };
}
