/**
 * Rebuilds seed/ and NOTICE from a folder of the publishers' files: `node scripts/build-seed.ts DATA_DIR`.
 * Packed text is sorted, so that equal data gives equal files. Takes minutes: brotli 11 with the largest window.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { stringify } from "yaml";
import { type AddressEntry, readAddressEntries } from "../src/feeds/addresses.ts";
import { feedTextOf } from "../src/feeds/feed-text.ts";
import { hosts } from "../src/feeds/formats/hosts.ts";
import { rowsOf } from "../src/feeds/formats/rows.ts";
import { readName } from "../src/feeds/names.ts";
import { readSeedManifest } from "../src/feeds/retrieval/manifest.ts";
import { formatIpv4, formatIpv6 } from "../src/targets/ip.ts";
import { noticeText } from "./notice.ts";
import { type SeedSource, seedSources } from "./seed-sources.ts";

const root = join(import.meta.dirname, "..");
const seedDir = join(root, "seed");
const [dataDir] = process.argv.slice(2);
if (dataDir === undefined) {
  console.error("Usage: build-seed.ts DATA_DIR");
  process.exit(2);
}

type Packed = { readonly text: string; readonly entries: number };

const readText = (path: string): string =>
  readFileSync(path.startsWith("own:") ? join(seedDir, "own", path.slice(4)) : join(dataDir, path), "utf8");

/** Rows of all files of a source, comments kept apart. */
function* rowsOfSource(source: SeedSource): Generator<{ text: string; comment: string }> {
  for (const path of source.from) {
    for (const row of rowsOf(feedTextOf(Buffer.from(readText(path))))) {
      if ("dropped" in row) throw new Error(`${path}: line too long: ${row.dropped}`);
      yield row;
    }
  }
}

const mispList = (name: string): string[] => {
  const { list } = JSON.parse(readText(`warninglists/${name}.json`)) as { list: unknown[] };
  return list.map(String);
};

const nameSet = (names: readonly string[]): Set<string> =>
  new Set(names.flatMap((name) => readName(name) ?? []));

/** Names under which strangers publish: a list that has one means a page or a customer, not the service. */
const sharedServices = nameSet([
  ...["url-shortener", "link-in-bio", "lots-project", "dynamic-dns", "cisco_top1000"].flatMap(mispList),
  ...(JSON.parse(readText("polkadot/all.json")) as { allow: string[] }).allow,
]);

const inAny =
  (networks: readonly AddressEntry[]) =>
  (value: number): boolean =>
    networks.some(
      (n) => n.family === "v4" && (n.prefix === 0 || (value ^ n.value) >>> (32 - n.prefix) === 0),
    );

const isSinkhole = inAny(mispList("sinkholes").flatMap(readAddressEntries));
const isPublicDns = inAny(
  [...rowsOf(feedTextOf(Buffer.from(readText("own:public-dns.txt"))))].flatMap((row) =>
    "dropped" in row ? [] : readAddressEntries(row.text),
  ),
);
const isTorRange = inAny(readAddressEntries("185.220.100.0/22"));
const microsofts = ["4", "6"].flatMap((family) =>
  [...rowsOf(feedTextOf(Buffer.from(readText(`ipranges/microsoft.ipv${family}_merged.txt`))))].flatMap(
    (row) => ("dropped" in row ? [] : readAddressEntries(row.text)),
  ),
);

const bitsOf = (entry: AddressEntry): string =>
  (entry.family === "v4" ? [entry.value] : entry.family === "v6" ? [...entry.words] : [])
    .map((word) => word.toString(2).padStart(32, "0"))
    .join("");

/** Whether an address or network lies whole in one of Microsoft's. */
const isMicrosofts = (entry: AddressEntry): boolean =>
  microsofts.some(
    (network) =>
      network.family !== "asn" &&
      entry.family === network.family &&
      entry.prefix >= network.prefix &&
      bitsOf(entry).startsWith(bitsOf(network).slice(0, network.prefix)),
  );

function isMendedAway(entry: AddressEntry, source: SeedSource): boolean {
  if (source.fix === "azure") return textOf(entry).includes("/") && isMicrosofts(entry);
  if (entry.family !== "v4") return false;
  if (source.fix === "sinkholes") return isSinkhole(entry.value) || isPublicDns(entry.value);
  return source.fix === "tor_range" && isTorRange(entry.value);
}

const textOf = (entry: AddressEntry): string => {
  if (entry.family === "asn") return `AS${entry.asn}`;
  const full = entry.family === "v4" ? 32 : 128;
  const address = entry.family === "v4" ? formatIpv4(entry.value) : formatIpv6(entry.words);
  return entry.prefix === full ? address : `${address}/${entry.prefix}`;
};

/** Addresses first by family, then by value, the wider network first. */
const sortKey = (entry: AddressEntry): string => {
  if (entry.family === "asn") return `0${String(entry.asn).padStart(10, "0")}`;
  const words = entry.family === "v4" ? [entry.value] : entry.words;
  const digits = words.map((word) => word.toString(16).padStart(8, "0")).join("");
  return `${entry.family === "v4" ? 1 : 2}${digits}${String(entry.prefix).padStart(3, "0")}`;
};

type AddressRow = { readonly text: string; readonly key: string; readonly comment: string };

