import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { brotliDecompressSync } from "node:zlib";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { type Lookups, openLookups } from "../src/app/open-lookups.ts";
import { systemClock } from "../src/base/clock.ts";
import { DAY_MS } from "../src/base/durations.ts";
import { loadConfig } from "../src/config/config.ts";
import { CATEGORIES, CONFIDENCES } from "../src/engines/kind.ts";
import { domainReputation } from "../src/products/domain-reputation/product.ts";
import { emailReputation } from "../src/products/email-reputation/product.ts";
import { urlReputation } from "../src/products/url-reputation/product.ts";
import type { View } from "../src/products/views.ts";
import { domainByHand, emailByHand, urlByHand } from "./name-scores-by-hand.ts";
import { putSnapshots } from "./prepared-snapshots.ts";
import type { ScoreByHand } from "./score-by-hand.ts";
import {
  startDnsServer,
  type TestDnsServer,
  type TestRecord,
  type TestScript,
} from "./servers/dns-server.ts";
import { onInternet } from "./servers/resolvers.ts";
import { redirect, response, startWebServer, type WebAnswer } from "./servers/web-server.ts";
import { startWhoisServer, type TestWhoisServer } from "./servers/whois-server.ts";
import { BUILTIN_ZONES, environmentOf } from "./service.ts";

/** Names, addresses and URLs of each product. */
const COUNT = 240;
const SITE = "127.1.0.9";
/** Held from beginning to end: a port that is free now may be another program's by the next test. */
const { port: PORT } = await startWebServer((...call) => site(...call), { host: SITE, whenDone: afterAll });

/** A number that a text always has, below `under`, whatever port is free: what each name is like. */
function pick(text: string, under: number): number {
  let hash = 2166136261;
  for (const sign of text.replace(`:${PORT}`, ""))
    hash = Math.imul(hash ^ (sign.codePointAt(0) ?? 0), 16777619) >>> 0;
  return (hash >>> 8) % under;
}

/** Some lines of a shipped list, spread over the whole of it. */
function shipped(file: string, count: number): readonly string[] {
  const text = brotliDecompressSync(readFileSync(new URL(`../seed/${file}.br`, import.meta.url))).toString();
  const names = text.split("\n").flatMap((line) => /^\.?((?:[a-z\d-]+\.)+[a-z]{2,})$/.exec(line)?.[1] ?? []);
  const step = Math.max(1, Math.floor(names.length / count));
  return names.filter((_, i) => i % step === 0).slice(0, count);
}

/** What names can be like: young, in a risky TLD, popular, an imitation, a service's own or a customer's. */
const SERVICES = ["misp-lots-project", "misp-dynamic-dns", "misp-url-shortener"].flatMap((file) =>
  shipped(file, 20).flatMap((name) => [name, `shop.${name}`]),
);
const POPULAR = shipped("misp-cisco-top1000", 30).flatMap((name) => [name, `mail.${name}`]);
const IMITATIONS = ["paypa1.com", "paypal-login.top", "xn--pple-43d.com", "micros0ft.xyz", "amazon-help.lab"];
const OWN = Array.from({ length: COUNT }, (_, i) => {
  const tld = ["lab", "com", "top", "xyz", "org"][i % 5];
  return `${i % 3 === 0 ? "www." : ""}n${i}-names.${tld}`;
});
const NAMES = [...SERVICES, ...POPULAR, ...IMITATIONS, ...OWN];
const DISPOSABLE = shipped("disposable-email", 25);

const MAILBOXES = [...DISPOSABLE, ...IMITATIONS, ...POPULAR.slice(0, 20), ...SERVICES, ...OWN].map(
  (domain, i) => `${["jane.doe", "asdfgh", "x7", "info", "a..b"][i % 5]}@${domain}`,
);
const PATHS = [
  ...["/", "/login", "/setup.exe", "/listing/", "/away", "/twice", "/round", "/many/0", "/gone", "/refresh"],
  ...["/pay?mail=a@b.com", "/many/3", "/other", "/search"],
];
const hostOfUrl = (i: number): string =>
  i % 11 === 0 ? SITE : (NAMES[(i * 7) % NAMES.length] ?? "a.example");
const URLS = Array.from(
  { length: COUNT },
  (_, i) => `http://${hostOfUrl(i)}:${PORT}${PATHS[i % PATHS.length]}`,
);
/** Where redirects lead. */
const NEXT = NAMES.filter((_, i) => i % 9 === 0);

