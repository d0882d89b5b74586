/** Kinds of targets that lists name and engines are asked about. */
export const LISTED_KINDS = ["ip", "domain", "url", "email"] as const;
export type ListedKind = (typeof LISTED_KINDS)[number];
