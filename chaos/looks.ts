import { systemClock } from "../src/base/clock.ts";
import type { Findings } from "./scenario.ts";
import { ask, type OwnService } from "./services.ts";

const PATIENCE_MS = 60_000;

/** Waits until something holds; on the way out of a wait in vain it is a fault. */
export async function expectSoon(
  findings: Findings,
  text: string,
  holds: () => boolean | Promise<boolean>,
): Promise<void> {
  const untilMs = performance.now() + PATIENCE_MS;
  while (!(await holds())) {
    if (performance.now() > untilMs) {
      findings.expect(false, `within ${PATIENCE_MS / 1000} s ${text}`);
      return;
    }
    await systemClock.sleep(50);
  }
}

/** What a service says of itself, as one text; empty when it says nothing. */
export async function healthOf({ port }: OwnService): Promise<string> {
  return (await ask(port, { path: "/api/health", timeoutMs: 10_000 })).text;
}

/** Whether a service says that all is well. */
export const isWell = async (service: OwnService): Promise<boolean> =>
  (await healthOf(service)).includes('"status":"ok"');

/** A free tool's call: it needs no account and no database. */
export const askFree = (service: OwnService) =>
  ask(service.port, { path: "/api/free/check-ip", body: { ip: "8.8.8.8" } });

/** A call that costs a credit. */
export const askPaid = (service: OwnService, key: string) =>
  ask(service.port, { path: "/api/check-ip", key, body: { ip: "8.8.8.8" } });

/** How often a text stands in another. */
export const countOf = (text: string, part: string): number => text.split(part).length - 1;
