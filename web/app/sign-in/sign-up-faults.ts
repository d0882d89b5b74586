import { CallFailure, type FieldFault } from "../../api/failure.ts";
import type { Shapes } from "../../api/types.gen.ts";

/**
 * What is plainly wrong with a sign-up, said before it is sent. Null where the service is to judge.
 */
export function signUpFault({ email }: Shapes["SignUpInput"]): CallFailure | null {
  const faults: FieldFault[] = [];
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) {
    faults.push({ field: "email", message: "Not an e-mail address: write it like someone@example.org" });
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
