import { call, download } from "./client.ts";
import type { ProductWord, Reports } from "./products.ts";
import type { Shapes } from "./types.gen.ts";

const BASE = "/api/dashboard";
let csrfToken: string | null = null;

/** Keeps the token that every changing call sends along. */
export function rememberCsrfToken(token: string | null): void {
  csrfToken = token;
}

/** What proves that a call comes from a page of this session. */
export const csrfHeaders = (): Readonly<Record<string, string>> =>
  csrfToken === null ? {} : { "X-CSRF-Token": csrfToken };

async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await call<T>(`${BASE}${path}`, { signal })).data;
}

async function change<T>(path: string, body?: object, method: "POST" | "DELETE" = "POST"): Promise<T> {
  return (await call<T>(`${BASE}${path}`, { method, body, headers: csrfHeaders() })).data;
}

const at = (id: string): string => encodeURIComponent(id);
const search = (members: Readonly<Record<string, string | number>>): string =>
  `?${new URLSearchParams(Object.entries(members).map(([name, value]) => [name, String(value)]))}`;

export type ListQuery = { readonly q: string; readonly limit: number; readonly offset: number };
export type ResultsQuery = ListQuery & { readonly verdict: string; readonly product: string };

export type RunItemsQuery = {
  readonly state: string;
  readonly verdict: string;
  readonly limit: number;
  readonly offset: number;
};

/** A kept answer, the report of its product as it was then, with its links. */
export type KeptResultView = {
  readonly result: Omit<Shapes["ResultView"]["result"], "report"> & {
    readonly report: Reports[ProductWord];
  };
  readonly shares: Shapes["ResultView"]["shares"];
};

export type Range = { readonly from: string; readonly to: string };

