import { InvalidValue } from "../../base/failure.ts";
import { ENDPOINTS } from "./endpoints.ts";
import { judgingField } from "./fields.ts";
import { type DashboardCall, signedIn, takes } from "./route.ts";

/** The end of an account, on its own wish. */
export const DELETION_ROUTES = {
  deleteAccount: takes(ENDPOINTS.deleteAccount, async (call, body) => {
    const { dashboard } = call;
    const { email, password, totp_code: code } = body;
    const wish = { session: signedIn(call), email, password, totpCode: code || null };
    await dashboard.sessions.closeAccount(wish, dashboard.deletion).catch((error: unknown) => {
      const field = error instanceof InvalidValue ? (FIELDS[error.reason] ?? "password") : "password";
      return judgingField(field, body, () => Promise.reject(error));
    });
    call.setToken(null);
    dashboard.afterwards(dashboard.forgetDeleted);
    return { done: true } as const;
  }),
};

const FIELDS: Readonly<Record<string, string>> = {
  email_different: "email",
  password_wrong: "password",
  code_wrong: "totp_code",
};

/** Everything that is stored of the account, as pieces of one JSON object. */
export async function exportOf(call: DashboardCall): Promise<AsyncGenerator<string>> {
  // Calls that were refused a moment ago are part of it.
  await call.parts.calls.ledger.flush();
  return call.dashboard.sessions.exportAccount(signedIn(call));
}
