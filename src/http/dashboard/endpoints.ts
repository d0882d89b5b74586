import type { z } from "zod";
import { OwnExportsView } from "./export-shapes.ts";
import * as people from "./people-shapes.ts";
import * as results from "./result-shapes.ts";
import * as runs from "./run-shapes.ts";
import * as shapes from "./shapes.ts";
import * as signIn from "./sign-in-shapes.ts";
import * as tokens from "./token-shapes.ts";
import * as usage from "./usage-shapes.ts";

/**
 * What a call needs. "everybody": nothing; "leaving": a session, or one that has ended already; "reader": a session,
 * however it was opened. The others want one that a password or a link opened: "person": of anybody, for what is their own;
 * "member": of a person who is no viewer, for what costs credits or changes something; "accountOwner": of an owner of the
 * account, for its people, its payments and its end; "owner": of an owner of the installation. Source: security P15.
 */
export type Audience = "everybody" | "leaving" | "reader" | "person" | "member" | "accountOwner" | "owner";

/** Where the pages' own interface is. */
export const DASHBOARD_BASE = "/api/dashboard";

/** Where its lookups are: each product's path below `/api`, asked and answered as there, paid by the session. */
export const LOOKUP_BASE = `${DASHBOARD_BASE}/lookup`;

type Input = z.ZodType<object> | null;
type Output = z.ZodType<object>;
type Method = "GET" | "POST" | "DELETE";

/** One call of the pages' own interface. Whatever is not GET needs a same-origin `Origin` and the CSRF header. */
export type DashboardEndpoint<I extends Input = Input, O extends Output = Output> = {
  readonly method: Method;
  /** Below `/api/dashboard`. */
  readonly path: string;
  readonly audience: Audience;
  readonly summary: string;
  /** True: its body holds a piece of a file. */
  readonly isUpload?: true;
  /** Body; null where there is none. */
  readonly input: I;
  /** `data` of the answer. */
  readonly output: O;
};

const get = <O extends Output>(
  path: string,
  audience: Audience,
  output: O,
  summary: string,
): DashboardEndpoint<null, O> => ({
  method: "GET",
  path,
  audience,
  summary,
  input: null,
  output,
});

const post = <I extends Input, O extends Output>(
  path: string,
  audience: Audience,
  summary: string,
  about: { readonly input: I; readonly output: O },
): DashboardEndpoint<I, O> => ({ method: "POST", path, audience, summary, ...about });

/** A POST that answers nothing but that it was done. */
const action = <I extends Input>(path: string, audience: Audience, summary: string, input: I) =>
  post(path, audience, summary, { input, output: shapes.Done });

const remove = (
  path: string,
  audience: Audience,
  summary: string,
): DashboardEndpoint<null, typeof shapes.Done> => ({
  method: "DELETE",
  path,
  audience,
  summary,
  input: null,
  output: shapes.Done,
});

