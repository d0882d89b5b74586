import { counted } from "../base/counted.ts";
import { ERROR_CODES, type ErrorCode, Refusal, type RefusalOptions } from "../base/failure.ts";
import { LISTED_KINDS } from "../targets/listed-kinds.ts";
import { refusalBody } from "./envelope.ts";
import { type JsonSchema, schemaOf } from "./openapi-schema.ts";
import { ErrorEnvelope, ValidationError } from "./shapes.ts";

/** Every call can meet them before its path is known to be right. */
export const TRANSPORT_ERRORS: readonly ErrorCode[] = ["BAD_REQUEST", "HEADERS_TOO_LARGE"];

/** Calls that a key pays for. */
export const METERED_ERRORS: readonly ErrorCode[] = [
  "UNAUTHORIZED",
  "INSUFFICIENT_CREDITS",
  "FORBIDDEN",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
  "VALIDATION",
  "RATE_LIMIT_EXCEEDED",
  "INTERNAL_ERROR",
  "SERVICE_UNAVAILABLE",
];

/** The free tools. */
export const FREE_ERRORS = METERED_ERRORS.filter(
  (code) => !["UNAUTHORIZED", "INSUFFICIENT_CREDITS", "FORBIDDEN"].includes(code),
);

/** Calls of an account that cost nothing. */
export const ACCOUNT_ERRORS: readonly ErrorCode[] = [
  "UNAUTHORIZED",
  "FORBIDDEN",
  "RATE_LIMIT_EXCEEDED",
  "INTERNAL_ERROR",
  "SERVICE_UNAVAILABLE",
];

/** What an operation's errors are shown for. */
type ErrorSubject = {
  /** Credits; 0: it costs nothing. */
  readonly price: number;
  /** Member of the body or the query that a 422 is about. */
  readonly field: readonly [place: "body" | "query", name: string];
};

/** The responses of an operation's errors, each with a body as the service writes it. */
export function errorResponses(
  schemas: JsonSchema,
  codes: readonly ErrorCode[],
  subject: ErrorSubject,
): JsonSchema {
  return Object.fromEntries(
    codes.map((code) => {
      const { status, text } = ERROR_CODES[code];
      const schema = schemaOf(schemas, code === "VALIDATION" ? ValidationError : ErrorEnvelope, "output");
      const example: unknown = JSON.parse(
        refusalBody(REQUEST_ID, new Refusal(code, optionsOf(code, subject))),
      );
      return [
        String(status),
        { description: text, "x-code": code, content: { "application/json": { schema, example } } },
      ];
    }),
  );
}

const REQUEST_ID = "5f6d1c0e-3b7a-4d0c-9a51-2c8f7e4b9d10";

function optionsOf(code: ErrorCode, { price, field: [place, name] }: ErrorSubject): RefusalOptions {
  switch (code) {
    case "INSUFFICIENT_CREDITS":
      return {
        message: `This call costs ${counted(price, "credit")}; 0 are left until 2026-12-31.`,
        details: { cost: price, credits_remaining: 0, credits_reset_at: "2026-12-31T00:00:00.000Z" },
      };
    case "FORBIDDEN":
      return {
        message: "This API key may not be used from 203.0.113.9",
        details: { client_address: "203.0.113.9" },
      };
    case "RATE_LIMIT_EXCEEDED":
      return { message: "More than 3 calls a second; try again in 1 s", retryAfterS: 1 };
    case "SERVICE_UNAVAILABLE":
      return { message: "The data is being prepared (lists); try again in a moment", retryAfterS: 2 };
    case "VALIDATION":
      return place === "body"
        ? { faults: [{ loc: [place, name], msg: "This member is required", type: "missing", input: {} }] }
        : { faults: [wrongTarget(name)] };
    default:
      return {};
  }
}

const wrongTarget = (name: string) => ({
  loc: ["query", name],
  msg: `One of these is wanted: ${LISTED_KINDS.join(", ")}`,
  type: "value_error",
  input: "x",
  ctx: { reason: `unknown_${name}`, expected: LISTED_KINDS },
});