const script: TestScript = ({ name, type }) => {
  const asked = name.toLowerCase();
  const like = pick(asked, 8);
  if (like === 0) return { rcode: 3 };
  if (like === 1 && type === "MX") return { rcode: 2 };
  const answers = (...data: TestRecord["data"][]) => ({ answers: data.map((one) => ({ type, data: one })) });
  if (type === "A") return answers(asked.startsWith("mx") || pick(asked, 3) > 0 ? SITE : "127.1.0.10");
  if (type === "MX" && like === 2) return answers({ preference: 0, exchange: "." });
  if (type === "MX" && like > 3) return answers({ preference: 10, exchange: `mx.${asked}` });
  if (type === "NS" && like === 4) return answers("ns1.sedoparking.com", "ns2.sedoparking.com");
  return type === "TXT" && like > 4 ? answers(["v=spf1 -all"]) : {};
};

/** Pages of every kind, and ways to others. */
const site: WebAnswer = ({ path, headers }) => {
  const host = headers.get("host")?.split(":")[0] ?? "";
  const next = (salt: string) => `http://${NEXT[pick(host + salt, NEXT.length)]}:${PORT}`;
  const html = (text: string) => response(text, { headers: { "content-type": "text/html" } });
  const [, word, step = ""] = path.split("/");
  if (word === "many") return redirect(`${next(step)}/many/${Number(step) + 1}`);
  switch (word) {
    case "login":
      return html("<title>PayPal login</title><form action=http://else.example><input type=password></form>");
    case "setup.exe":
      return response(Buffer.from("MZ\u0090\u0000".padEnd(200, "\u0000"), "latin1"), {
        headers: { "content-type": pick(host, 2) === 0 ? "image/png" : "application/octet-stream" },
      });
    case "listing":
      return html(
        "<title>Index of /</title><h1>Index of /</h1><a href=a.exe>a.exe</a> <a href=b.zip>b.zip</a>",
      );
    case "away":
      return redirect(`${next("")}/`);
    case "twice":
      return redirect(`${next("1")}/away`);
    case "round":
      return redirect(`http://${host}:${PORT}/round`);
    case "search":
      return redirect("http://www.google.com/");
    case "gone":
      return response("gone", { status: 404 });
    case "refresh":
      return html(`<meta http-equiv=refresh content="0;url=${next("2")}/other">`);
    default:
      return html("<title>Here</title><p>Text of a page</p>");
  }
};

const AGES_DAYS = [0, 3, 6, 7, 20, 29, 30, 700];
const registry = (question: string): string => {
  const created = new Date(Date.now() - (AGES_DAYS[pick(question, AGES_DAYS.length)] ?? 0) * DAY_MS - 60_000);
  return `Domain Name: ${question}\r\nRegistrar: Lab\r\nCreation Date: ${created.toISOString()}\r\n`;
};

/** Lists of every rating, each naming some of what it could name, on some of its days. */
function feedsOf(dir: string, target: string, values: readonly string[], count: number): readonly object[] {
  return Array.from({ length: count }, (_, i) => {
    const key = `${target}_${i}`;
    const rows = values.flatMap((value) => {
      const like = pick(value + key, 7 + (i % 9));
      const seen = new Date(Date.now() - pick(key + value, 40) * DAY_MS).toISOString();
      return like === 0 ? [`"${value}",${i % 2 === 0 ? seen : ""}`] : [];
    });
    const file = join(dir, `${key}.csv`);
    writeFileSync(file, `${["value,seen", ...rows].join("\n")}\n`);
    return {
      ...{ key, target, url: pathToFileURL(file).href, format: "csv", column: "value", last_seen: "seen" },
      allow_empty: true,
      category: CATEGORIES[pick(key, CATEGORIES.length)],
      confidence: CONFIDENCES[pick(`${key} `, CONFIDENCES.length)],
      ...(i % 3 === 0 ? { family: `family_${i % 2}` } : {}),
      aggregate: i % 5 === 4,
    };
  });
}

function allowlistsOf(dir: string): readonly object[] {
  const lists = { domain: NAMES.filter((_, i) => i % 8 === 0), url: URLS.filter((_, i) => i % 10 === 0) };
  return Object.entries(lists).map(([target, values]) => {
    const file = join(dir, `allow-${target}.txt`);
    writeFileSync(file, `${values.join("\n")}\n`);
    return { key: `allow_${target}`, target, url: pathToFileURL(file).href, format: "plain" };
  });
}

