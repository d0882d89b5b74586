import { type Fault, InvalidValue, Refusal } from "../../base/failure.ts";
import { refusalOf } from "../../metering/read-input.ts";

/** Runs what judges one member of the body; an InvalidValue becomes the 422 of that member. */
export async function judgingField<T>(field: string, body: object, judge: () => T | Promise<T>): Promise<T> {
  try {
    return await judge();
  } catch (error) {
    throw refusalOf(error, field, body);
  }
}

const FIELDS: ReadonlyMap<string, string> = new Map([
  ["token_invalid", "token"],
  ["code_wrong", "totp_code"],
  ["password_wrong", "current_password"],
]);

/** The same where several members are judged: the reason names the member, and others are the new password's. */
export async function judgingPassword<T>(
  field: "password" | "new_password",
  body: object,
  judge: () => Promise<T>,
): Promise<T> {
  try {
    return await judge();
  } catch (error) {
    const named = error instanceof InvalidValue ? FIELDS.get(error.reason) : undefined;
    throw refusalOf(error, named ?? field, body);
  }
}

/** The 422 of members that are wanted and were not sent. */
export function missingFields(...fields: readonly string[]): Refusal {
  const faults = fields.map(
    (field): Fault => ({
      loc: ["body", field],
      msg: "This member is required",
      type: "missing",
      input: null,
    }),
  );
  return new Refusal("VALIDATION", { faults });
}

/**
 * What is thrown while a call is answered. A 422 repeats nothing of a body here: passwords, codes and links stand there,
 * and a page knows what it sent. A refusal by a part that knows no bodies becomes a 422 that says the same.
 */
export function withFaults(error: unknown): unknown {
  if (!(error instanceof Refusal) || error.code !== "VALIDATION") return error;
  if (error.faults.length > 0) {
    const faults = error.faults.map((one) => (one.loc[0] === "body" ? { ...one, input: null } : one));
    return new Refusal("VALIDATION", { faults, cause: error });
  }
  const loc = error.field === null ? ["body"] : ["body", error.field];
  const fault = { loc, msg: error.message, type: "value_error", input: null, ctx: { reason: "refused" } };
  return new Refusal("VALIDATION", { faults: [fault], cause: error });
}
