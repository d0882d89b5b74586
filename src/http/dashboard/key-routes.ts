import type { ApiKey } from "../../accounts/accounts.ts";
import type { KeyOptions } from "../../accounts/key-options.ts";
import { checkOverlap, parseExpiry, parseNetworks, parseProducts } from "../../accounts/key-options.ts";
import { parseKeyName } from "../../accounts/key-rows.ts";
import { planOf } from "../../accounts/plans.ts";
import { isoSecondsOrNull } from "../../base/clock.ts";
import { DAY_MS } from "../../base/durations.ts";
import { PRODUCT_NAMES } from "../../products/all.ts";
import { lastDays } from "./days.ts";
import { ENDPOINTS } from "./endpoints.ts";
import { judgingField } from "./fields.ts";
import { askedBy, type DashboardCall, gives, mayTake, signedIn, takes } from "./route.ts";
import { viewAudit, viewKey } from "./views.ts";

/** Keys are made and revoked without end: a page shows the newest of the revoked. `repute key list` has all. */
export const MAX_REVOKED_KEYS = 100;

const OVERLAP_MS = DAY_MS;

/** The keys of an account. */
export const KEY_ROUTES = {
  keys: gives(ENDPOINTS.keys, async (call) => {
    const { account, person } = signedIn(call);
    const { id, plan } = account;
    const { accounts, team, usage } = call.dashboard;
    const people = new Map((await team.list(id)).map((one) => [one.person.id, one.person.email]));
    const viewOf = (key: ApiKey) => ({
      ...viewKey(key, calls.get(key.id) ?? 0),
      made_by: people.get(key.personId ?? "") ?? null,
      may_change: person?.role === "owner" || (person?.role === "member" && person.id === key.personId),
    });
    const keys = await accounts.listKeys({ accountId: id, maxRevoked: MAX_REVOKED_KEYS });
    const calls = await usage.callsByKey(id, lastDays(call.parts.calls.clock.now(), 30));
    return {
      keys: keys.map(viewOf),
      active: keys.filter(countsForPlan).length,
      max: planOf(plan).maxApiKeys,
      products: PRODUCT_NAMES,
    };
  }),
  createKey: takes(ENDPOINTS.createKey, async (call, { name: text, ...limits }) => {
    const name = await judgingField("name", { name: text }, () => parseKeyName(text));
    const options = await readLimits(call, limits);
    const made = await call.dashboard.accounts.createKey({ ...askedByPerson(call), name, options });
    const { id, prefix } = made.key;
    return { id, name: made.key.name, prefix, key: made.text };
  }),
  updateKey: takes(ENDPOINTS.updateKey, async (call, { name, ...limits }) => {
    if (name !== undefined) await judgingField("name", { name }, () => parseKeyName(name));
    const options = await readLimits(call, limits);
    const update = { ...options, ...(name === undefined ? {} : { name }) };
    await call.dashboard.accounts.updateKey(call.param("id"), update, askedByPerson(call));
    return { done: true } as const;
  }),
  rollKey: mayTake(ENDPOINTS.rollKey, async (call, body) => {
    const { overlap_s: seconds, expires_at } = body;
    const overlapMs = await judgingField("overlap_s", body, () =>
      checkOverlap(seconds === undefined ? OVERLAP_MS : 1000 * seconds),
    );
    const { expiresAt } = await readLimits(call, { expires_at });
    const wish = { overlapMs, ...(expiresAt === undefined ? {} : { expiresAt }) };
    const { key, text, old } = await call.dashboard.accounts.rollKey(
      call.param("id"),
      wish,
      askedByPerson(call),
    );
    const until = old.state === "active" ? old.options.expiresAt : null;
    const replaced = { prefix: old.prefix, works_until: isoSecondsOrNull(until) };
    return { id: key.id, name: key.name, prefix: key.prefix, key: text, replaced };
  }),
  revokeKey: gives(ENDPOINTS.revokeKey, async (call) => {
    const { made, endedSessions } = await call.dashboard.accounts.revokeKey(
      call.param("id"),
      askedByPerson(call),
    );
    const { email } = signedIn(call).account;
    const rows = made.map((row) => viewAudit({ ...row, email }));
    return { done: true, ended_sessions: endedSessions, made: rows } as const;
  }),
};

const countsForPlan = ({ state, replacedBy, sessionId }: ApiKey): boolean =>
  state === "active" && replacedBy === null && sessionId === null;

function askedByPerson(call: DashboardCall) {
  const { person } = signedIn(call);
  return { ...askedBy(call), ...(person === null ? {} : { person }) };
}

type Limits = {
  readonly expires_at?: string | null | undefined;
  readonly networks?: readonly string[] | null | undefined;
  readonly products?: readonly string[] | null | undefined;
};

/** The limits that a body names; null takes one away, and what is left out is not there. */
async function readLimits(call: DashboardCall, body: Limits): Promise<Partial<KeyOptions>> {
  const now = call.parts.calls.clock.now();
  const { expires_at: expiry, networks, products } = body;
  const read = <T, R>(field: string, value: T | null, parse: (value: T) => R) =>
    value === null ? null : judgingField(field, body, () => parse(value));
  return {
    ...(expiry === undefined
      ? {}
      : { expiresAt: await read("expires_at", expiry, (text) => parseExpiry(text, now)) }),
    ...(networks === undefined ? {} : { networks: await read("networks", networks, parseNetworks) }),
    ...(products === undefined
      ? {}
      : { products: await read("products", products, (names) => parseProducts(names, PRODUCT_NAMES)) }),
  };
}
