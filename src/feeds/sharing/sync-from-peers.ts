import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import { hasContent, writePacked } from "../feed-store.ts";
import { definitionHashOf } from "../state.ts";
import type { Retrieved } from "../table.ts";
import type { FeedExchange } from "./exchange.ts";
import type { FeedStates } from "./states.ts";

/** How often other machines are asked for what they retrieved. */
const ASK_OTHERS_EVERY_MS = 5_000;

type Deps = {
  readonly feeds: readonly Retrieved[];
  readonly keptDir: string;
  readonly exchange: FeedExchange | null;
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly log: Log;
  readonly onChange: () => void;
};

/** Takes over what other processes retrieved: on this data folder, and on others through the exchange. */
export type TakeOver = {
  /** Looks at both; at the exchange every few seconds. False while it cannot be reached. Rejects when the folder cannot. */
  readonly all: () => Promise<boolean>;
  /** Asks the exchange now. False when it cannot be reached. */
  readonly fromOthers: () => Promise<boolean>;
};

/** A take-over into the folder and into `states`. */
export function createTakeOver(deps: Deps, states: FeedStates): TakeOver {
  const { clock, onChange } = deps;
  let askedMs = Number.NEGATIVE_INFINITY;
  let isReached = true;
  let seen = states.version();
  const ask = createAsking(deps, states);
  const tell = () => {
    if (states.version() !== seen) onChange();
    seen = states.version();
  };
  const askAndTell = async () => {
    isReached = await ask();
    tell();
    return isReached;
  };
  // One after another: a caller knows at the end all that was published before, also what an earlier call was taking over.
  let last: Promise<boolean> = Promise.resolve(true);
  const fromOthers = () => {
    askedMs = clock.monotonicMs();
    last = last.then(askAndTell, askAndTell);
    return last;
  };
  return {
    fromOthers,
    all: async () => {
      states.reload();
      if (clock.monotonicMs() - askedMs >= ASK_OTHERS_EVERY_MS) await fromOthers();
      tell();
      return isReached;
    },
  };
}

/** Asks the exchange; true when it answered, or when there is none to ask. */
function createAsking({ feeds, keptDir, exchange, log }: Deps, states: FeedStates): () => Promise<boolean> {
  // A file is each machine's own.
  const hashes = new Map(
    feeds.flatMap((feed) => (feed.source.kind === "web" ? [[feed.key, definitionHashOf(feed)]] : [])),
  );
  let wasReached = true;
  return async () => {
    if (exchange === null) return true;
    try {
      await exchange.takeChanges([...hashes.keys()], async ({ key, state }) => {
        // By another definition it is another list: of another configuration, or of another version of the program.
        if (state.triedHash !== hashes.get(key)) return;
        const hash = state.contentHash;
        if (hash !== null && !hasContent(keptDir, key, hash)) {
          const packed = await exchange.content(key, hash);
          if (packed === null) return; // replaced meanwhile: its newer state comes next time
          await writePacked(keptDir, key, { hash, packed });
        }
        await states.put(key, state);
      });
      wasReached = true;
    } catch (error) {
      if (wasReached) log.warn({ err: error }, "Cannot ask other processes for their lists");
      wasReached = false;
    }
    return wasReached;
  };
}
