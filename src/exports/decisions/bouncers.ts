import { printable } from "../../base/clean-text.ts";
import type { Clock } from "../../base/clock.ts";

/** What an answer with decisions that left whole says of who asked for it. */
export type BouncerAnswer = {
  /** First characters of its token. */
  readonly token: string;
  readonly address: string;
  readonly userAgent: string;
  readonly generation: number;
  /** Entries that it was not told, as it cannot enforce them; null: this answer does not say. */
  readonly notEnforceable: number | null;
};

/** A bouncer, as it stands. */
export type Bouncer = BouncerAnswer & { readonly at: Date };

const MAX_BOUNCERS = 200;
const MAX_USER_AGENT = 100;

/** Who took decisions of one export: those that came last, and no more than can be read. */
export function createBouncers(clock: Pick<Clock, "now">): {
  readonly note: (answer: BouncerAnswer) => void;
  readonly all: () => readonly Bouncer[];
} {
  const bouncers = new Map<string, Bouncer>();
  return {
    note: (answer) => {
      const userAgent = printable(answer.userAgent.slice(0, MAX_USER_AGENT));
      const key = JSON.stringify([answer.token, answer.address, userAgent]);
      const notEnforceable = answer.notEnforceable ?? bouncers.get(key)?.notEnforceable ?? null;
      bouncers.delete(key);
      bouncers.set(key, { ...answer, userAgent, notEnforceable, at: clock.now() });
      const [oldest] = bouncers.keys();
      if (bouncers.size > MAX_BOUNCERS && oldest !== undefined) bouncers.delete(oldest);
    },
    all: () => [...bouncers.values()].reverse(),
  };
}
