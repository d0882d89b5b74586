import type { EngineMetrics } from "../metrics.ts";
import type { Engines } from "./consult.ts";

/** The same engines, every consultation counted; as they are where nobody counts. */
export function measuredEngines(engines: Engines, metrics: EngineMetrics | null): Engines {
  if (metrics === null) return engines;
  return {
    ...engines,
    consult: async (target, context) => {
      const consultation = await engines.consult(target, context);
      metrics.consulted(consultation);
      return consultation;
    },
  };
}