/** Of doubles the one with a comment stays; misspelt rows (`C91.196.152.28`, `1.2.3.4/path`) are corrected. */
function packAddresses(rows: Iterable<{ text: string; comment: string }>, source: SeedSource): Packed {
  const byText = new Map<string, AddressRow>();
  const dropped: string[] = [];
  for (const { text, comment } of rows) {
    const token = text.split(/\s+/)[0] ?? "";
    const corrected = token
      .replace(/^[A-Z](?=\d)/, "")
      .replace(/^(\d+\.\d+\.\d+\.\d+)\/(?!\d{1,2}$).*$/, "$1");
    const entries = readAddressEntries(corrected);
    if (entries.length === 0) dropped.push(text);
    for (const entry of entries) {
      if (isMendedAway(entry, source)) dropped.push(text);
      else {
        const row = { text: textOf(entry), key: sortKey(entry), comment };
        if (comment !== "" || !byText.has(row.text)) byText.set(row.text, row);
      }
    }
  }
  tell(source, dropped);
  const sorted = [...byText.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
  const lines = sorted.map(({ text, comment }) => (comment === "" ? text : `${text} # ${comment}`));
  return { text: `${lines.join("\n")}\n`, entries: lines.length };
}

function packNames(values: Iterable<string>, source: SeedSource): Packed {
  const names = new Set<string>();
  const dropped: string[] = [];
  for (const value of values) {
    const name = value.includes("?") ? null : readName(value); // a broken URL, cut from its host
    if (name === null || (source.fix === "shared_services" && sharedServices.has(name))) dropped.push(value);
    else names.add(value.startsWith(".") || value.startsWith("*.") ? `.${name}` : name);
  }
  tell(source, dropped);
  const lines = [...names].sort();
  return { text: `${lines.join("\n")}\n`, entries: lines.length };
}

function packLines(lines: readonly string[]): Packed {
  const sorted = [...new Set(lines)].sort();
  return { text: `${sorted.join("\n")}\n`, entries: sorted.length };
}

function* namesIn(source: SeedSource): Generator<string> {
  for (const row of rowsOfSource(source)) yield row.text;
}

function pack(source: SeedSource): Packed {
  const text = () => readText(source.from[0] ?? "");
  switch (source.kind) {
    case "addresses":
      return packAddresses(rowsOfSource(source), source);
    case "names":
      return packNames(namesIn(source), source);
    case "hosts":
      return packNames(
        [...hosts.parse(feedTextOf(Buffer.from(text())), {})].flatMap((e) => ("value" in e ? [e.value] : [])),
        source,
      );
    case "hostport":
      return packLines([...namesIn(source)]);
    case "ipsum":
      return packLines([...namesIn(source)].filter((row) => Number(row.split("\t")[1]) >= 3));
    case "misp":
      return packMisp(source);
    case "polkadot": {
      const { allow, deny } = JSON.parse(text()) as { allow: string[]; deny: string[] };
      const allowed = new Set(allow);
      return packNames(
        deny.filter((name) => !allowed.has(name)),
        source,
      );
    }
    case "json": {
      const document: unknown = JSON.parse(text());
      return { text: JSON.stringify(document), entries: Object.keys(document as object).length };
    }
  }
}

function packMisp(source: SeedSource): Packed {
  const { list, type } = JSON.parse(readText(source.from[0] ?? "")) as { list: string[]; type: string };
  if (type === "cidr")
    return packAddresses(
      list.map((text) => ({ text, comment: "" })),
      source,
    );
  return packNames(list, source);
}

/** A warninglist's version is its date, where it looks like one. */
function dateOf(source: SeedSource): string {
  if (source.date !== undefined) return source.date;
  const { version } = JSON.parse(readText(source.from[0] ?? "")) as { version: number };
  const [, year, month, day] = /^(20\d\d)(\d\d)(\d\d)$/.exec(String(version)) ?? [];
  if (year === undefined) throw new Error(`${source.file}: version ${version} is no date`);
  return `${year}-${month}-${day}`;
}

function tell(source: SeedSource, dropped: readonly string[]): void {
  if (dropped.length > 0)
    console.log(`${source.file}: ${dropped.length} left out: ${dropped.slice(0, 8).join(", ")}`);
}

mkdirSync(seedDir, { recursive: true });
for (const file of readdirSync(seedDir)) if (file.endsWith(".br")) rmSync(join(seedDir, file));
const compress = promisify(brotliCompress);
const rows = [];
let total = 0;
for (const source of seedSources) {
  const { text, entries } = pack(source);
  const bytes = Buffer.from(text);
  const packed = await compress(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_LGWIN]: 24,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
  writeFileSync(join(seedDir, `${source.file}.br`), packed);
  total += packed.length;
  const { file, name, publisher, licence, licenceText, url, changes } = source;
  rows.push({
    file,
    name,
    publisher,
    licence,
    ...(licenceText === undefined ? {} : { licence_text: licenceText }),
    url,
    date: dateOf(source),
    entries,
    sha256: createHash("sha256").update(packed).digest("hex"),
    changes,
  });
  console.log(`${source.file}: ${entries} entries, ${packed.length} bytes`);
}
rows.sort((a, b) => (a.file < b.file ? -1 : 1));
writeFileSync(
  join(seedDir, "manifest.yaml"),
  `# Made by scripts/build-seed.ts. sha256 is that of FILE.br.\n${stringify(rows, { lineWidth: 0 })}`,
);
writeFileSync(join(root, "NOTICE"), noticeText(readSeedManifest(seedDir)));
console.log(`${rows.length} files, ${total} bytes`);
