import { type Load, startLoad } from "../../bench/load/driver.ts";
import { quantile } from "../../bench/statistics.ts";
import type { Ground } from "../ground.ts";

/** What the paying account sees of one endpoint in one round. */
export type Seen = { readonly p99Ms: number; readonly calls: number; readonly ok: number };

/** The look-ups of the paying account. */
export const PAID = ["check-ip", "dns-lookup"] as const;
type Paid = (typeof PAID)[number];

export type Payer = {
  /** Calls both endpoints for so long, at the same rate whatever becomes of the calls before. */
  readonly round: (ms: number) => Promise<Readonly<Record<Paid, Seen>>>;
};

const PER_SECOND = 50;
/** Calls that are due wait for one of these, and their wait counts. */
const CONNECTIONS = 16;

/** The paying account's callers, a process for each endpoint: none waits for what this process does. */
export function startPayer(ground: Ground, port: number, key: string): Payer {
  const [ips, names] = [startLoad(null), startLoad(null)];
  for (const load of [ips, names]) ground.later(load.stop);
  let rounds = 0;
  const call = async (load: Load, path: Paid, bodies: readonly string[], ms: number): Promise<Seen> => {
    const until = { ms };
    const order = { path: `/api/${path}`, port, keys: [key], bodies, until };
    const result = await load.run({
      ...order,
      connections: CONNECTIONS,
      perSecond: PER_SECOND,
      isPatient: true,
    });
    return {
      p99Ms: quantile(result.latenciesMs, 0.99),
      calls: result.calls,
      ok: result.statuses["200"] ?? 0,
    };
  };
  return {
    round: async (ms) => {
      // New in every round, so that none is answered from what was kept.
      const round = ++rounds;
      const count = Math.ceil((ms / 1000) * PER_SECOND) + CONNECTIONS;
      const bodies = (body: (i: number) => object) =>
        Array.from({ length: count }, (_, i) => JSON.stringify(body(i)));
      const ip = (i: number) => ({ ip: `8.${round % 250}.${(i >> 8) % 250}.${i % 250}` });
      const domain = (i: number) => ({ domain: `w${i}.healthy${round}.org`, record_type: "A" });
      const [first, second] = await Promise.all([
        call(ips, "check-ip", bodies(ip), ms),
        call(names, "dns-lookup", bodies(domain), ms),
      ]);
      return { "check-ip": first, "dns-lookup": second };
    },
  };
}
