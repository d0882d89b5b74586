import { type FileHandle, open, rm } from "node:fs/promises";
import type { Socket } from "node:net";
import type { Clock } from "../../base/clock.ts";
import { type Answer, answered, type Unavailable, unavailable } from "../../base/failure.ts";
import { decodePercent } from "../../targets/url.ts";
import { type Deadline, startDeadline } from "../deadline.ts";
import type { Dialer } from "../dialer-types.ts";
import { tlsFault } from "../tls/tls-faults.ts";
import { shakeHands } from "../tls/tls-handshake.ts";
import { createTrust, type Trust } from "../tls/tls-trust.ts";
import { type BodyReceiver, createBodyBuffer, readBody } from "./http-body.ts";
import { type OpenResponse, sendGet } from "./http-exchange.ts";
import { bodyFault, exchangeFault } from "./http-faults.ts";
import { hostOf, portOf, redirectTarget, resolveTarget } from "./http-redirect.ts";
import type { Http, HttpDownload, HttpReply, HttpRequest } from "./http-types.ts";

export type HttpSettings = {
  readonly dialer: Dialer;
  readonly clock: Clock;
  /** PEM file of further authorities, or null. */
  readonly caFile: string | null;
  readonly userAgent: string;
};

const DEFAULT_MAX_REDIRECTS = 3;
/** What may follow a redirect to another host; everything else (keys, above all) stays with the host it was meant for. */
const TRAVELLING_HEADERS = new Set(["accept", "accept-language", "if-modified-since", "if-none-match"]);

/** See `Http`. Throws when `caFile` cannot be used. Source: security P4 and P6, design 7.5. */
export function createHttp({ dialer, clock, caFile, userAgent }: HttpSettings): Http {
  const trust = createTrust(caFile);
  const closing = new AbortController();
  const underWay = new Set<Promise<unknown>>();
  const run = async <T>(request: HttpRequest, take: Take<T>): Promise<Answer<T>> => {
    const deadline = startDeadline(clock, request.timeoutMs, request.signal, closing.signal);
    const call = follow(request, { dialer, trust, userAgent, deadline }, take).finally(deadline.end);
    underWay.add(call);
    return call.finally(() => underWay.delete(call));
  };
  return {
    get: (request) => run(request, takeReply),
    download: (request, path) => run(request, (response) => takeDownload(response, path)),
    close: async () => {
      closing.abort();
      await Promise.allSettled(underWay);
    },
  };
}

type Context = {
  readonly dialer: Dialer;
  readonly trust: Trust;
  readonly userAgent: string;
  readonly deadline: Deadline;
};

/** A final response, and how to read its body. */
type Final = {
  readonly url: URL;
  readonly response: OpenResponse;
  /** Null when all of it was given; else why not. */
  readonly read: (receive: BodyReceiver) => Promise<Unavailable | null>;
};

type Take<T> = (final: Final) => Promise<Answer<T>>;

async function follow<T>(request: HttpRequest, context: Context, take: Take<T>): Promise<Answer<T>> {
  const { maxRedirects = DEFAULT_MAX_REDIRECTS } = request;
  const configured = URL.parse(request.url);
  let url = configured && resolveTarget(request.url, configured);
  if (!(configured && url)) return unavailable("http", "error", "This is not an http: or https: URL");
  for (let redirects = 0; ; redirects++) {
    const step: Answer<T> | URL = await visit(url, { request, configured, ...context }, take);
    if (!(step instanceof URL)) return step;
    const isDowngrade = configured.protocol === "https:" && step.protocol === "http:";
    if (isDowngrade) return unavailable(url.host, "error", "A redirect leads from https to http");
    if (step.host !== configured.host && hasSecret(step, request.secrets))
      return unavailable(url.host, "error", "A redirect would give the key to another host");
    if (redirects === maxRedirects)
      return unavailable(url.host, "error", `More than ${maxRedirects} redirects`);
    url = step;
  }
}

/** Whether the URL holds one of the texts, encoded or not, even twice, in any case of letters. */
const hasSecret = ({ href }: URL, secrets: readonly string[] = []): boolean => {
  const once = decodePercent(href);
  const texts = [href, once, decodePercent(once)].join("\n").toLowerCase();
  return secrets.some((secret) => texts.includes(secret.toLowerCase()));
};

type Visit = Context & { readonly request: HttpRequest; readonly configured: URL };