/** The pages' own interface, call by call; `signal` ends a read whose result is no longer needed. */
export const dashboard = {
  session: (signal?: AbortSignal) => get<Shapes["SessionView"]>("/session", signal),
  signUp: (input: Shapes["SignUpInput"]) => change<Shapes["Done"]>("/sign-up", input),
  viewSignUp: (input: Shapes["TokenInput"]) => change<Shapes["SignUpLink"]>("/sign-up/view", input),
  openAccount: (input: Shapes["OpenInput"]) => change<Shapes["SessionView"]>("/sign-up/open", input),
  signIn: (input: Shapes["SignInInput"]) => change<Shapes["SessionView"]>("/sign-in", input),
  signOut: () => change<Shapes["Done"]>("/sign-out"),
  requestReset: (input: Shapes["ResetRequestInput"]) =>
    change<Shapes["Done"]>("/password/reset-request", input),
  viewReset: (input: Shapes["TokenInput"]) => change<Shapes["ResetLink"]>("/password/reset/view", input),
  reset: (input: Shapes["ResetInput"]) => change<Shapes["SessionView"]>("/password/reset", input),
  setPassword: (input: Shapes["PasswordInput"]) => change<Shapes["Done"]>("/password", input),
  sessions: (signal?: AbortSignal) => get<Shapes["SessionsView"]>("/sessions", signal),
  endSession: (id: string) => change<Shapes["Done"]>(`/sessions/${at(id)}`, undefined, "DELETE"),
  endSessions: () => change<Shapes["Done"]>("/sessions", undefined, "DELETE"),
  startTotp: (input: Shapes["TotpStartInput"]) => change<Shapes["TotpStart"]>("/totp", input),
  confirmTotp: (input: Shapes["TotpInput"]) => change<Shapes["RecoveryCodes"]>("/totp/confirm", input),
  renewCodes: (input: Shapes["TotpInput"]) => change<Shapes["RecoveryCodes"]>("/totp/recovery-codes", input),
  removeTotp: (input: Shapes["TotpInput"]) => change<Shapes["Done"]>("/totp/remove", input),
  alerts: (signal?: AbortSignal) => get<Shapes["AlertsView"]>("/alerts", signal),
  changeAlerts: (input: Shapes["AlertsInput"]) => change<Shapes["AlertsView"]>("/alerts", input),
  people: (signal?: AbortSignal) => get<Shapes["PeopleView"]>("/people", signal),
  invite: (input: Shapes["InviteInput"]) => change<Shapes["InvitedView"]>("/people", input),
  withdrawInvitation: (id: string) => change<Shapes["Done"]>(`/invitations/${at(id)}`, undefined, "DELETE"),
  setRole: (id: string, input: Shapes["RoleInput"]) => change<Shapes["Done"]>(`/people/${at(id)}`, input),
  removePerson: (id: string, input: Shapes["RemovalInput"]) =>
    change<Shapes["Done"]>(`/people/${at(id)}/remove`, input),
  leaveAccount: (input: Shapes["RemovalInput"]) => change<Shapes["Done"]>("/account/leave", input),
  viewInvitation: (input: Shapes["TokenInput"]) => change<Shapes["InvitationView"]>("/join/view", input),
  join: (input: Shapes["OpenInput"]) => change<Shapes["SessionView"]>("/join", input),
  overview: (signal?: AbortSignal) => get<Shapes["OverviewView"]>("/overview", signal),
  keys: (signal?: AbortSignal) => get<Shapes["KeysView"]>("/keys", signal),
  createKey: (input: Shapes["KeyInput"]) => change<Shapes["NewKeyView"]>("/keys", input),
  updateKey: (id: string, input: Shapes["KeyUpdateInput"]) =>
    change<Shapes["Done"]>(`/keys/${at(id)}`, input),
  rollKey: (id: string, input: Shapes["KeyRollInput"]) =>
    change<Shapes["RolledKeyView"]>(`/keys/${at(id)}/roll`, input),
  revokeKey: (id: string) => change<Shapes["RevokedKeyView"]>(`/keys/${at(id)}`, undefined, "DELETE"),
  tokens: (signal?: AbortSignal) => get<Shapes["TokensView"]>("/tokens", signal),
  createToken: (input: Shapes["TokenCreationInput"]) => change<Shapes["NewTokenView"]>("/tokens", input),
  revokeToken: (id: string) => change<Shapes["Done"]>(`/tokens/${at(id)}`, undefined, "DELETE"),
  /** Everything that is stored of the account, as a JSON file. */
  exportAccount: () => download(`${BASE}/account/export`),
  deleteAccount: (input: Shapes["AccountDeletionInput"]) => change<Shapes["Done"]>("/account/delete", input),
  results: (query: ResultsQuery, signal?: AbortSignal) =>
    get<Shapes["ResultsView"]>(`/results${search(query)}`, signal),
  result: (id: string, signal?: AbortSignal) => get<KeptResultView>(`/results/${at(id)}`, signal),
  removeResult: (id: string) => change<Shapes["Done"]>(`/results/${at(id)}`, undefined, "DELETE"),
  shareResult: (id: string, input: Shapes["ShareInput"]) =>
    change<Shapes["NewShareView"]>(`/results/${at(id)}/shares`, input),
  revokeShare: (id: string) => change<Shapes["Done"]>(`/shares/${at(id)}`, undefined, "DELETE"),
  runs: (signal?: AbortSignal) => get<Shapes["RunsView"]>("/runs", signal),
  run: (id: string, signal?: AbortSignal) => get<Shapes["RunView"]>(`/runs/${at(id)}`, signal),
  runItems: (id: string, query: RunItemsQuery, signal?: AbortSignal) =>
    get<Shapes["RunItemsView"]>(`/runs/${at(id)}/items${search(query)}`, signal),
  createRun: (input: Shapes["RunInput"]) => change<Shapes["NewRunView"]>("/runs", input),
  addRunLines: (id: string, input: Shapes["RunLinesInput"]) =>
    change<Shapes["Done"]>(`/runs/${at(id)}/lines`, input),
  startRun: (id: string) => change<Shapes["Done"]>(`/runs/${at(id)}/start`),
  cancelRun: (id: string) => change<Shapes["Done"]>(`/runs/${at(id)}/cancel`),
  removeRun: (id: string) => change<Shapes["Done"]>(`/runs/${at(id)}`, undefined, "DELETE"),
  /** Address of a run as a file. */
  runFile: (id: string, end: "csv" | "json") => `${BASE}/runs/${at(id)}/${end}`,
  usageHours: (day: string, signal?: AbortSignal) =>
    get<Shapes["UsageHoursView"]>(`/usage/hours${search({ day })}`, signal),
  usage: (range: Range, signal?: AbortSignal) => get<Shapes["UsageView"]>(`/usage${search(range)}`, signal),
  exports: (signal?: AbortSignal) => get<Shapes["OwnExportsView"]>("/exports", signal),
  releaseExport: (name: string) => change<Shapes["Done"]>(`/exports/${at(name)}/release`),
  feeds: (signal?: AbortSignal) => get<Shapes["FeedsView"]>("/feeds", signal),
  tryFeed: (key: string) => change<Shapes["FeedTrialView"]>(`/feeds/${at(key)}/try`),
  updateFeed: (key: string) => change<Shapes["FeedView"]>(`/feeds/${at(key)}/update`),
  switchFeed: (key: string, input: Shapes["FeedSwitchInput"]) =>
    change<Shapes["FeedView"]>(`/feeds/${at(key)}/switch`, input),
  billing: (signal?: AbortSignal) => get<Shapes["BillingView"]>("/billing", signal),
  checkout: (input: Shapes["CheckoutInput"]) => change<Shapes["RedirectView"]>("/billing/checkout", input),
  portal: () => change<Shapes["RedirectView"]>("/billing/portal"),
  accounts: (query: ListQuery, signal?: AbortSignal) =>
    get<Shapes["AccountsView"]>(`/admin/accounts${search(query)}`, signal),
  account: (id: string, signal?: AbortSignal) =>
    get<Shapes["AccountView"]>(`/admin/accounts/${at(id)}`, signal),
  changeAccount: (id: string, input: Shapes["AccountChangeInput"]) =>
    change<Shapes["AccountView"]>(`/admin/accounts/${at(id)}`, input),
  audit: (query: ListQuery, signal?: AbortSignal) =>
    get<Shapes["AuditView"]>(`/admin/audit${search(query)}`, signal),
};
