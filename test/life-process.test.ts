import { chmodSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, describe, expect, test } from "vitest";
import { systemClock } from "../src/base/clock.ts";
import { openDatabase } from "../src/db/database.ts";
import { forEachDatabase } from "./databases.ts";
import { openSocket, readAnswer } from "./raw-http.ts";
import { encodeReply } from "./servers/dns-server.ts";
import {
  assertCleanLog,
  callService,
  keepsSilent,
  knowsNobody,
  NXDOMAIN,
  reverseNames,
  until,
} from "./service.ts";
import {
  createServicePlace,
  endServiceProcesses,
  type ServicePlace,
  type ServiceProcess,
  startServiceProcess,
} from "./service-process.ts";

afterEach(endServiceProcesses);

const PATIENT = { dns: { timeout_ms: 4000 } };
const keyOf = (service: ServiceProcess): string => /rpt_\w{43}/.exec(service.out())?.[0] ?? "";
const lookUp = (port: number, key: string, ip: string) =>
  callService(port, { path: "/api/check-ip", key, body: { ip } });

/** A service with an account, whose resolver says nothing: calls stay in flight. */
async function startSilent(database: Parameters<typeof createServicePlace>[0]) {
  const place = await createServicePlace(database, { file: PATIENT, bootstrap: true, dns: keepsSilent });
  const service = startServiceProcess(place.env);
  const port = await service.listening;
  await until(() => keyOf(service) !== "");
  return { place, service, port, key: keyOf(service) };
}

async function openDatabaseOf({ env, dataDir }: ServicePlace) {
  return openDatabase({ url: env["DATABASE_URL"] ?? join(dataDir, "repute.db"), clock: systemClock });
}

