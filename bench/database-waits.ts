import pg from "pg";
import { systemClock } from "../src/base/clock.ts";

/** Some hundred instants in a few short rounds. */
const EVERY_MS = 15;

// What the connections of the services do at this instant. One without a transaction does nothing.
const LOOK = `
  select pid, application_name as service, state = 'active' as is_running, left(btrim(query, E' \\n'), 40) as statement,
    coalesce(wait_event_type, '') as kind, coalesce(wait_event, '') as event,
    case when wait_event_type = 'Lock' then pg_blocking_pids(pid) else '{}' end as holders
  from pg_stat_activity
  where application_name like 'service-%' and state <> 'idle'`;

type Connection = {
  readonly pid: number;
  readonly service: string;
  readonly is_running: boolean;
  readonly statement: string;
  readonly kind: string;
  readonly event: string;
  readonly holders: readonly number[];
};

/** One connection at one instant. */
type Sighting = {
  /** Else its transaction is open and the server waits for the service's next statement. */
  readonly isRunning: boolean;
  /** PostgreSQL's `wait_event_type`; empty for one that computes. */
  readonly kind: string;
  /** It waits for a lock, and not one that its own service alone holds. */
  readonly isForOthers: boolean;
  /** Statement and wait in words. */
  readonly text: string;
};

/** What services were seen doing in PostgreSQL. */
export type Waits = { readonly instants: number; readonly seen: readonly Sighting[] };

/** The database's URL for one service, by which its connections are known from those of the others. */
export function urlOfService(url: string, service: number): string {
  const named = new URL(url);
  named.searchParams.set("application_name", `service-${service}`);
  return named.href;
}

/** Looks again and again at what the services' connections do and wait for, until `work` ends. */
export async function watchWaits(url: string, work: () => Promise<unknown>): Promise<Waits> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let isOver = false;
    const [waits] = await Promise.all([
      look(client, () => isOver),
      work().finally(() => {
        isOver = true;
      }),
    ]);
    return waits;
  } finally {
    await client.end();
  }
}

async function look(client: pg.Client, isOver: () => boolean): Promise<Waits> {
  const seen: Sighting[] = [];
  let instants = 0;
  while (!isOver()) {
    const { rows } = await client.query<Connection>({ name: "look", text: LOOK });
    instants++;
    seen.push(...sightingsOf(rows));
    await systemClock.sleep(EVERY_MS);
  }
  return { instants, seen };
}

function sightingsOf(connections: readonly Connection[]): readonly Sighting[] {
  const services = new Map(connections.map(({ pid, service }) => [pid, service]));
  return connections.map(({ service, is_running, statement, kind, event, holders }) => {
    const isOwn = holders.length > 0 && holders.every((pid) => services.get(pid) === service);
    const wait = kind === "" ? "computes" : `${kind} ${event}`;
    return {
      isRunning: is_running,
      kind,
      isForOthers: kind === "Lock" && !isOwn,
      text: `${is_running ? "" : "after "}${statement.replace(/\s+/g, " ")}: ${wait}`,
    };
  });
}

export const allWaits = (rounds: readonly Waits[]): Waits => ({
  instants: rounds.reduce((sum, { instants }) => sum + instants, 0),
  seen: rounds.flatMap(({ seen }) => seen),
});

/** Per cent of the running statements that wait for what PostgreSQL calls `kind`. */
export function percentWaitingFor(kind: string, { seen }: Waits): number {
  const running = seen.filter(({ isRunning }) => isRunning);
  return (100 * running.filter((one) => one.kind === kind).length) / running.length;
}

/** Per cent of the time of each of `services` services in which it waits for a lock that another one holds. */
export const percentForOthers = ({ instants, seen }: Waits, services: number): number =>
  (100 * seen.filter(({ isForOthers }) => isForOthers).length) / (instants * services);

/** What was seen most often, in lines. */
export function linesOf({ instants, seen }: Waits): readonly string[] {
  const counts = new Map<string, number>();
  for (const { text } of seen) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, 12)
    .map(([text, count]) => `${String(count).padStart(6)} in ${instants} instants  ${text}`);
}
