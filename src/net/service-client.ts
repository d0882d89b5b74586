import type { Clock } from "../base/clock.ts";

/** What a running service said to one call. */
type ServiceReply = { readonly status: number; readonly body: string };

/** Calls to one running service with one key. */
export type ServiceClient = {
  /** POSTs JSON to a path. Waits and tries again on 429. Rejects with an Error that says what is wrong. */
  readonly post: (path: string, body: object) => Promise<ServiceReply>;
};

const TIMEOUT_MS = 60_000;
const MAX_TRIES = 20;
const MAX_WAIT_S = 60;

/**
 * A client of the service at `base`, the operator's word. The key goes there and nowhere else: a redirect is refused, whether to
 * the same host or another.
 */
export function createServiceClient(
  { base, key }: { readonly base: URL; readonly key: string },
  clock: Pick<Clock, "sleep">,
): ServiceClient {
  const once = async (path: string, body: object): Promise<Response> => {
    const url = new URL(`${base.pathname.replace(/\/+$/, "")}${path}`, base);
    try {
      return await fetch(url, {
        method: "POST",
        redirect: "manual",
        headers: { "X-API-Key": key, "Content-Type": "application/json" },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      const reason = cause instanceof Error ? cause.message || cause.name : String(cause);
      throw new Error(`Cannot reach ${base.origin}: ${reason}`, { cause: error });
    }
  };
  return {
    post: async (path, body) => {
      for (let tries = 1; ; tries += 1) {
        const response = await once(path, body);
        if (response.status >= 300 && response.status < 400) {
          await response.body?.cancel();
          throw new Error(
            `${base.origin} redirects elsewhere, where the key is not sent: name the final address with --server`,
          );
        }
        const text = await response.text();
        if (response.status !== 429 || tries >= MAX_TRIES) return { status: response.status, body: text };
        await clock.sleep(waitOf(response.headers.get("retry-after")) * 1000);
      }
    },
  };
}

/** Seconds of a Retry-After; one where it says none. */
function waitOf(header: string | null): number {
  const seconds = Number(header ?? "1");
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 1), MAX_WAIT_S) : 1;
}
