import type { Clock } from "../base/clock.ts";

/** What a running service said to one call. */
export type ServiceReply = {
  readonly status: number;
  readonly body: string;
  /** Credits that the call cost; null where the service does not say. */
  readonly charged: number | null;
};

/** Calls to one running service with one key. */
export type ServiceClient = {
  /**
   * POSTs JSON to a path. Waits as long as it is told to and tries again where the service is asked too often or gets
   * ready. Rejects with an Error that says what is wrong.
   */
  readonly post: (path: string, body: object) => Promise<ServiceReply>;
};

/** Longer than the service takes for a batch. */
const TIMEOUT_MS = 120_000;
/** Several times what the service answers to the largest batch. */
const MAX_BODY_BYTES = 128 * 1024 * 1024;
/** All the waiting for one call. */
const MAX_WAITING_S = 600;
const MAX_WAIT_S = 60;
/** A wait that is told. */
const LONG_WAIT_S = 10;
/** Too many calls, and data that is being prepared. */
const WAITED_FOR = [429, 503];

/**
 * A client of the service at `base`, the operator's word. The key goes there and nowhere else: a redirect is refused, whether to
 * the same host or another.
 */
export function createServiceClient(
  { base, key }: { readonly base: URL; readonly key: string },
  { clock, warn }: { readonly clock: Pick<Clock, "sleep">; readonly warn: (line: string) => void },
): ServiceClient {
  const once = async (path: string, body: object) => {
    const url = new URL(`${base.pathname.replace(/\/+$/, "")}${path}`, base);
    try {
      const response = await fetch(url, {
        method: "POST",
        redirect: "manual",
        headers: { "X-API-Key": key, "Content-Type": "application/json" },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const wait = response.headers.get("retry-after");
      const cost = response.headers.get("x-credits-charged");
      const charged = cost === null ? null : Number(cost);
      return { status: response.status, wait, charged, body: await textOf(response) };
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      const reason = cause instanceof Error ? cause.message || cause.name : String(cause);
      throw new Error(`Cannot reach ${base.origin}: ${reason}`, { cause: error });
    }
  };
  return {
    post: async (path, body) => {
      for (let waitedS = 0; ; ) {
        const reply = await once(path, body);
        if (reply.status >= 300 && reply.status < 400) {
          throw new Error(
            `${base.origin} redirects elsewhere, where the key is not sent: name the final address with --server`,
          );
        }
        const { status, wait, body: text, charged } = reply;
        if (text === null) throw new Error(`${base.origin} answers with more than ${MAX_BODY_BYTES} bytes`);
        if (!WAITED_FOR.includes(status) || wait === null || waitedS >= MAX_WAITING_S) {
          return { status, body: text, charged };
        }
        const waitS = waitOf(wait);
        if (waitS >= LONG_WAIT_S) warn(`warning: ${base.origin} asks to wait (HTTP ${status}): ${waitS} s`);
        await clock.sleep(waitS * 1000);
        waitedS += waitS;
      }
    },
  };
}

/** The body as text; null where it is too large. */
async function textOf({ body }: Response): Promise<string | null> {
  if (body === null) return "";
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) return null;
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/** Seconds of a Retry-After; one where it is no number. */
function waitOf(header: string): number {
  const seconds = Number(header);
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 1), MAX_WAIT_S) : 1;
}
