import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { type Document, isMap, isScalar, isSeq, parseDocument } from "yaml";
import { writeWhole } from "../blocklist-index/write-whole.ts";
import { ConfigError } from "./config-error.ts";
import { parseConfigText, readConfigText } from "./read-file.ts";

/** What `engines.enable` and `engines.accept` are to hold besides what they hold already. */
export type EnginesWish = { readonly enable: readonly string[]; readonly accept: string | null };

/**
 * Adds to `engines.enable` and `engines.accept` of the configuration file, `repute.yaml` in the working folder when there
 * is none yet, and takes what is enabled out of `engines.disable`, and `enabled: false` out of the operator's own entries.
 * Comments, order, owner and permissions stay. Resolves to the file's path; throws ConfigError, and changes nothing, when
 * the file cannot be read or would be refused.
 */
export async function writeEngines(configFile: string | null, wish: EnginesWish): Promise<string> {
  const path = configFile === null ? resolve("repute.yaml") : await realpath(configFile);
  const before = readConfigText(path, { isOptional: configFile === null }) ?? "";
  const after = withEngines(before, wish);
  parseConfigText(after, path);
  await writeWhole(path, Buffer.from(after));
  return path;
}

/** The text with the wish put into it. Throws ConfigError where `engines` is no mapping of lists. */
export function withEngines(text: string, { enable, accept }: EnginesWish): string {
  const document: Document = parseDocument(text);
  if (document.contents === null) document.contents = document.createNode({});
  for (const key of enable) {
    // Lists and zones of the operator's own are on unless their entry, or `disable`, says otherwise.
    if (!switchOnOwn(document, key)) add(document, "enable", key);
    remove(document, "disable", key);
  }
  if (accept !== null) add(document, "accept", accept);
  return document.toString({ lineWidth: 0, flowCollectionPadding: true });
}

function add(document: Document, list: string, item: string): void {
  // `engines:` without a value is null: there is nothing to add to.
  if (document.get("engines") === null) document.delete("engines");
  const engines: unknown = document.get("engines", true);
  if (engines !== undefined && !isMap(engines)) throw notA("engines", "mapping");
  if (document.getIn(["engines", list]) === null) document.deleteIn(["engines", list]);
  const found: unknown = document.getIn(["engines", list], true);
  if (found === undefined) document.setIn(["engines", list], document.createNode([item], { flow: true }));
  else if (!isSeq(found)) throw notA(`engines.${list}`, "list");
  else if (!found.items.some((one) => isScalar(one) && one.value === item))
    found.add(document.createNode(item));
}

/** Takes `enabled: false` out of the operator's own entry of this key; false where there is none. */
function switchOnOwn(document: Document, key: string): boolean {
  for (const part of ["feeds", "dnsbl"]) {
    const found: unknown = document.getIn(["engines", part], true);
    const own = isSeq(found) ? found.items.find((one) => isMap(one) && one.get("key") === key) : undefined;
    if (!isMap(own)) continue;
    own.delete("enabled");
    return true;
  }
  return false;
}

function remove(document: Document, list: string, item: string): void {
  const found: unknown = document.getIn(["engines", list], true);
  if (!isSeq(found)) return;
  const index = found.items.findIndex((one) => isScalar(one) && one.value === item);
  if (index >= 0) found.delete(index);
}

const notA = (path: string, what: string): ConfigError =>
  new ConfigError(`Cannot write the configuration: ${path} is no ${what}`);
