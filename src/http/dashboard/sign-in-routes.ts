import { parseEmailName } from "../../accounts/account-rows.ts";
import { isoSeconds } from "../../clock.ts";
import { assertPassword } from "../../sessions/passwords.ts";
import type { SignInWish } from "../../sessions/sign-in.ts";
import { csrfTokenOf } from "../../sessions/tokens.ts";
import { ENDPOINTS } from "./endpoints.ts";
import { judgingField, missingFields } from "./fields.ts";
import type { DashboardParts } from "./parts.ts";
import { type DashboardCall, gives, mayTake, signedIn, takes } from "./route.ts";

const DONE = { done: true } as const;

/** Signing up, in and out, passwords, the second factor, and where the account is signed in. */
export const SIGN_IN_ROUTES = {
  session: gives(ENDPOINTS.session, ({ dashboard, token }) => viewSession(dashboard, token)),
  signUp: takes(ENDPOINTS.signUp, async ({ dashboard, client }, body) => {
    const { email, password } = body;
    await judgingField("email", body, () => parseEmailName(email));
    await judgingField("password", body, () => assertPassword(password));
    await dashboard.sessions.signUp({ email, password, client });
    return DONE;
  }),
  signIn: takes(ENDPOINTS.signIn, async (call, body) => {
    const proof = proofOf(body);
    const totpCode = body.totp_code || null;
    const token = await call.dashboard.sessions.signIn({ proof, totpCode, client: call.client });
    return beginSession(call, token);
  }),
  signOut: gives(ENDPOINTS.signOut, async (call) => {
    if (call.session !== null) await call.dashboard.sessions.signOut(call.session);
    call.setToken(null);
    return DONE;
  }),
  requestReset: takes(ENDPOINTS.requestReset, async (call, body) => {
    await judgingField("email", body, () => parseEmailName(body.email));
    const { issue } = await call.dashboard.sessions.requestReset({ email: body.email, client: call.client });
    call.dashboard.afterwards(() => sendLink(call, issue));
    return DONE;
  }),
  reset: takes(ENDPOINTS.reset, async (call, body) => {
    await judgingField("new_password", body, () => assertPassword(body.new_password));
    const wish = { token: body.token, newPassword: body.new_password, client: call.client };
    const token = await judgingField("token", body, () => call.dashboard.sessions.resetPassword(wish));
    return beginSession(call, token);
  }),
  setPassword: takes(ENDPOINTS.setPassword, async (call, body) => {
    await judgingField("new_password", body, () => assertPassword(body.new_password));
    const session = signedIn(call);
    const currentPassword = body.current_password ?? null;
    const wish = { session, client: call.client, currentPassword, newPassword: body.new_password };
    await judgingField("current_password", body, () => call.dashboard.sessions.setPassword(wish));
    return DONE;
  }),
  sessions: gives(ENDPOINTS.sessions, async (call) => {
    const { id, account } = signedIn(call);
    const rows = await call.dashboard.sessions.list(account.id);
    const sessions = rows.map((row) => ({
      id: row.id,
      created_at: isoSeconds(row.createdAt),
      last_seen_at: isoSeconds(row.lastSeenAt),
      expires_at: isoSeconds(row.expiresAt),
      client_address: row.clientAddress,
      user_agent: row.userAgent,
      is_current: row.id === id,
    }));
    return { sessions };
  }),
  endSession: gives(ENDPOINTS.endSession, async (call) => {
    const session = signedIn(call);
    const id = call.param("id");
    await call.dashboard.sessions.end(id, session);
    if (id === session.id) call.setToken(null);
    return DONE;
  }),
  startTotp: mayTake(ENDPOINTS.startTotp, (call, body) => {
    const currentPassword = body.current_password ?? null;
    const wish = { session: signedIn(call), client: call.client, currentPassword };
    return judgingField("current_password", body, () => call.dashboard.sessions.startTotp(wish));
  }),
  confirmTotp: takes(ENDPOINTS.confirmTotp, async (call, body) => {
    const wish = { session: signedIn(call), client: call.client, code: body.totp_code };
    await judgingField("totp_code", body, () => call.dashboard.sessions.confirmTotp(wish));
    return DONE;
  }),
  removeTotp: takes(ENDPOINTS.removeTotp, async (call, body) => {
    const wish = { session: signedIn(call), client: call.client, code: body.totp_code };
    await judgingField("totp_code", body, () => call.dashboard.sessions.removeTotp(wish));
    return DONE;
  }),
};

function proofOf(body: {
  readonly email?: string | undefined;
  readonly password?: string | undefined;
  readonly api_key?: string | undefined;
}): SignInWish["proof"] {
  const { email, password, api_key: key } = body;
  if (key !== undefined && key !== "") return { kind: "key", key };
  if (email !== undefined && password !== undefined) return { kind: "password", email, password };
  throw missingFields(
    ...(email === undefined ? ["email"] : []),
    ...(password === undefined ? ["password"] : []),
  );
}

/** Every sign-in begins a session of its own; the one that the browser came with ends. Source: security P15. */
async function beginSession(call: DashboardCall, token: string | null) {
  const { dashboard, session, setToken } = call;
  if (session !== null) await dashboard.sessions.signOut(session);
  setToken(token);
  return viewSession(dashboard, token ?? "");
}

async function viewSession(dashboard: DashboardParts, token: string) {
  const session = await dashboard.sessions.find(token);
  const installation = {
    signup: dashboard.signup,
    key_sign_in: dashboard.keySignIn,
    has_billing: dashboard.billing.isOn,
    has_mail: dashboard.sendResetLink !== null,
  };
  if (session === null) return { account: null, csrf_token: null, ...installation };
  const { id, email, plan } = session.account;
  const { password, totp } = await dashboard.sessions.waysIn(id);
  const isOwner = dashboard.sessions.isOwner(session.account);
  const account = {
    id,
    email,
    plan,
    is_owner: isOwner,
    has_password: password,
    has_totp: totp,
    is_reader: session.keyId !== null,
  };
  return { account, csrf_token: csrfTokenOf(token), ...installation };
}

async function sendLink(
  { dashboard: { sendResetLink }, parts }: DashboardCall,
  issue: () => Promise<{ readonly token: string; readonly email: string } | null>,
): Promise<void> {
  if (sendResetLink === null) {
    parts.calls.deps.log.warn(
      "Somebody asked for a new password, and nothing was sent: there is no mail.smtp_url. " +
        "`repute account reset-password EMAIL` prints a link",
    );
    return;
  }
  const link = await issue();
  if (link !== null) await sendResetLink(link.email, link.token);
}
