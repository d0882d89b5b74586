import type { Shapes } from "../../api/types.gen.ts";

/** A key as the account sees it: never the key itself. */
export type Key = Shapes["AccountView"]["keys"][number] & {
  /** E-mail of the person who made it; null: the operator, or they left. Of other accounts' keys it is not told. */
  readonly made_by?: string | null;
  /** False: another person's, which this one only sees. */
  readonly may_change?: boolean;
};

/** What a key is called. */
export const nameOf = ({ name, prefix }: Key): string => (name === "" ? prefix : name);
