import { AsyncLocalStorage } from "node:async_hooks";
import type { Work } from "../base/work.ts";

/**
 * On whose behalf something is done: one holder, or all who wait for the same work. A holder is an account, the free
 * callers together, or the service itself.
 */
export type Party = {
  /** The holder of a party of one; null: `members` say it. */
  readonly holder: string | null;
  /** The parties that wait for shared work, the one that began it first. */
  readonly members: Party[];
  /** Called when another party joins; null while no one asked to be told. */
  watchers: Set<() => void> | null;
};

const partyOf = (holder: string): Party => ({ holder, members: [], watchers: null });

/** Feeds, self-tests, probes, the refresh of what registries publish: what no caller asked for. */
export const SERVICE = partyOf("the service");
/** Callers of the free tools, all together. */
export const FREE_CALLERS = partyOf("free callers");

const MAX_KNOWN = 10_000;
const accounts = new Map<string, Party>();

/** The party of an account. */
export function partyOfAccount(accountId: string): Party {
  const known = accounts.get(accountId);
  if (known !== undefined) return known;
  const party = partyOf(`account ${accountId}`);
  accounts.set(accountId, party);
  const oldest = accounts.keys().next();
  if (accounts.size > MAX_KNOWN && !oldest.done) accounts.delete(oldest.value);
  return party;
}

/** What steps are taken for. */
type Behalf = {
  readonly party: Party;
  /** The call's, whose slot stays taken until it is over; null: no call waits for it. */
  readonly work: Work | null;
};

const storage = new AsyncLocalStorage<Behalf>();

/** Takes `steps`, and all that they begin, on behalf of the party: of one call of its, or of none. Source: decision 0014. */
export const onBehalfOf = <T>(party: Party, steps: () => T, work: Work | null = null): T =>
  storage.run({ party, work }, steps);

/** Takes steps that several may come to wait for; they stay under way for the call that began them. */
export const onBehalfOfAll = <T>(shared: Party, steps: () => T): T =>
  onBehalfOf(shared, steps, storage.getStore()?.work ?? null);

/** The party of the present steps; by default the service itself. */
export const presentParty = (): Party => storage.getStore()?.party ?? SERVICE;

/** Counts something that begins now for the call whose step this is; what comes back ends it, once. Outside of calls it counts nothing. */
export const beginTask = (): (() => void) => storage.getStore()?.work?.begin() ?? noTask;

const noTask = (): void => undefined;

/** The party of work that several may come to wait for; at first it is the present one's. */
export const sharedParty = (): Party => ({ holder: null, members: [presentParty()], watchers: null });

/** Lets the present party share in work that another one began: from now on it waits in the turns of both. */
export function joinParty(shared: Party): void {
  const joining = presentParty();
  if (shared.members.length === 1 && firstHolderOf(shared) === joining.holder) return;
  const known = holdersOf(shared);
  let isNew = false;
  for (const holder of holdersOf(joining)) isNew ||= !known.includes(holder);
  if (!isNew) return;
  shared.members.push(joining);
  for (const watcher of [...(shared.watchers ?? [])]) watcher();
}

/** The first of the holders. */
export function firstHolderOf(party: Party): string {
  let first: Party | undefined = party;
  while (first !== undefined && first.holder === null) first = first.members[0];
  return first?.holder ?? "";
}

/** All holders, the first one first. */
export function holdersOf(party: Party): readonly string[] {
  const only = onlyHolderOf(party);
  if (only !== null) return [only];
  const holders = new Set<string>();
  // Grows while it is walked through.
  const parties = new Set([party]);
  for (const { holder, members } of parties) {
    if (holder !== null) holders.add(holder);
    for (const member of members) parties.add(member);
  }
  return [...holders];
}

/** The holder of work that one party alone waits for, as of most; else null. */
function onlyHolderOf(party: Party): string | null {
  let one: Party | undefined = party;
  while (one !== undefined && one.holder === null)
    one = one.members.length === 1 ? one.members[0] : undefined;
  return one?.holder ?? null;
}

/** Calls `onJoined` whenever another holder joins, also a party that is part of this one, until the returned function is called. */
export function watchParty(party: Party, onJoined: () => void): () => void {
  const watched: Party[] = [];
  const watch = (one: Party): void => {
    // A party of one is never joined.
    if (one.holder !== null || watched.includes(one)) return;
    watched.push(one);
    one.watchers ??= new Set();
    one.watchers.add(joined);
    for (const member of one.members) watch(member);
  };
  const joined = (): void => {
    for (const one of watched.slice()) for (const member of one.members) watch(member);
    onJoined();
  };
  watch(party);
  return () => {
    for (const one of watched) one.watchers?.delete(joined);
  };
}
