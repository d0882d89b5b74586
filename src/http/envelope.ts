import { ERROR_CODES, type ErrorCode, type Fault, type Refusal } from "../base/failure.ts";
import { type JsonText, utf8Of, withMember } from "../base/json-text.ts";

/** `Content-Type` of every answer whose body is JSON. */
export const JSON_CONTENT_TYPE = "application/json; charset=utf-8";

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** A caller's own request id when it is harmless (security P12), else null. */
export function acceptedRequestId(value: string | string[] | undefined): string | null {
  return typeof value === "string" && REQUEST_ID.test(value) ? value : null;
}

/** The success envelope of interface 2.1 around the JSON text of its `data`, as UTF-8. */
export const successBody = (requestId: string, timestamp: string, data: JsonText): Buffer =>
  utf8Of(withMember([`{"request_id":"${requestId}","timestamp":"${timestamp}"}`], "data", data));

/** The error envelope of interface 2.2 as text. */
export function errorBody(
  requestId: string,
  code: ErrorCode,
  rest: {
    message?: string;
    field?: string | null;
    details?: Readonly<Record<string, unknown>> | null;
  } = {},
): string {
  const message = rest.message ?? ERROR_CODES[code].text;
  const error = { code, message, field: rest.field ?? null, details: rest.details ?? null };
  return JSON.stringify({ errors: [error], request_id: requestId });
}

/** The body of a refusal: the `detail` list for 422, the error envelope for all others. */
export function refusalBody(requestId: string, refusal: Refusal): string {
  if (refusal.code === "VALIDATION") return JSON.stringify({ detail: refusal.faults.map(wireFault) });
  return errorBody(requestId, refusal.code, refusal);
}

const wireFault = ({ loc, msg, type, input, ctx }: Fault) => ({ loc, msg, type, input: input ?? null, ctx });
