import type { OutlineEntry } from "./outline.ts";
import type { WhoisShape } from "./shape.ts";

/**
 * Registries whose answers need more than the shared tables, one entry each. Source of the character sets: the list of
 * servers of Debian's `whois` (`servers_charset_list`), with what the same registries sent before they changed to UTF-8.
 */
const WHOIS_SHAPES: readonly WhoisShape[] = [
  // AFNIC numbers the delegation's keys.
  { tlds: ["fr", "re", "pm", "tf", "wf", "yt"], reword: rewordFrench },
  // The registrant is the organisation; a person is its contact.
  { tlds: ["au"], labels: { registrant: "registrantOrganization" } },
  { tlds: ["dk"], labels: { dns: "domain" } },
  {
    tlds: ["dz", "xn--lgbbat1ad8j"],
    labels: { description: "registrantOrganization", organisme: "registrantOrganization" },
  },
  // Freenom and who runs its software.
  { tlds: ["cf", "gq", "tk"], dates: { order: "month" } },
  // Were Freenom's, and are others' now.
  { tlds: ["ga", "ml"], dates: { order: undefined } },
  { tlds: ["my"], reword: rewordMalaysian },
  // Tonic: nothing but the name's first label and a name server in each line.
  { tlds: ["to"], rewrite: rewriteTongan },
  // JPRS answers in ISO-2022-JP, which is known by its escapes.
  { tlds: ["jp"], charsets: ["euc-jp", "shift_jis"] },
  { tlds: ["kr", "xn--3e0b707e"], charsets: ["euc-kr"] },
  // CNNIC writes Beijing's time without saying so.
  { tlds: ["cn", "xn--fiqs8s", "xn--fiqz9s"], charsets: ["gb18030"], dates: { zoneMinutes: 480 } },
  { tlds: ["tw", "xn--kprw13d", "xn--kpry57d"], charsets: ["big5"] },
  { tlds: ["hk", "xn--j6w193g"], charsets: ["big5"] },
  { tlds: ["ru", "su", "xn--p1ai"], charsets: ["koi8-r"] },
  { tlds: ["ua"], charsets: ["koi8-u"] },
  { tlds: ["kg"], charsets: ["windows-1251"] },
  { tlds: ["hu", "pl"], charsets: ["iso-8859-2"] },
  // ISO-8859-9 with Microsoft's additions.
  { tlds: ["tr"], charsets: ["windows-1254"] },
  { tlds: ["th"], charsets: ["windows-874"] },
  { tlds: ["il"], reword: rewordIsraeli },
];

/** `key1-tag`, `key2-tag`: one statement said again. */
function rewordFrench(entry: OutlineEntry): OutlineEntry {
  return /^key\d/.test(entry.label) ? { ...entry, label: entry.label.replace(/^key\d+/, "key") } : entry;
}

/** ISOC-IL: one `changed` line for each event, the holder's name in the first `descr`. */
function rewordIsraeli(entry: OutlineEntry): OutlineEntry {
  const [, date = "", event = ""] =
    /(\d{8}) \((\w+)\)$/.exec(entry.label === "changed" ? entry.value : "") ?? [];
  if (event !== "") return { ...entry, label: event === "Assigned" ? "created" : "updated", value: date };
  return entry.label === "descr" ? { ...entry, label: "registrant name" } : entry;
}

/** Each of Tonic's lines as the two statements that it makes. */
function rewriteTongan(text: string): string {
  return text.replace(
    /^([a-z\d-]{1,63}) ([a-z\d-]{1,63}\.[a-z\d.-]{1,189})$/gim,
    "Domain: $1.to\nName Server: $2",
  );
}

/** MYNIC: the code of a host or an organisation above its name. */
function rewordMalaysian(entry: OutlineEntry): OutlineEntry {
  if (/^[A-Z\d]{1,20}\.(?:CON|ORG|SER)$/.test(entry.value)) return { ...entry, label: "handle" };
  return entry.label === "registrant code" ? { ...entry, label: "registrant organization" } : entry;
}

const BY_TLD: ReadonlyMap<string, WhoisShape> = new Map(
  WHOIS_SHAPES.flatMap((shape) => shape.tlds.map((tld) => [tld, shape] as const)),
);
const COMMON: WhoisShape = { tlds: [] };

/** The shape of a domain's registry; one without particulars when it needs none. */
export const shapeOf = (domain: string): WhoisShape =>
  BY_TLD.get(domain.slice(domain.lastIndexOf(".") + 1)) ?? COMMON;
