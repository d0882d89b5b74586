// Runs in a network namespace of its own, whose loopback interface has global addresses. Asks every outgoing
// client for them and prints JSON: what the client answered, and how many bytes the machine's listeners read.
import { createServer, type Socket } from "node:net";
import { systemClock, systemRandom } from "../src/base/clock.ts";
import type { Answer } from "../src/base/failure.ts";
import { createLog } from "../src/base/log.ts";
import { createDialer } from "../src/net/dialer.ts";
import { dnsOptionsSchema } from "../src/net/dns/dns-options.ts";
import { createSmtpCheck } from "../src/net/mail/smtp.ts";
import { createOutgoing, type Outgoing } from "../src/net/outgoing.ts";
import { allowedNetworks, fetchOptionsSchema } from "../src/net/ssrf-guard.ts";
import { createWhois } from "../src/net/whois/whois.ts";
import { startDnsServer } from "./servers/dns-server.ts";

const INNER = 9100;
const REDIRECTOR = 9101;
const PORTS = [25, 43, 443, INNER, REDIRECTOR];
const { signal } = new AbortController();
const timeoutMs = 5000;

let bytesRead = 0;

/** A page on every address and port; on REDIRECTOR, a redirect to the inner page. */
function answer(socket: Socket): void {
  const isRedirector = socket.localPort === REDIRECTOR;
  socket.on("error", () => socket.destroy());
  socket.on("data", (chunk) => {
    if (!isRedirector) bytesRead += chunk.length;
    const page = "HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n<title>Inner</title>";
    const redirect = `HTTP/1.1 302 Found\r\nLocation: http://8.8.4.4:${INNER}/\r\nContent-Length: 0\r\n\r\n`;
    socket.end(isRedirector ? redirect : page);
  });
}

/** How often a listener other than the redirector read something while `work` ran, beside its result. */
async function heard(work: () => Promise<unknown>): Promise<unknown> {
  bytesRead = 0;
  const result = await work();
  return { result, isHeard: bytesRead > 0 };
}

const textOf = (answered: Answer<unknown>): string =>
  answered.state === "answered" ? "answered" : `${answered.reason}: ${answered.detail}`;

async function page({ pageFetch }: Outgoing, url: string): Promise<string> {
  const { status, blockedReason } = await pageFetch({ url: new URL(url), refreshOf: () => null, signal });
  return blockedReason === null ? status : `${status}: ${blockedReason}`;
}

const get = ({ http }: Outgoing, host: string, isOperatorsWord: boolean) =>
  http.get({ url: `http://${host}:${INNER}/`, maxBytes: 1000, timeoutMs, isOperatorsWord }).then(textOf);

function whois({ dialer }: Outgoing, host: string, isOperatorsWord: boolean) {
  const server = { host, port: 43 };
  const query = { server, question: "example.lab", isOperatorsWord, timeoutMs, signal };
  return createWhois({ dialer, clock: systemClock }).query(query).then(textOf);
}

async function smtp({ dialer }: Outgoing, host: string): Promise<string> {
  const check = createSmtpCheck({ dialer, clock: systemClock, random: systemRandom });
  const question = { hosts: [host], local: "a", domain: "example.lab", timeoutMs, signal };
  return (await check(question)).outcome;
}

async function openOutgoing(allow: readonly string[]): Promise<Outgoing> {
  const records = new Map([
    ["own.lab", "8.8.4.4"],
    ["rest.lab", "9.9.9.77"],
  ]);
  const dns = await startDnsServer(({ name, type }) => {
    const data = records.get(name.toLowerCase());
    return type === "A" && data !== undefined ? { answers: [{ type, data }] } : {};
  });
  return createOutgoing({
    dnsOptions: dnsOptionsSchema.parse({ servers: [dns.address], timeout_ms: 2000 }),
    fetchOptions: fetchOptionsSchema.parse({ allow_networks: allow, timeout_ms: timeoutMs }),
    userAgent: "Repute",
    witnesses: [],
    clock: systemClock,
    random: systemRandom,
    log: createLog({ level: "silent" }),
  });
}

/** A connection by a dialer that has not read the interfaces since the address was added. */
async function dialUnread(): Promise<string> {
  const { dns } = await openOutgoing([]);
  const rules = { allowNetworks: allowedNetworks([]), self: [], ownNetworks: [] };
  const dialer = createDialer({ dns, rules: () => rules, clock: systemClock });
  return textOf(
    await dialer.connect({ host: "8.8.4.4", port: INNER, isOperatorsWord: false, timeoutMs, signal }),
  );
}

const servers = PORTS.map((port) => createServer(answer).listen(port, "::"));
await Promise.all(servers.map((server) => new Promise((resolve) => server.once("listening", resolve))));
const closed = await openOutgoing(["127.0.0.0/8"]);
const opened = await openOutgoing(["127.0.0.0/8", "8.8.4.4/32"]);
const hosts = ["8.8.4.4", "[::ffff:8.8.4.4]", "[64:ff9b::808:404]", "[2002:808:404::1]", "own.lab"];
const more = ["9.9.9.77", "rest.lab", "[2606:4700::1111]"];
const report: Record<string, unknown> = {};
for (const host of [...hosts, ...more]) {
  report[`page ${host}`] = await heard(() => page(closed, `http://${host}:${INNER}/`));
}
const ways: Readonly<Record<string, () => Promise<unknown>>> = {
  "redirect to 8.8.4.4": () => page(closed, `http://127.0.0.1:${REDIRECTOR}/`),
  "certificate look": async () => (await closed.tlsLook({ host: "own.lab", timeoutMs, signal })).status,
  "http client": () => get(closed, "8.8.4.4", false),
  "whois referral": () => whois(closed, "own.lab", false),
  "mail check": () => smtp(closed, "own.lab"),
  "address not yet read": dialUnread,
  "opened page": () => page(opened, `http://own.lab:${INNER}/`),
  "opened redirect": () => page(opened, `http://127.0.0.1:${REDIRECTOR}/`),
  "operator's http": () => get(closed, "8.8.4.4", true),
  "operator's whois": () => whois(closed, "8.8.4.4", true),
};
for (const [name, way] of Object.entries(ways)) report[name] = await heard(way);
process.stdout.write(JSON.stringify(report));
process.exit(0);