const dir = mkdtempSync(join(tmpdir(), "repute-recompute-names-"));
let dns: TestDnsServer;
let whois: TestWhoisServer;
let lookups: Lookups;
beforeAll(async () => {
  await putSnapshots(dir);
  dns = await startDnsServer(onInternet(script));
  whois = await startWhoisServer(registry);
  const file = {
    dns: { timeout_ms: 500 },
    whois: { servers: { lab: whois.address } },
    fetch: { allow_networks: ["127.1.0.0/16"], timeout_ms: 3000 },
    engines: {
      disable: BUILTIN_ZONES,
      feeds: [
        ...feedsOf(dir, "domain", NAMES, 14),
        ...feedsOf(dir, "url", [...URLS, ...NEXT.map((name) => `http://${name}:${PORT}/`)], 8),
        ...feedsOf(dir, "email", MAILBOXES, 5),
        ...feedsOf(dir, "ip", [SITE, "127.1.0.10"], 6),
      ],
    },
    allowlists: allowlistsOf(dir),
  };
  const config = loadConfig({ env: environmentOf(dir, dns, { file }), cwd: dir });
  lookups = await openLookups(config, { log: pino({ level: "silent" }), clock: systemClock });
  await lookups.whenReady();
});
afterAll(async () => {
  await lookups.close();
  await dns.close();
  await whois.close();
  rmSync(dir, { recursive: true, force: true });
});

const scoreSchema = z.object({
  result: z.number(),
  band: z.string(),
  verdict: z.string(),
  coverage: z.number(),
  base: z.number(),
  factors: z.array(
    z.object({ key: z.string(), points: z.number(), strength: z.number(), engines: z.array(z.string()) }),
  ),
  adjustments: z.array(z.object({ key: z.string(), points: z.number() })),
});
const answerSchema = z.union([
  z.looseObject({ risk_score: scoreSchema }),
  z.looseObject({ report: z.looseObject({ risk_score: scoreSchema }) }),
]);

/** The answer as its caller reads it, and the score in it. */
function asReceived(text: string): { readonly answer: unknown; readonly given: ScoreByHand } {
  const answer = answerSchema.parse(JSON.parse(text));
  const score = scoreSchema.parse(
    "report" in answer ? Object(answer["report"]).risk_score : answer.risk_score,
  );
  const factors = score.factors.map(
    ({ key, points, strength, engines }) => [key, points, strength, engines] as const,
  );
  const adjustments = score.adjustments.map(({ key, points }) => [key, points] as const);
  return { answer, given: { ...score, factors, adjustments } };
}

type Run = (target: string) => Promise<(view: View) => string>;
const context = (deadlineMs: number) => ({
  signal: new AbortController().signal,
  deadlineMs: systemClock.monotonicMs() + deadlineMs,
});
const RUNS: Readonly<Record<string, Run>> = {
  domain: async (domain) => {
    const ran = domainReputation.prepare({ domain }).run(lookups.deps, context(domainReputation.deadlineMs));
    const { json } = await ran;
    return (view) => json(view).join("");
  },
  email: async (email) => {
    const ran = emailReputation.prepare({ email }).run(lookups.deps, context(emailReputation.deadlineMs));
    const { json } = await ran;
    return (view) => json(view).join("");
  },
  url: async (url) => {
    const ran = urlReputation.prepare({ url }).run(lookups.deps, context(urlReputation.deadlineMs));
    const { json } = await ran;
    return (view) => json(view).join("");
  },
};

test.each([
  {
    kind: "domain",
    targets: NAMES,
    byHand: domainByHand,
    factors: ["signal_lookalike", "signal_age_under_7_days"],
  },
  {
    kind: "email",
    targets: MAILBOXES,
    byHand: emailByHand,
    factors: ["signal_no_mail_host", "signal_risky_tld"],
  },
  {
    kind: "url",
    targets: URLS,
    byHand: urlByHand,
    factors: ["signal_windows_exe_file", "signal_non_standard_port"],
  },
])("the scores of $kind answers are what these alone come to, standard and compact", async (given) => {
  const { kind, targets, byHand, factors } = given;
  const seen = { results: new Set<number>(), caps: new Set<string>(), factors: new Set<string>() };
  let next = 0;
  const work = async () => {
    for (let target = targets[next++]; target !== undefined; target = targets[next++]) {
      const textOf = await RUNS[kind]?.(target);
      if (textOf === undefined) throw new Error(`No product for ${kind}`);
      const standard = asReceived(textOf("standard"));
      expect(byHand(standard.answer), target).toEqual(standard.given);
      const compact = asReceived(textOf("compact"));
      expect(compact.given, target).toEqual(standard.given);
      expect(byHand(compact.answer), target).toEqual(standard.given);
      seen.results.add(standard.given.result);
      for (const [key] of standard.given.adjustments) seen.caps.add(key);
      for (const [key] of standard.given.factors) seen.factors.add(key);
    }
  };
  await Promise.all(Array.from({ length: 16 }, work));
  expect(seen.results.size).toBeGreaterThan(30);
  expect([...seen.caps].sort()).toEqual([
    "allowlisted",
    "shared_infrastructure",
    "uncorroborated",
    "weak_only",
  ]);
  expect([...seen.factors]).toEqual(expect.arrayContaining(["aggregate", "policy", ...factors]));
});
