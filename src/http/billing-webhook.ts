import type { App, HttpParts } from "./context.ts";
import { sendData } from "./product-routes.ts";

/** Where the payment provider tells what happened. Without a secret to verify it by, the path does not exist. */
export function addBillingWebhook(app: App, parts: HttpParts): void {
  const { takeCall } = parts.dashboard.billing;
  if (takeCall === null) return;
  app.post("/api/billing/webhook", { config: { isBounded: true } }, async (request, reply) => {
    const { body, headers } = request;
    const signature = [headers["stripe-signature"] ?? []].flat().join(",");
    await takeCall({ body: Buffer.isBuffer(body) ? body : Buffer.alloc(0), signature });
    return sendData(parts, request, reply, { received: true });
  });
}
