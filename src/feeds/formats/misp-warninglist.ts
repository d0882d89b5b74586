import { InvalidValue } from "../../base/failure.ts";
import type { FeedFormat, FeedText, RawEntry } from "./format.ts";
import { readDocument, unlessFailed } from "./json.ts";
import { isMembers, memberOf, valuesOfNode } from "./members.ts";

/** A MISP warninglist: the members of `list`. Source: MISP warninglists' schema.json. */
export const mispWarninglist: FeedFormat = { name: "misp_warninglist", options: {}, parse };

function parse(text: FeedText): Generator<RawEntry> {
  const document = readDocument(text);
  return unlessFailed(document, listedIn(document));
}

function* listedIn(document: unknown): Generator<RawEntry> {
  const list = isMembers(document) ? memberOf(document, "list") : undefined;
  if (!Array.isArray(list)) throw new InvalidValue("misp_list", 'The document has no array "list"');
  for (const member of list) yield* valuesOfNode(member, {});
}
