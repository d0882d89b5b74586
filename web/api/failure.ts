/** One member of what was sent, and what was wrong with it. */
export type FieldFault = { readonly field: string; readonly message: string };

export type FailureParts = {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly requestId: string | null;
  readonly retryAfterS: number | null;
  readonly faults: readonly FieldFault[];
  readonly cost: number | null;
};

/** A call that was refused or did not arrive. Status 0: no answer came at all. */
export class CallFailure extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | null;
  readonly retryAfterS: number | null;
  readonly faults: readonly FieldFault[];
  /** Credits that the call would have cost, where they were missing. */
  readonly cost: number | null;

  constructor(parts: FailureParts, cause?: unknown) {
    super(parts.message, { cause });
    this.name = "CallFailure";
    this.status = parts.status;
    this.code = parts.code;
    this.requestId = parts.requestId;
    this.retryAfterS = parts.retryAfterS;
    this.faults = parts.faults;
    this.cost = parts.cost;
  }
}

/** What was wrong with one field of a form, or null. */
export function faultOf(error: unknown, field: string): string | null {
  if (!(error instanceof CallFailure)) return null;
  return error.faults.find((fault) => fault.field === field)?.message ?? null;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const textOf = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);

/** Reads the error envelope or the body of a 422, and says something useful where neither came. */
export async function failureOf(response: Response): Promise<CallFailure> {
  const body: unknown = await response.json().catch(() => null);
  const members = isObject(body) ? body : {};
  const first: unknown = Array.isArray(members["errors"]) ? members["errors"][0] : null;
  const error = isObject(first) ? first : {};
  const faults = faultsOf(members["detail"], error);
  const details = isObject(error["details"]) ? error["details"] : {};
  return new CallFailure({
    status: response.status,
    code: textOf(error["code"]) ?? (response.status === 422 ? "VALIDATION" : "UNEXPECTED"),
    message: textOf(error["message"]) ?? faults[0]?.message ?? `The service answered with ${response.status}`,
    requestId: textOf(members["request_id"]) ?? response.headers.get("X-Request-Id"),
    retryAfterS: secondsOf(response.headers.get("Retry-After")),
    faults,
    cost: typeof details["cost"] === "number" ? details["cost"] : null,
  });
}

function faultsOf(detail: unknown, error: Readonly<Record<string, unknown>>): readonly FieldFault[] {
  const field = textOf(error["field"]);
  if (field !== null) return [{ field, message: textOf(error["message"]) ?? "Not accepted" }];
  if (!Array.isArray(detail)) return [];
  return detail.filter(isObject).map((fault) => {
    const loc: readonly unknown[] = Array.isArray(fault["loc"]) ? fault["loc"] : [];
    return { field: String(loc[1] ?? ""), message: textOf(fault["msg"]) ?? "Not accepted" };
  });
}

function secondsOf(header: string | null): number | null {
  const seconds = header === null ? Number.NaN : Number(header);
  return Number.isFinite(seconds) ? seconds : null;
}
