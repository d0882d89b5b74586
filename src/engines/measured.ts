import type { EngineMetrics } from "../base/metrics.ts";
import type { Engines } from "./consult.ts";
import type { Consultation } from "./kind.ts";

/** The same engines, every consultation counted; unchanged where nothing is counted. */
export function measuredEngines(engines: Engines, metrics: EngineMetrics | null): Engines {
  if (metrics === null) return engines;
  return {
    ...engines,
    consult: (target, context) => {
      const counted = (consultation: Consultation): Consultation => {
        metrics.consulted(consultation);
        return consultation;
      };
      const consultation = engines.consult(target, context);
      return consultation instanceof Promise ? consultation.then(counted) : counted(consultation);
    },
  };
}
