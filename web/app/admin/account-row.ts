import type { Shapes } from "../../api/types.gen.ts";

/** An account as owners see it. */
export type ListedAccount = Shapes["AccountsView"]["accounts"][number];

/** What an owner may change of it. */
export type Change = Shapes["AccountChangeInput"]["change"];
