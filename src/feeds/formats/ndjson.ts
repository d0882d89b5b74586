import { z } from "zod";
import { InvalidValue } from "../../base/failure.ts";
import { parseJson } from "../../base/parse-json.ts";
import { detailOptions } from "./entry-detail.ts";
import {
  droppedRow,
  type FeedFormat,
  type FeedText,
  type FormatOptions,
  NO_VALUE,
  type RawEntry,
} from "./format.ts";
import { dateOfNode, fieldsOf, isMembers, memberOf, valuesOfNode } from "./members.ts";
import { sharedOptions, textOption } from "./options.ts";
import { isComment } from "./rows.ts";

/** One JSON value per line; `skip_if_field` passes over header and trailer objects. Source: catalogue, pitfall 18. */
export const ndjson: FeedFormat = {
  name: "ndjson",
  options: {
    skip_if_field: z.string().min(1).optional().describe("ndjson: pass over objects with this member"),
    published: sharedOptions.published,
    field: sharedOptions.field,
    where: sharedOptions.where,
    via: sharedOptions.via,
    strip_port: sharedOptions.strip_port,
    ...detailOptions,
  },
  parse,
};

function* parse(text: FeedText, options: FormatOptions): Generator<RawEntry> {
  const skipped = textOption(options, "skip_if_field");
  for (const line of text.lines()) {
    if (typeof line !== "string") yield line;
    else if (line.trim() !== "" && !isComment(line.trim())) yield* entriesOf(line.trim(), skipped, options);
  }
}

function* entriesOf(line: string, skipped: string | null, options: FormatOptions): Generator<RawEntry> {
  const node = readJsonLine(line);
  if (node === undefined) yield droppedRow(line);
  else if (skipped === null || !isMembers(node) || memberOf(node, skipped) === undefined) {
    yield* valuesOfNode(node, options);
  } else if (fieldsOf(options)?.some((field) => memberOf(node, field) !== undefined)) {
    yield NO_VALUE; // an entry, and no header or trailer
  } else yield* dateOfNode(node, options);
}

/** One line as a JSON value; undefined where it is none. */
export function readJsonLine(line: string): unknown {
  try {
    return parseJson(line);
  } catch (error) {
    if (error instanceof InvalidValue) return undefined;
    throw error;
  }
}
