import { formatDate } from "../../ui/format.ts";
import type { Key } from "./key.ts";

const NAME = "Dashboard";

/** Name of a key that the dashboard makes for its own lookups: "Dashboard, 21 Nov 2026". */
export const dashboardKeyName = (nowMs: number): string =>
  `${NAME}, ${formatDate(new Date(nowMs).toISOString())}`;

/** Keys that were made for earlier tabs and still pay. */
export const formerDashboardKeys = (keys: readonly Key[], newId: string): readonly Key[] =>
  keys.filter(
    ({ id, name, state }) =>
      state === "active" && id !== newId && (name === NAME || name.startsWith(`${NAME}, `)),
  );
