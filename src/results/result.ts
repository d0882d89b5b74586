import { z } from "zod";
import type { Wire } from "../base/wire.ts";

/**
 * What a list of answers shows of one; null where its product has no such member, or nothing was judged. The columns of
 * `results` and `bulk_run_items` have the same names.
 */
export const ResultFacts = z.object({
  verdict: z.string().nullable().describe("Null where the product has no score"),
  score: z.int().nullable(),
  detections: z.int().nullable(),
  engines: z.int().nullable(),
});
export type ResultFacts = Wire<typeof ResultFacts>;

export const RESULT_FACTS = ResultFacts.keyof().options;

/** The facts alone, of something that has more. */
export const resultFactsOf = ({ verdict, score, detections, engines }: ResultFacts): ResultFacts => ({
  ...{ verdict, score, detections, engines },
});

/** A paid answer that is to be kept. */
export type NewResult = {
  readonly id: string;
  readonly accountId: string;
  readonly at: Date;
  readonly requestId: string;
  /** Name of the product. */
  readonly product: string;
  /** As the answer shows it. */
  readonly target: string;
  /** The body that asked for it. */
  readonly question: object;
  /** `data` of the answer, as JSON text in the standard view. */
  readonly data: string;
};

/** A kept answer without itself. */
export type KeptResult = ResultFacts &
  Pick<NewResult, "id" | "at" | "requestId" | "product" | "target"> & {
    /** The bulk run that it is part of; null: a single lookup. */
    readonly runId: string | null;
  };

/** A link that shows one kept answer. */
export type Share = { readonly id: string; readonly createdAt: Date; readonly expiresAt: Date };

/** A kept answer, whole. */
export type OpenedResult = KeptResult & Pick<NewResult, "question" | "data">;
