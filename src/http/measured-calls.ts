import type { CallMetrics, EndedCall } from "../base/metrics.ts";
import type { App, HttpParts, Reply, Request } from "./context.ts";

/** Status of a call whose caller hung up: nginx's word for it. Never sent. */
export const HUNG_UP = 499;

/** Counts every request, from its header to its last byte. Goes before all other hooks: those refuse. */
export function measureCalls(app: App, { calls: { clock } }: HttpParts, metrics: CallMetrics): void {
  app.addHook("onRequest", (request, reply, done) => {
    const startedMs = clock.monotonicMs();
    metrics.began();
    reply.raw.once("close", () => metrics.ended(endedCall(request, reply, clock.monotonicMs() - startedMs)));
    done();
  });
}

function endedCall(request: Request, reply: Reply, elapsedMs: number): EndedCall {
  const { endpoint, freeTool } = request.routeOptions.config;
  return {
    kind: endpoint === undefined ? (freeTool === undefined ? "other" : "free") : "metered",
    endpoint: endpoint ?? freeTool ?? "other",
    status: reply.raw.writableFinished ? reply.statusCode : HUNG_UP,
    elapsedMs,
    creditsCharged: request.state.charged,
  };
}
