/** What a list of answers shows of one; null where its product has no such member, or nothing was judged. */
export type ResultFacts = {
  readonly verdict: string | null;
  readonly score: number | null;
  readonly detections: number | null;
  readonly engines: number | null;
};

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
