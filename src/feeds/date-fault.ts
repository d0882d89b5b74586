import type { FeedDefinition } from "./feed.ts";
import { textOption } from "./formats/options.ts";

/**
 * What to say of a list whose content has no date where its definition says that one stands, as after a slip of the pen: the list
 * would look as fresh as its last retrieval. Null: there is a date, or none is expected.
 */
export function dateFault(
  { options }: Pick<FeedDefinition, "options">,
  publishedAt: string | null,
): string | null {
  const member = textOption(options, "published");
  return member === null || publishedAt !== null
    ? null
    : `No past date stands at "${member}", where "published" says; the age counts from the retrieval`;
}
