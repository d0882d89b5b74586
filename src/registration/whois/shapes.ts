import type { Entry } from "./outline.ts";
import type { WhoisShape } from "./shape.ts";

/** Registries whose answers need more than the shared tables, one entry each. */
export const WHOIS_SHAPES: readonly WhoisShape[] = [
  { tlds: ["de"], charset: "windows-1252" },
  // AFNIC numbers the delegation's keys.
  { tlds: ["fr", "re", "pm", "tf", "wf", "yt"], reword: rewordFrench },
  // The registrant is the organisation; a person is its contact.
  { tlds: ["au"], labels: { registrant: "registrantOrganization" } },
  { tlds: ["dk"], labels: { dns: "domain" } },
  { tlds: ["jp"], charset: "shift_jis" },
  { tlds: ["kr", "xn--3e0b707e"], charset: "euc-kr" },
  // CNNIC writes Beijing's time without saying so.
  { tlds: ["cn", "xn--fiqs8s", "xn--fiqz9s"], charset: "gb18030", dates: { zoneMinutes: 480 } },
  { tlds: ["tw", "xn--kprw13d", "xn--kpry57d"], charset: "big5" },
  { tlds: ["hk", "xn--j6w193g"], charset: "big5" },
  { tlds: ["ru", "su", "xn--p1ai"], charset: "koi8-r" },
  { tlds: ["pl"], charset: "iso-8859-2" },
  { tlds: ["tr"], charset: "windows-1254" },
  { tlds: ["il"], reword: rewordIsraeli },
];

/** `key1-tag`, `key2-tag`: one statement said again. */
function rewordFrench(entry: Entry): Entry {
  return /^key\d/.test(entry.label) ? { ...entry, label: entry.label.replace(/^key\d+/, "key") } : entry;
}

/** ISOC-IL: one `changed` line for each event, the holder's name in the first `descr`. */
function rewordIsraeli(entry: Entry): Entry {
  const [, date = "", event = ""] =
    /(\d{8}) \((\w+)\)$/.exec(entry.label === "changed" ? entry.value : "") ?? [];
  if (event !== "") return { ...entry, label: event === "Assigned" ? "created" : "updated", value: date };
  return entry.label === "descr" ? { ...entry, label: "registrant name" } : entry;
}

const BY_TLD: ReadonlyMap<string, WhoisShape> = new Map(
  WHOIS_SHAPES.flatMap((shape) => shape.tlds.map((tld) => [tld, shape] as const)),
);
const COMMON: WhoisShape = { tlds: [] };

/** The shape of a domain's registry; one without particulars when it needs none. */
export const shapeOf = (domain: string): WhoisShape =>
  BY_TLD.get(domain.slice(domain.lastIndexOf(".") + 1)) ?? COMMON;
