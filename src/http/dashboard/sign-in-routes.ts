import { parseEmailName } from "../../accounts/account-rows.ts";
import { isoSeconds, isoSecondsOrNull } from "../../base/clock.ts";
import type { ResetMail } from "../../sessions/sessions.ts";
import type { SignInWish } from "../../sessions/sign-in.ts";
import { csrfTokenOf } from "../../sessions/tokens.ts";
import { ENDPOINTS } from "./endpoints.ts";
import { judgingField, judgingPassword, missingFields } from "./fields.ts";
import type { DashboardParts } from "./parts.ts";
import { type DashboardCall, gives, mayTake, signedIn, takes } from "./route.ts";

const DONE = { done: true } as const;

/** Signing up, in and out, passwords, the second factor, and where the account is signed in. */
export const SIGN_IN_ROUTES = {
  session: gives(ENDPOINTS.session, ({ dashboard, token }) => viewSession(dashboard, token)),
  signUp: takes(ENDPOINTS.signUp, async (call, body) => {
    await judgingField("email", body, () => parseEmailName(body.email));
    const { dashboard, client } = call;
    const { issue } = await dashboard.sessions.requestSignUp({ email: body.email, client });
    dashboard.afterwards(async () => {
      const mail = await issue();
      if (mail !== null) await dashboard.post?.signUp(mail);
    });
    return DONE;
  }),
  viewSignUp: takes(ENDPOINTS.viewSignUp, ({ dashboard }, body) =>
    judgingField("token", body, () => dashboard.sessions.viewSignUp(body.token)),
  ),
  openAccount: takes(ENDPOINTS.openAccount, async (call, body) => {
    const wish = { ...body, client: call.client };
    const token = await judgingPassword("password", body, () => call.dashboard.sessions.openAccount(wish));
    return beginSession(call, token);
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
  viewReset: takes(ENDPOINTS.viewReset, async ({ dashboard }, body) => {
    const view = await judgingField("token", body, () => dashboard.sessions.viewReset(body.token));
    return {
      email: view.email,
      is_proved: view.isProved,
      needs_totp: view.keepsTotp,
      keys: view.keys.map(({ id, name, prefix, createdAt, lastUsedAt }) => ({
        ...{ id, name, prefix },
        created_at: isoSeconds(createdAt),
        last_used_at: isoSecondsOrNull(lastUsedAt),
      })),
    };
  }),
  reset: takes(ENDPOINTS.reset, async (call, body) => {
    const { token, new_password: newPassword, revoke_keys: revokeKeys = [] } = body;
    const totpCode = body.totp_code || null;
    const wish = { token, newPassword, totpCode, revokeKeys, client: call.client };
    const opened = await judgingPassword("new_password", body, () =>
      call.dashboard.sessions.resetPassword(wish),
    );
    return beginSession(call, opened);
  }),
  setPassword: takes(ENDPOINTS.setPassword, async (call, body) => {
    const session = signedIn(call);
    const currentPassword = body.current_password ?? null;
    const wish = { session, client: call.client, currentPassword, newPassword: body.new_password };
    await judgingPassword("new_password", body, () => call.dashboard.sessions.setPassword(wish));
    return DONE;
  }),
  sessions: gives(ENDPOINTS.sessions, async (call) => {
    const session = signedIn(call);
    const rows = await call.dashboard.sessions.list(session);
    const sessions = rows.map((row) => ({
      id: row.id,
      created_at: isoSeconds(row.createdAt),
      last_seen_at: isoSeconds(row.lastSeenAt),
      expires_at: isoSeconds(row.expiresAt),
      client_address: row.clientAddress,
      user_agent: row.userAgent,
      is_current: row.id === session.id,
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
  endSessions: gives(ENDPOINTS.endSessions, async (call) => {
    await call.dashboard.sessions.endAll(signedIn(call));
    call.setToken(null);
    return DONE;
  }),
  startTotp: mayTake(ENDPOINTS.startTotp, (call, body) => {
    const currentPassword = body.current_password ?? null;
    const wish = { session: signedIn(call), client: call.client, currentPassword };
    return judgingField("current_password", body, () => call.dashboard.sessions.startTotp(wish));
  }),
  confirmTotp: takes(ENDPOINTS.confirmTotp, async (call, body) => {
    const wish = { session: signedIn(call), client: call.client, code: body.totp_code };
    const { confirmTotp } = call.dashboard.sessions;
    return { recovery_codes: [...(await judgingField("totp_code", body, () => confirmTotp(wish)))] };
  }),
  renewCodes: takes(ENDPOINTS.renewCodes, async (call, body) => {
    const wish = { session: signedIn(call), client: call.client, code: body.totp_code };
    const { renewCodes } = call.dashboard.sessions;
    return { recovery_codes: [...(await judgingField("totp_code", body, () => renewCodes(wish)))] };
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
export async function beginSession(call: DashboardCall, token: string | null) {
  const { dashboard, session, setToken } = call;
  if (session !== null) await dashboard.sessions.signOut(session);
  setToken(token);
  if (token !== null) noteSignIn(call, token);
  return viewSession(dashboard, token ?? "");
}

function noteSignIn({ dashboard, client }: DashboardCall, token: string): void {
  dashboard.afterwards(async () => {
    const person = (await dashboard.sessions.find(token))?.person ?? null;
    if (person !== null) await dashboard.alerts.signedIn(person, client);
  });
}

async function viewSession(dashboard: DashboardParts, token: string) {
  const session = await dashboard.sessions.find(token);
  const installation = {
    signup: dashboard.signup,
    key_sign_in: dashboard.keySignIn,
    has_billing: dashboard.billing.isOn,
    has_mail: dashboard.post !== null,
    kept_result_days: dashboard.results.keptDays,
  };
  if (session === null) return { account: null, csrf_token: null, ...installation };
  const { id, email, plan } = session.account;
  const { person } = session;
  const { password, totp, recoveryCodes } = await dashboard.sessions.waysIn(person?.id ?? id);
  const account = {
    ...{ id, email, plan, has_password: password, has_totp: totp },
    person: person === null ? null : { id: person.id, email: person.email, role: person.role },
    is_owner: dashboard.sessions.isOperator(session),
    is_reader: person === null || person.role === "viewer",
    recovery_codes_left: recoveryCodes,
    is_proved: session.account.emailProvedAt !== null,
  };
  return { account, csrf_token: csrfTokenOf(token), ...installation };
}

async function sendLink(
  { dashboard: { post }, parts }: DashboardCall,
  issue: () => Promise<ResetMail | null>,
): Promise<void> {
  if (post === null) {
    parts.calls.deps.log.warn(
      "A new password was requested, but no mail was sent: mail.smtp_url is not set. " +
        "`repute account reset-password EMAIL` prints a link",
    );
    return;
  }
  const mail = await issue();
  if (mail !== null) await post.reset(mail);
}
