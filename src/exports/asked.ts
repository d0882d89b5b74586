import { DAY_MS } from "../base/durations.ts";

/** How long a body that was asked for is written with each generation. */
const WANTED_MS = 7 * DAY_MS;
/** Bodies of an export that are kept ready. */
const MAX_WANTED = 32;

type Asking = { readonly asker: string; readonly atMs: number };

/** Bodies of an export that were asked for lately. */
type Asked = {
  readonly note: (id: string, asking: Asking) => void;
  readonly since: (nowMs: number) => readonly string[];
};

/** None was asked for yet. A body counts for the token that asked first; the one with the most loses its oldest. */
export function createAsked(): Asked {
  const asked = new Map<string, Asking>();
  return {
    note: (id, { asker, atMs }) => {
      const first = asked.get(id)?.asker ?? asker;
      asked.delete(id);
      asked.set(id, { asker: first, atMs });
      if (asked.size > MAX_WANTED) asked.delete(oldestOf(greediestOf(asked), asked));
    },
    since: (nowMs) => [...asked].flatMap(([id, { atMs }]) => (nowMs - atMs < WANTED_MS ? [id] : [])),
  };
}

/** Of several with as many, the one whose body was asked for longest ago. */
function greediestOf(asked: ReadonlyMap<string, Asking>): string {
  const counts = new Map<string, number>();
  for (const { asker } of asked.values()) counts.set(asker, (counts.get(asker) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return [...counts].find(([, count]) => count === most)?.[0] ?? "";
}

const oldestOf = (asker: string, asked: ReadonlyMap<string, Asking>): string =>
  [...asked].find(([, one]) => one.asker === asker)?.[0] ?? "";