/** Every endpoint. Lists take `?q=&limit=&offset=`, usage takes `?from=&to=`. `usage.csv`, `account/export` and `runs/:id/csv` and `/json` are apart: they answer a file. */
export const ENDPOINTS = {
  session: get(
    "/session",
    "everybody",
    shapes.SessionView,
    "Who is signed in, and what this installation offers",
  ),
  signUp: action(
    "/sign-up",
    "everybody",
    "Have a link mailed that opens an account; the same answer when the e-mail is taken",
    signIn.SignUpInput,
  ),
  viewSignUp: post("/sign-up/view", "everybody", "Whose account the link of a sign-up would open", {
    input: signIn.TokenInput,
    output: signIn.SignUpLink,
  }),
  openAccount: post("/sign-up/open", "everybody", "Open the account of a mailed link, and sign in", {
    input: signIn.OpenInput,
    output: shapes.SessionView,
  }),
  signIn: post("/sign-in", "everybody", "Sign in", { input: signIn.SignInInput, output: shapes.SessionView }),
  signOut: action(
    "/sign-out",
    "leaving",
    "End this session; one that has ended already is not a fault",
    null,
  ),
  requestReset: action(
    "/password/reset-request",
    "everybody",
    "Send a link that sets a new password",
    signIn.ResetRequestInput,
  ),
  viewReset: post("/password/reset/view", "everybody", "What a link is about, and the keys that work", {
    input: signIn.TokenInput,
    output: signIn.ResetLink,
  }),
  reset: post("/password/reset", "everybody", "Set a new password with the token of a link, and sign in", {
    input: signIn.ResetInput,
    output: shapes.SessionView,
  }),
  setPassword: action(
    "/password",
    "person",
    "Change the password; ends all other sessions",
    signIn.PasswordInput,
  ),
  sessions: get("/sessions", "reader", shapes.SessionsView, "Where this account is signed in"),
  endSession: remove("/sessions/:id", "person", "End a session"),
  endSessions: remove(
    "/sessions",
    "person",
    "End every session that `GET /sessions` lists, this one included",
  ),
  startTotp: post("/totp", "person", "Begin to set up an authenticator", {
    input: signIn.TotpStartInput,
    output: signIn.TotpStart,
  }),
  confirmTotp: post("/totp/confirm", "person", "Finish with its first code; gives the recovery codes", {
    input: signIn.TotpInput,
    output: signIn.RecoveryCodes,
  }),
  renewCodes: post("/totp/recovery-codes", "person", "New recovery codes; those of before end", {
    input: signIn.TotpInput,
    output: signIn.RecoveryCodes,
  }),
  removeTotp: action("/totp/remove", "person", "Go without, with a last code", signIn.TotpInput),
  alerts: get("/alerts", "person", shapes.AlertsView, "What this account is mailed about"),
  changeAlerts: post("/alerts", "person", "Choose what this account is mailed about", {
    input: shapes.AlertsInput,
    output: shapes.AlertsView,
  }),
  people: get("/people", "person", people.PeopleView, "Who signs in to this account, and who is invited"),
  invite: post("/people", "accountOwner", "Invite a person by a link that is mailed, or shown without mail", {
    input: people.InviteInput,
    output: people.InvitedView,
  }),
  withdrawInvitation: remove("/invitations/:id", "accountOwner", "Withdraw an invitation"),
  setRole: action(
    "/people/:id",
    "accountOwner",
    "Give a person another role; ends their sessions",
    people.RoleInput,
  ),
  removePerson: action(
    "/people/:id/remove",
    "accountOwner",
    "Remove a person, and end their sessions",
    people.RemovalInput,
  ),
  leave: action("/account/leave", "person", "Leave this account; the last owner cannot", people.RemovalInput),
  viewInvitation: post("/join/view", "everybody", "What an invitation's link is about", {
    input: signIn.TokenInput,
    output: people.InvitationView,
  }),
  join: post("/join", "everybody", "Accept an invitation with a password, and sign in", {
    input: signIn.OpenInput,
    output: shapes.SessionView,
  }),
  overview: get("/overview", "reader", shapes.OverviewView, "Plan, balance and the last calls"),
  keys: get("/keys", "reader", shapes.KeysView, "API keys, and the newest of the revoked"),
  createKey: post("/keys", "member", "Create an API key", {
    input: shapes.KeyInput,
    output: shapes.NewKeyView,
  }),
  updateKey: action("/keys/:id", "member", "Change name and limits of an API key", shapes.KeyUpdateInput),
  rollKey: post("/keys/:id/roll", "member", "Replace an API key; the old one works on for a while", {
    input: shapes.KeyRollInput,
    output: shapes.RolledKeyView,
  }),
  deleteAccount: action(
    "/account/delete",
    "accountOwner",
    "Delete this account with everything that names it",
    shapes.AccountDeletionInput,
  ),
  revokeKey: {
    ...remove("/keys/:id", "member", "Revoke a key at once, and end the sessions that it opened"),
    output: shapes.RevokedKeyView,
  },
  tokens: get("/tokens", "reader", tokens.TokensView, "Access tokens, and the newest of those that ended"),
  createToken: post("/tokens", "owner", "Create an access token for exports, decisions or the gate", {
    input: tokens.TokenCreationInput,
    output: tokens.NewTokenView,
  }),
  revokeToken: remove("/tokens/:id", "accountOwner", "Revoke an access token at once"),
  results: get(
    "/results",
    "reader",
    results.ResultsView,
    "Kept answers, narrowed by `?q=&verdict=&product=&run=`",
  ),
  result: get("/results/:id", "reader", results.ResultView, "One kept answer; costs nothing"),
  removeResult: remove("/results/:id", "member", "Delete a kept answer, and the links to it"),
  shareResult: post("/results/:id/shares", "member", "Make a link that shows a kept answer to anybody", {
    input: results.ShareInput,
    output: results.NewShareView,
  }),
  revokeShare: remove("/shares/:id", "member", "End a link at once"),
  runs: get("/runs", "reader", runs.RunsView, "Bulk runs"),
  run: get("/runs/:id", "reader", runs.RunView, "How far a bulk run is"),
  runItems: get("/runs/:id/items", "reader", runs.RunItemsView, "Its lines, narrowed by `?state=&verdict=`"),
  createRun: post("/runs", "member", "Open a bulk run, to which lines are added before it is started", {
    input: runs.RunInput,
    output: runs.NewRunView,
  }),
  addRunLines: {
    ...action(
      "/runs/:id/lines",
      "member",
      "Add lines to a run; a line that is there already is left as it is",
      runs.RunLinesInput,
    ),
    isUpload: true,
  },
  startRun: action(
    "/runs/:id/start",
    "member",
    "Start a run or resume a paused one; this session pays",
    null,
  ),
  cancelRun: action("/runs/:id/cancel", "member", "End a run at once", null),
  removeRun: remove("/runs/:id", "member", "Delete a run and the results that are kept of it"),
  usage: get("/usage", "reader", usage.UsageView, "Calls and credits per day, endpoint, key and status"),
  usageHours: get(
    "/usage/hours",
    "reader",
    usage.UsageHoursView,
    "One day of `?day=`, hour by hour, and how long calls took; as far as the history is kept",
  ),
  feeds: get("/feeds", "reader", shapes.FeedsView, "The state of every engine"),
  exports: get("/exports", "owner", OwnExportsView, "The exports, how each stands, and who fetched it"),
  releaseExport: action(
    "/exports/:name/release",
    "owner",
    "Put in force what is held back of an export",
    null,
  ),
  tryFeed: post("/feeds/:key/try", "owner", "One download or self-test of an engine; changes nothing", {
    input: null,
    output: shapes.FeedTrialView,
  }),
  updateFeed: post("/feeds/:key/update", "owner", "Retrieve a list now", {
    input: null,
    output: shapes.FeedView,
  }),
  switchFeed: post("/feeds/:key/switch", "owner", "Switch an engine on or off, before the configuration", {
    input: shapes.FeedSwitchInput,
    output: shapes.FeedView,
  }),
  billing: get("/billing", "reader", shapes.BillingView, "Plans, and what the account has"),
  checkout: post("/billing/checkout", "accountOwner", "Buy a first paid plan", {
    input: shapes.CheckoutInput,
    output: shapes.RedirectView,
  }),
  portal: post("/billing/portal", "accountOwner", "Change or cancel a paid plan", {
    input: null,
    output: shapes.RedirectView,
  }),
  adminAccounts: get("/admin/accounts", "owner", shapes.AccountsView, "All accounts"),
  adminAccount: get(
    "/admin/accounts/:id",
    "owner",
    shapes.AccountView,
    "One account with keys, use and audit log",
  ),
  adminChange: post("/admin/accounts/:id", "owner", "Change plan, credits, state or ownership", {
    input: shapes.AccountChangeInput,
    output: shapes.AccountView,
  }),
  adminAudit: get("/admin/audit", "owner", shapes.AuditView, "Everything that was changed, newest first"),
} as const satisfies Readonly<Record<string, DashboardEndpoint>>;
