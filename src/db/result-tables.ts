// As in `schema.ts`: times are milliseconds since 1970, ids are UUID text.

/** What a list of answers shows of one; null where the product has no score. */
type FactColumns = {
  verdict: string | null;
  score: number | null;
  detections: number | null;
  engines: number | null;
};

/** Answers to lookups that were made on the pages, for as long as `usage.keep_results_days` says. */
export type ResultsTable = FactColumns & {
  id: string;
  account_id: string;
  at: number;
  request_id: string;
  product: string;
  /** As the answer shows it. */
  target: string;
  /** JSON: the body that asked for it. */
  question: string;
  /** The bulk run that it is part of; null: a single lookup. */
  run_id: string | null;
  /** Of `packed`. */
  bytes: number;
  /** The answer's JSON, deflated. */
  packed: Uint8Array;
};

/** Links that show one kept answer without signing in. A revoked one is deleted. */
export type ResultSharesTable = {
  /** Names the link to its owner; opens nothing. */
  id: string;
  /** SHA-256 of the link's token, hexadecimal. */
  token_hash: string;
  account_id: string;
  result_id: string;
  created_at: number;
  expires_at: number;
};

/** Bulk runs. `run.ts` names their states. */
export type BulkRunsTable = {
  id: string;
  account_id: string;
  name: string;
  /** JSON: heads of the given columns. */
  columns: string;
  state: string;
  /** Why it is paused. */
  reason: string | null;
  /** The session whose key pays for it; null before it was started. */
  session_id: string | null;
  /** Of the session that started it. */
  client_address: string;
  /** Of the cells of all lines. */
  bytes: number;
  created_at: number;
  changed_at: number;
  resumed_at: number | null;
  left_at_resume: number | null;
  /** The process that works on it; its work counts only until `lease_until`, or until another process takes it over. */
  lease_owner: string | null;
  lease_until: number;
};

/** Lines of bulk runs. */
export type BulkRunItemsTable = FactColumns & {
  run_id: string;
  /** In the file that was given, from 1. */
  line: number;
  account_id: string;
  /** JSON: the given cells. */
  cells: string;
  product: string | null;
  target: string | null;
  state: string;
  /** Of a repeated line: the line with its answer. */
  same_as: number | null;
  note: string | null;
  credits: number;
  result_id: string | null;
};
