import { CallFailure, type FieldFault } from "../../api/failure.ts";
import type { Shapes } from "../../api/types.gen.ts";

const MIN_PASSWORD = 8;

/**
 * What is plainly wrong with a sign-up, all of it at once: the service names the first fault alone. Null where the
 * service is to judge.
 */
export function signUpFault({ email, password }: Shapes["SignUpInput"]): CallFailure | null {
  const faults: FieldFault[] = [];
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) {
    faults.push({ field: "email", message: "Not an e-mail address: write it like someone@example.org" });
  }
  if (password.length < MIN_PASSWORD) {
    faults.push({ field: "password", message: `Too short: at least ${MIN_PASSWORD} characters` });
  }
  const [first] = faults;
  if (first === undefined) return null;
  return new CallFailure({
    status: 422,
    code: "VALIDATION",
    message: first.message,
    requestId: null,
    retryAfterS: null,
    faults,
    cost: null,
  });
}
