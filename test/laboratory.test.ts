import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { createRunner, expectNarrow } from "./cli-runner.ts";
import { putSnapshots } from "./prepared-snapshots.ts";
import { startCanary } from "./servers/dialing.ts";
import type { TestScript } from "./servers/dns-server.ts";
import {
  type CertificateName,
  redirect,
  response,
  startWebServer,
  TEST_CA_FILE,
  type WebAnswer,
} from "./servers/web-server.ts";
import { callPatiently, knowsNobody, startTestService, type TestService } from "./service.ts";
import { listedAs, NOT_LISTED, wellKept } from "./zones.ts";

/**
 * Fifteen lists and ten zones, each on a server of its own on loopback, of which half lie, refuse, hang or change
 * their mind while the service runs. Whatever happens, no engine may be quoted with what it does not say.
 */
const folder = mkdtempSync(join(tmpdir(), "repute-laboratory-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The machine may be slow: nothing here waits for less than it takes. */
const SLOW = { timeout: 600_000 };

const EVERYWHERE = "20.0.0.1";
const ON_FIVE = "20.0.0.2";
const CLEARED = "20.0.0.9";
const NOWHERE = "20.200.0.1";

/** What an engine that tells the truth says: which addresses it names. */
type Truth = (ip: string) => boolean;
const naming =
  (...ips: readonly string[]): Truth =>
  (ip) =>
    ips.includes(ip);

const many = Array.from({ length: 300 }, (_, i) => `20.1.${i >> 8}.${i & 255}`);
const lines = (...ips: readonly string[]): string => `${ips.join("\n")}\n`;

type Feed = {
  readonly truth: Truth;
  readonly answer: WebAnswer;
  /** What it serves later. */
  readonly later?: WebAnswer;
  readonly options?: Readonly<Record<string, unknown>>;
};
const high = { confidence: "high", category: "attack" };

const HONEST_FEEDS: Readonly<Record<string, Feed>> = {
  plain: {
    truth: naming(EVERYWHERE, ON_FIVE, CLEARED),
    answer: () => response(`# a comment\r\n${EVERYWHERE}\r\n${ON_FIVE}\r\n${CLEARED}\r\n`),
  },
  networks: {
    truth: (ip) => ip.startsWith("20.0.0."),
    answer: () => response("20.0.0.0/24 ; ours\n20.9.0.0/16\nnonsense\n"),
    options: { format: "netset", ...high },
  },
  columns: {
    truth: naming(EVERYWHERE, ON_FIVE),
    answer: () => response(`"address","why"\n"${EVERYWHERE}","ssh, again"\n"${ON_FIVE}","mail"\n`),
    options: { format: "csv", column: "address", note: "why", ...high },
  },
  packed: {
    truth: naming(EVERYWHERE, CLEARED),
    answer: () => response(gzipSync(lines(EVERYWHERE, CLEARED))),
    options: high,
  },
  objects: {
    truth: naming(EVERYWHERE),
    answer: () => response(`{"ip":"${EVERYWHERE}"}\n{"ip":"20.0.3.3"}\n`),
    options: { format: "ndjson", field: "ip" },
  },
  ranges: {
    truth: naming(EVERYWHERE),
    answer: () => response(`${EVERYWHERE}-${EVERYWHERE}\n20.7.0.0-20.7.9.9\n`),
  },
  becomes_a_page: {
    truth: naming(EVERYWHERE, ...many),
    answer: () => response(lines(EVERYWHERE, ...many)),
    later: () => response(`<!DOCTYPE html><p>${NOWHERE}`, { headers: { "Content-Type": "text/html" } }),
  },
  shrinks: {
    truth: naming(ON_FIVE, ...many),
    answer: () => response(lines(ON_FIVE, ...many)),
    later: () => response(lines(NOWHERE, ...many.slice(0, 20))),
  },
};

const BAD_FEEDS: Readonly<Record<string, Omit<Feed, "truth"> & { readonly certificate?: CertificateName }>> =
  {
    lists_the_world: { answer: () => response("0.0.0.0/0\n::/0\n") },
    is_a_page: { answer: () => response(`<html><pre>\n${NOWHERE}\n</pre>`) },
    forbids: { answer: () => response(lines(NOWHERE), { status: 403 }) },
    ends_early: {
      answer: () => Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n${NOWHERE}\n`),
    },
    is_another: { answer: () => response(lines(NOWHERE)), certificate: "other" },
    hangs_up: { answer: () => Buffer.alloc(0) },
    never_answers: { answer: () => undefined },
  };

const HONEST_ZONES: Readonly<Record<string, Truth>> = {
  zone_lists: naming(EVERYWHERE, ON_FIVE, CLEARED),
  zone_clean: () => false,
  zone_by_tcp: naming(EVERYWHERE),
  zone_refuses_later: naming(EVERYWHERE),
  zone_hangs_later: naming(EVERYWHERE),
};
/** Zone and how its engine must be shown. */
const BAD_ZONES = {
  zone_lists_the_world: "self_test_failed",
  zone_refuses: "refused",
  zone_rewritten: "error",
  zone_broken: "error",
  zone_hangs: "timeout",
} as const;

/** The zones, before and after some of them change their mind. */
const zonesAt =
  (isLater: boolean): TestScript =>
  (question) => {
    const [, reversed = "", zone = ""] =
      /^(.+)\.(zone_\w+)\.example$/i.exec(question.name.toLowerCase()) ?? [];
    const ip = reversed.split(".").reverse().join(".");
    if (zone === "zone_lists_the_world") return listedAs("127.0.0.2");
    if (zone === "zone_refuses" || (isLater && zone === "zone_refuses_later")) return { rcode: 5 };
    if (zone === "zone_rewritten") return listedAs("198.51.100.9");
    if (zone === "zone_broken") return { rcode: 2 };
    if (zone === "zone_hangs" || (isLater && zone === "zone_hangs_later")) return "silence";
    const truth = HONEST_ZONES[zone];
    if (truth === undefined) return knowsNobody(question);
    const isCut = zone === "zone_by_tcp" && question.transport === "udp";
    return isCut
      ? { truncated: true }
      : wellKept(() => (truth(ip) ? listedAs("127.0.0.2") : NOT_LISTED))(question);
  };

const statusesOf = (zones: Readonly<Record<string, string>>): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(Object.keys(HONEST_FEEDS).map((key) => [key, "answers"])),
  ...Object.fromEntries(Object.keys(BAD_FEEDS).map((key) => [key, "error"])),
  ...Object.fromEntries(Object.keys(HONEST_ZONES).map((key) => [key, "answers"])),
  ...BAD_ZONES,
  ...zones,
});

const answerSchema = z.object({
  elapsed_ms: z.number(),
  risk_score: z.object({ result: z.number(), verdict: z.string(), coverage: z.number() }),
  blacklists: z.object({
    engines: z.record(z.string(), z.object({ detected: z.boolean(), reason: z.string().nullish() })),
    engines_unavailable: z.array(z.object({ key: z.string(), status: z.string() })),
    engines_count: z.number(),
    detections: z.number(),
  }),
});
type Answer = z.infer<typeof answerSchema>;

/** Throws when anything in an answer is not so. Holds at every moment, also while lists are still being retrieved. */
function expectTrue(ip: string, { blacklists, risk_score: score, elapsed_ms: elapsedMs }: Answer): void {
  for (const [key, { detected }] of Object.entries(blacklists.engines)) {
    const truth = HONEST_FEEDS[key]?.truth ?? HONEST_ZONES[key];
    expect(truth, `${key} must not be quoted at all`).toBeDefined();
    expect(detected, `${key} about ${ip}`).toBe(truth?.(ip));
  }
  const named = [
    ...Object.keys(blacklists.engines),
    ...blacklists.engines_unavailable.map(({ key }) => key),
  ].toSorted();
  expect(named).toEqual(Object.keys(statusesOf({})).toSorted());
  if (score.coverage < 0.5) expect(["clean", "low"]).not.toContain(score.verdict);
  expect(elapsedMs).toBeLessThanOrEqual(5000);
}

const stateOf = ({ blacklists }: Answer): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(Object.keys(blacklists.engines).map((key) => [key, "answers"])),
  ...Object.fromEntries(blacklists.engines_unavailable.map(({ key, status }) => [key, status])),
});

/** A server for each list; the configuration of all engines, and a way to let lists change their mind. */
async function openLaboratory() {
  let isLater = false;
  const canary = await startCanary();
  const feeds = [];
  for (const [key, { answer, later = answer, options = {}, certificate = "good" }] of Object.entries<
    Omit<Feed, "truth"> & { readonly certificate?: CertificateName }
  >({ ...HONEST_FEEDS, ...BAD_FEEDS })) {
    const server = await startWebServer((request, socket) => (isLater ? later : answer)(request, socket), {
      certificate,
    });
    feeds.push({ key, target: "ip", format: "plain", url: `${server.url}/list`, ...options });
  }
  const inward = await startWebServer(() => redirect(`https://127.200.0.1:${canary.port}/list`), {
    certificate: "good",
  });
  const goodWords = await startWebServer(() => response(lines(CLEARED)), { certificate: "good" });
  const dnsbl = [...Object.keys(HONEST_ZONES), ...Object.keys(BAD_ZONES)].map((key) => ({
    key,
    target: "ip",
    zone: `${key}.example`,
  }));
  const file = {
    dns: { timeout_ms: 1500 },
    fetch: { ca_file: TEST_CA_FILE },
    engines: { builtin: false, feeds, dnsbl },
    allowlists: [
      { key: "good_ones", target: "ip", format: "plain", url: `${goodWords.url}/list` },
      { key: "leads_inward", target: "ip", format: "plain", url: `${inward.url}/list` },
    ],
  };
  return { file, canary, changeMind: () => (isLater = true) };
}

async function startIn(dataDir: string, file: Readonly<Record<string, unknown>>): Promise<TestService> {
  await putSnapshots(dataDir);
  const service = await startTestService({ dataDir, file, dns: zonesAt(false) });
  onTestFinished(service.close);
  return service;
}

test("with half of the engines lying, refusing, hanging or changing, no answer is wrong", SLOW, async () => {
  const dataDir = join(folder, "data");
  const { file, canary, changeMind } = await openLaboratory();
  const service = await startIn(dataDir, file);
  const { key } = await service.openAccount();
  const check = async (ip: string): Promise<Answer> => {
    const answer = await callPatiently(service, { path: "/api/check-ip", key, body: { ip } }, [429, 503]);
    expect(answer.status).toBe(200);
    const report = answerSchema.parse(answer.of("data"));
    expectTrue(ip, report);
    return report;
  };
  /** Asks until every engine is where it must be; each answer on the way must be true as well. */
  const settled = async (ip: string, statuses: Readonly<Record<string, string>>): Promise<Answer> => {
    for (;;) {
      const answer = await check(ip);
      if (JSON.stringify(entriesOf(stateOf(answer))) === JSON.stringify(entriesOf(statuses))) return answer;
    }
  };

  await settled(NOWHERE, statusesOf({}));
  expect((await check(EVERYWHERE)).risk_score).toMatchObject({ verdict: "critical" });
  expect((await check(ON_FIVE)).risk_score).toMatchObject({ result: 96, verdict: "critical" });
  expect((await check(CLEARED)).risk_score).toMatchObject({ result: 9, verdict: "low" });
  const nowhere = await check(NOWHERE);
  expect(nowhere.risk_score).toMatchObject({ result: 0, verdict: "clean", coverage: 0.52 });
  expect(nowhere.blacklists).toMatchObject({ detections: 0, engines_count: 13 });

  changeMind();
  service.dns.use(zonesAt(true));
  const { repute, json } = createRunner(folder, {
    REPUTE_DATA_DIR: dataDir,
    REPUTE_CONFIG: join(dataDir, "repute-test.yaml"),
  });
  const update = await repute(["feeds", "update", "becomes_a_page", "shrinks", "leads_inward"]);
  expect(update).toMatchObject({ status: 1 });
  expect(update.out).toContain("The list shrank from 301 to 21 entries");
  const later = statusesOf({ zone_refuses_later: "refused", zone_hangs_later: "timeout" });
  const other = "20.200.0.2";
  expect((await settled(other, later)).risk_score).toMatchObject({ result: 0, verdict: "unknown" });
  expect((await check(many[7] ?? "")).blacklists.detections).toBe(2);
  expect((await check(EVERYWHERE)).risk_score).toMatchObject({ verdict: "critical" });
  expect(canary.connections).toEqual([]);

  const rows = z
    .array(z.object({ key: z.string(), status: z.string(), last_error: z.string().nullable() }))
    .parse(await json(["feeds", "list"]));
  const row = (name: string) => rows.find((one) => one.key === name);
  expect(row("plain")).toMatchObject({ status: "ok", last_error: null });
  expect(row("shrinks")).toMatchObject({ status: "ok", last_error: expect.stringContaining("shrank") });
  expect(row("becomes_a_page")).toMatchObject({
    status: "ok",
    last_error: "The file is a web page, not a list",
  });
  expect(row("leads_inward")).toMatchObject({ status: "error" });
  const { out } = await repute(["feeds", "list"]);
  expectNarrow(out);
  expect(out).toMatch(/^27 lists: .*\b12 ok$/m);
});

const entriesOf = (record: Readonly<Record<string, string>>) =>
  Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1));
