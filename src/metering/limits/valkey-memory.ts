import type { Clock } from "../../base/clock.ts";

export type MemoryCheck = {
  /** `note` leaves a mark on the server, and says whether the one before was still there. Rejects while marks were lost of late. */
  readonly probe: (note: () => Promise<boolean>) => Promise<void>;
  /** After a new connection: the server may be another one, or have started anew. */
  readonly restart: () => void;
};

/** How long a server keeps a mark, milliseconds; keys of limits live about as long. */
export const MARK_KEPT_MS = 60_000;
/** A mark that is older says nothing, as it may have run out. */
const COMPARED_MS = 30_000;
const DISTRUSTED_MS = 8_000;

const FORGOT =
  "It forgot what it was told seconds ago: keys were flushed, or evicted as maxmemory is reached. Limits need maxmemory-policy noeviction";

/**
 * Whether a server keeps what it is told. One that evicts keys takes every start, and so bounds nothing, without an error. A server that
 * forgot is not trusted until it has kept every mark for eight seconds.
 */
export function createMemoryCheck(clock: Pick<Clock, "monotonicMs">): MemoryCheck {
  let markedAtMs = Number.NEGATIVE_INFINITY;
  let distrustedUntilMs = Number.NEGATIVE_INFINITY;
  return {
    probe: async (note) => {
      const isExpected = clock.monotonicMs() - markedAtMs < COMPARED_MS;
      const wasThere = await note();
      markedAtMs = clock.monotonicMs();
      if (isExpected && !wasThere) distrustedUntilMs = markedAtMs + DISTRUSTED_MS;
      if (markedAtMs < distrustedUntilMs) throw new Error(FORGOT);
    },
    restart: () => {
      markedAtMs = Number.NEGATIVE_INFINITY;
      distrustedUntilMs = Number.NEGATIVE_INFINITY;
    },
  };
}
