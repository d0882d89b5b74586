import type { Shapes } from "../../api/types.gen.ts";

/** A key as the account sees it: never the key itself. */
export type Key = Shapes["KeysView"]["keys"][number];

/** What a key is called. */
export const nameOf = ({ name, prefix }: Key): string => (name === "" ? prefix : name);
