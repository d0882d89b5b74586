import { z } from "zod";
import type { FeedFormat } from "./format.ts";
import { plain } from "./plain.ts";

/**
 * Lists of the Université Toulouse 1: a tar.gz with one file of values per line among others. The archive is
 * opened when it is retrieved; what is read here is the member. Source: catalogue, format vocabulary.
 */
export const ut1Tgz: FeedFormat = {
  name: "ut1_tgz",
  options: {
    member: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe("ut1_tgz: file inside the archive, e.g. phishing/domains"),
  },
  parse: plain.parse,
};
