import { Readable } from "node:stream";
import type { DashboardCall } from "./route.ts";

/** How old the knowledge may be that a session is alive while a long answer leaves. */
const CHECK_EVERY_MS = 200;

/**
 * A long answer for a session, read as fast as its reader takes it. It breaks off, so that it cannot be taken for whole, where
 * the session ends first: a slow reader would go on for hours. Source: security P15.
 */
export const streamOf = (call: DashboardCall, pieces: AsyncIterable<string>): Readable =>
  Readable.from(whileSignedIn(call, pieces), { objectMode: false });

async function* whileSignedIn(
  { parts, stillSignedIn }: DashboardCall,
  pieces: AsyncIterable<string>,
): AsyncGenerator<string> {
  const { clock } = parts.calls;
  let knownMs = clock.monotonicMs();
  for await (const piece of pieces) {
    if (clock.monotonicMs() - knownMs >= CHECK_EVERY_MS) {
      knownMs = clock.monotonicMs();
      await stillSignedIn();
    }
    yield piece;
  }
  await stillSignedIn();
}