/** One request on a connection of its own: where it redirects to, or what `take` made of the response. */
async function visit<T>(url: URL, context: Visit, take: Take<T>): Promise<Answer<T> | URL> {
  const { request, deadline } = context;
  const connected = await connect(url, context);
  if (connected.state === "unavailable") return connected;
  const socket = connected.value;
  const destroy = () => socket.destroy();
  deadline.signal.addEventListener("abort", destroy, { once: true });
  try {
    const failed = (code: string): Unavailable =>
      deadline.signal.aborted ? timedOut(url, request) : unavailable(url.host, "error", code);
    const exchange = await sendGet(socket, { url, headers: headersFor(url, context) });
    if (exchange.state !== "response") return failed(exchangeFault(exchange));
    const { response } = exchange;
    const next = redirectTarget(response.head, url);
    if (next !== null) return next;
    const read = async (receive: BodyReceiver) => {
      const end = await readBody(response, request.maxBytes, receive);
      if (end.state === "whole") return null;
      if (end.state === "too_large") return failed(`The body is larger than ${request.maxBytes} bytes`);
      return failed(bodyFault(end.code));
    };
    return await take({ url, response, read });
  } finally {
    destroy();
  }
}

/** A checked connection, with TLS and a verified certificate where the URL says https. */
async function connect(url: URL, context: Visit): Promise<Answer<Socket>> {
  const { request, configured, dialer, trust, deadline } = context;
  const host = hostOf(url);
  const isOperatorsWord = request.isOperatorsWord && url.host === configured.host;
  const { signal } = deadline;
  const timeoutMs = deadline.remainingMs();
  const dialled = await dialer.connect({ host, port: portOf(url), isOperatorsWord, timeoutMs, signal });
  if (dialled.state === "unavailable") {
    return signal.aborted ? timedOut(url, request) : { ...dialled, upstream: url.host };
  }
  const { socket } = dialled.value;
  if (url.protocol === "http:") return answered(socket);
  const options = { host, context: trust.current, verify: true, alpn: ["http/1.1"], signal };
  const handshake = await shakeHands(socket, options);
  if (handshake.state === "secured") return answered(handshake.socket);
  if (signal.aborted) return timedOut(url, request);
  return unavailable(url.host, "error", `No secure connection: ${tlsFault(handshake.code)}`);
}

/** Ours, then the request's own: all of them at the configured host, else those that tell nothing. */
function headersFor(url: URL, { request, configured, userAgent }: Visit): ReadonlyMap<string, string> {
  const isConfigured = url.host === configured.host;
  const headers = new Map([
    ["user-agent", userAgent],
    ["accept", "*/*"],
    ["accept-encoding", "gzip, deflate, br"],
  ]);
  if (isConfigured && configured.username !== "") headers.set("authorization", basicOf(configured));
  for (const [name, value] of Object.entries(request.headers ?? {})) {
    const key = name.toLowerCase();
    if (isConfigured || TRAVELLING_HEADERS.has(key)) headers.set(key, value);
  }
  return headers;
}

function basicOf({ username, password }: URL): string {
  const octets = decodePercent(`${username}:${password}`);
  return `Basic ${Buffer.from(octets, "latin1").toString("base64")}`;
}

const timedOut = (url: URL, { timeoutMs }: HttpRequest): Unavailable =>
  unavailable(url.host, "timeout", `No complete answer within ${timeoutMs} ms`);

const headOf = ({ url, response: { head } }: Final): Omit<HttpReply, "body"> => ({
  status: head.status,
  headers: new Map([...head.headers].map(([name, values]) => [name, values.join(", ")])),
  url: url.href,
});

async function takeReply(final: Final): Promise<Answer<HttpReply>> {
  const body = createBodyBuffer();
  const failure = await final.read(body.add);
  return failure ?? answered({ ...headOf(final), body: body.bytes() });
}

async function takeDownload(final: Final, path: string): Promise<Answer<HttpDownload>> {
  if (final.response.head.status !== 200) return answered({ ...headOf(final), bytes: 0 });
  const file = await open(path, "wx", 0o600);
  let isComplete = false;
  try {
    const written = await writeBody(final, file);
    isComplete = written.state === "answered";
    return written;
  } finally {
    await file.close();
    if (!isComplete) await rm(path, { force: true });
  }
}

async function writeBody(final: Final, file: FileHandle): Promise<Answer<HttpDownload>> {
  let bytes = 0;
  const failure = await final.read(async (chunk) => {
    await file.writeFile(chunk);
    bytes += chunk.length;
  });
  if (failure !== null) return failure;
  await file.sync();
  return answered({ ...headOf(final), bytes });
}