forEachDatabase((_dialect, database) => {
  test("SIGTERM: what runs is finished and charged, what is new is refused, the exit status is 0", async () => {
    const { place, service, port, key } = await startSilent(database);
    const { dns } = place;
    const ips = ["8.8.8.1", "8.8.8.2", "8.8.8.3", "8.8.8.4"];
    const calls = ips.map((ip) => lookUp(port, key, ip));
    const [kept, idle] = [await openSocket(port), await openSocket(port)];
    const request = (id: string) =>
      `POST /api/check-ip HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nX-Request-Id: ${id}\r\n` +
      'Content-Length: 16\r\n\r\n{"ip":"8.8.8.5"}';
    kept.write(request("before"));
    await until(() => new Set(reverseNames(dns)).size === 5);
    service.signal("SIGTERM");
    await until(() => callService(port, { method: "GET", path: "/livez" }).then(() => false, isRefused));
    kept.write(request("after"));
    idle.write(request("on its way"));
    const { raw: refused } = await readAnswer(idle, () => false);
    expect(refused).toMatch(/^HTTP\/1\.1 503 .*\bconnection: close\r\n.*\bretry-after: \d/is);
    dns.use(knowsNobody);
    for (const question of dns.questions) dns.send(encodeReply(question, NXDOMAIN), question.clientPort);
    for (const answer of await Promise.all(calls)) {
      expect([answer.status, answer.headers["x-credits-charged"]]).toEqual([200, "1"]);
      expect(answer.headers["connection"]).toBe("close");
    }
    const { raw } = await readAnswer(kept, () => false);
    expect(raw).toMatch(/^HTTP\/1\.1 200 /);
    expect(raw).not.toContain('"request_id":"after","timestamp"');
    const { status, out, error } = await service.ended;
    expect([status, error]).toEqual([0, ""]);
    assertCleanLog(out.replace(/^[^{].*\n/gm, ""), [key]);
    const db = await openDatabaseOf(place);
    const rows = await db.kysely.selectFrom("calls").select(["request_id", "status", "credits"]).execute();
    await db.close();
    expect(rows.filter(({ credits }) => credits > 0).map((row) => [row.status, row.credits])).toEqual(
      Array.from({ length: 5 }, () => [200, 1]),
    );
    expect(rows.filter(({ request_id, credits }) => request_id === "after" && credits > 0)).toEqual([]);
  });
});

const isRefused = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ECONNREFUSED";

describe("a process", () => {
  test("SIGHUP: what runs is finished and charged, and a supervisor starts it anew", async () => {
    const { place, service, port, key } = await startSilent(null);
    const { dns } = place;
    const call = lookUp(port, key, "8.8.8.1");
    await until(() => reverseNames(dns).length > 0);
    service.signal("SIGHUP");
    await until(() => callService(port, { method: "GET", path: "/livez" }).then(() => false, isRefused));
    dns.use(knowsNobody);
    for (const question of dns.questions) dns.send(encodeReply(question, NXDOMAIN), question.clientPort);
    const answer = await call;
    expect([answer.status, answer.headers["x-credits-charged"]]).toEqual([200, "1"]);
    const { status, error } = await service.ended;
    expect([status, error]).toEqual([129, ""]);
  });

  test("a second signal a second after the first ends it at once; the call in flight is not charged", async () => {
    const { place, service, port, key } = await startSilent(null);
    const call = lookUp(port, key, "8.8.8.1").catch((error: NodeJS.ErrnoException) => error.code);
    await until(() => reverseNames(place.dns).length > 0);
    const timer = setInterval(() => service.signal("SIGTERM"), 100);
    const { status } = await service.ended;
    clearInterval(timer);
    expect([status, await call]).toEqual([1, "ECONNRESET"]);
    const next = startServiceProcess(place.env);
    const answer = await callService(await next.listening, {
      method: "GET",
      path: "/api/account/subscription",
      key,
    });
    expect(answer.of("data", "credits_remaining")).toBe(1_500_000);
  });

  test("the first start prints one key, whatever the log level; the next one, and one told not to, print none", async () => {
    const place = await createServicePlace(null, { bootstrap: true });
    const env = { ...place.env, LOG_LEVEL: "silent" };
    const run = async (variables: Readonly<Record<string, string>>) => {
      const service = startServiceProcess(variables);
      const port = await service.listening;
      await callService(port, { method: "GET", path: "/readyz" });
      service.signal("SIGTERM");
      return { port, ...(await service.ended) };
    };
    const first = await run(env);
    const key = /rpt_\w{43}/.exec(first.out)?.[0] ?? "";
    expect([first.status, first.error]).toEqual([0, ""]);
    expect(first.out.trimEnd().split("\n")).toEqual([
      `Listening on http://127.0.0.1:${first.port}`,
      `Created the account owner@localhost for http://127.0.0.1:${first.port}/app and the API. ` +
        `Its API key, shown this once: ${key}`,
      `curl -s http://127.0.0.1:${first.port}/api/check-ip -H 'X-API-Key: ${key}' ` +
        `-H 'Content-Type: application/json' -d '{"ip":"8.8.8.8"}'`,
      expect.stringMatching(
        new RegExp(
          String.raw`^Set the password of owner@localhost, once, within an hour: http://127\.0\.0\.1:${first.port}/app/reset#token=[\w-]{43} \(later: repute account reset-password owner@localhost\)$`,
        ),
      ),
    ]);
    const second = await run({ ...env, HOST: "localhost" });
    expect(second.out).toBe(`Listening on http://localhost:${second.port}\n`);
    const other = await createServicePlace(null, { bootstrap: false });
    const none = await run({ ...other.env, LOG_LEVEL: "silent" });
    expect(none.out).toBe(`Listening on http://127.0.0.1:${none.port}\n`);
  });

  test("its data folder is 0700 and its files are 0600, also where the folder was there and laxer", async () => {
    const { env, dataDir } = await createServicePlace(null, { bootstrap: true });
    chmodSync(dataDir, 0o755);
    const service = startServiceProcess(env);
    await callService(await service.listening, { method: "GET", path: "/readyz" });
    const modes = modesBelow(dataDir).filter(([path]) => !path.endsWith("repute-test.yaml"));
    expect(modes.filter(([, kind, mode]) => mode !== (kind === "folder" ? 0o700 : 0o600))).toEqual([]);
    expect(modes.map(([path]) => path)).toContain(join(dataDir, "repute.db"));
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  });

  test("a data folder that everybody shares keeps its mode", async () => {
    const { env, dataDir } = await createServicePlace(null);
    chmodSync(dataDir, 0o1777);
    const service = startServiceProcess(env);
    await service.listening;
    expect(statSync(dataDir).mode & 0o7777).toBe(0o1777);
  });
});

type Entry = readonly [path: string, kind: "folder" | "file", mode: number];

// The seed's snapshots are links into the folder that all tests share: their modes are not the service's doing.
const modesBelow = (folder: string): Entry[] =>
  readdirSync(folder).flatMap((name): Entry[] => {
    const path = join(folder, name);
    // What the service is writing may have got its final name meanwhile.
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return [];
    const mode = found.mode & 0o777;
    if (!found.isDirectory()) return found.nlink > 1 ? [] : [[path, "file", mode]];
    return [[path, "folder", mode], ...modesBelow(path)];
  });

describe("a start that cannot be is one line and status 1:", () => {
  const expectLine = async (env: Readonly<Record<string, string>>, says: RegExp) => {
    const { status, out, error } = await startServiceProcess(env).ended;
    expect(error).toMatch(/^error: [^\n]+\n$/);
    expect(error).toMatch(says);
    expect(status).toBe(1);
    expect(out).not.toContain("Listening");
  };

  test("the port is taken", async () => {
    const { env } = await createServicePlace(null);
    const port = await startServiceProcess(env).listening;
    const other = await createServicePlace(null, { bootstrap: true });
    await expectLine(
      { ...other.env, PORT: String(port) },
      /Cannot listen on 127\.0\.0\.1:\d+: the port is taken/,
    );
  });

  test("a file stands where the data folder should be", async () => {
    const { env, dataDir } = await createServicePlace(null);
    await expectLine(
      { ...env, REPUTE_DATA_DIR: join(dataDir, "repute-test.yaml") },
      /Cannot use "[^"]+": a file stands/,
    );
  });

  test("PostgreSQL does not answer", async () => {
    const { env } = await createServicePlace(null);
    const unreachable = { ...env, DATABASE_URL: "postgres://nobody:secret-word@127.0.0.1:1/none" };
    await expectLine(unreachable, /^(?!.*secret-word).*Cannot connect to 127\.0\.0\.1:1: connection refused/);
  });

  forEachDatabase((_dialect, database) => {
    test("the schema is newer than the program", async () => {
      const place = await createServicePlace(database);
      const db = await openDatabaseOf(place);
      await sql`insert into schema_steps (name, timestamp) values ('9999-later', '2099-01-01')`.execute(
        db.kysely,
      );
      await db.close();
      await expectLine(place.env, /made by a newer version of Repute .*"9999-later".*: upgrade Repute/);
    });
  });
});
