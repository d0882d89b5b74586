// Runs in a network namespace of its own, where 8.8.4.4 is `www.example.com`. Sends a mail through servers of every
// kind and prints JSON: how it ended, and which secrets each server read in clear and through TLS.
import { readFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { createSecureContext, TLSSocket } from "node:tls";
import { fileURLToPath } from "node:url";
import { createMail } from "../src/net/mail/mail.ts";

const certificate = (name: string): string =>
  fileURLToPath(new URL(`servers/certificates/${name}`, import.meta.url));
const contextOf = (name: string, maxVersion: "TLSv1.1" | "TLSv1.2" | "TLSv1.3" = "TLSv1.3") => {
  const files = {
    key: readFileSync(certificate(`${name}.key`)),
    cert: readFileSync(certificate(`${name}.pem`)),
  };
  return createSecureContext({ ...files, minVersion: "TLSv1", maxVersion, ciphers: "DEFAULT@SECLEVEL=0" });
};

const USER = "operator";
const PASSWORD = "mail password";
const LINK = "https://rep.example/app/reset#token=secret";

type Kind = {
  /** What the server answers to EHLO beside its name. */
  readonly offers: readonly string[];
  /** Its answer to STARTTLS; null: it does not know the command. */
  readonly startTls: string | null;
  readonly ehlo?: string;
  readonly context: ReturnType<typeof contextOf>;
};
type Heard = { clear: string; secured: string };

/** Speaks SMTP on a socket; what arrives on it is added to one of the two. */
function talk(socket: Socket, kind: Kind, heard: Heard, isSecured: boolean): void {
  let rest = "";
  let isText = false;
  socket.on("error", () => socket.destroy());
  const onLine = (line: string): void => {
    const verb = isText ? "" : (line.slice(0, 8).toUpperCase().split(" ", 1)[0] ?? "");
    if (isText) {
      isText = line !== ".";
      if (!isText) socket.write("250 taken\r\n");
    } else if (verb === "STARTTLS") {
      startTls();
    } else {
      isText = verb === "DATA";
      socket.write(replyTo(verb, kind, isSecured));
    }
  };
  const startTls = (): void => {
    socket.write(`${kind.startTls ?? "502 unknown command"}\r\n`);
    if (!kind.startTls?.startsWith("220")) return;
    socket.removeListener("data", onData);
    const secured = new TLSSocket(socket, { isServer: true, secureContext: kind.context });
    talk(secured, { ...kind, offers: ["AUTH PLAIN LOGIN"] }, heard, true);
  };
  const onData = (chunk: Buffer): void => {
    heard[isSecured ? "secured" : "clear"] += chunk.toString("latin1");
    const lines = (rest + chunk.toString("latin1")).split("\r\n");
    rest = lines.pop() ?? "";
    for (const line of lines) onLine(line);
  };
  socket.on("data", onData);
}

function replyTo(verb: string, kind: Kind, isSecured: boolean): string {
  if (verb === "EHLO") {
    if (!isSecured && kind.ehlo !== undefined) return `${kind.ehlo}\r\n`;
    const [last = "", ...more] = [...kind.offers, "server"].reverse();
    return `${[last, ...more].map((line, i) => `250${i === more.length ? " " : "-"}${line}`).join("\r\n")}\r\n`;
  }
  if (verb === "AUTH") return "235 welcome\r\n";
  if (verb === "DATA") return "354 go on\r\n";
  return verb === "QUIT" ? "221 bye\r\n" : "250 well\r\n";
}

const listen = (server: Server, host: string): Promise<number> =>
  new Promise((resolve) =>
    server.listen(0, host, () => {
      const address = server.address();
      resolve(address === null || typeof address === "string" ? 0 : address.port);
    }),
  );

/** Which secrets stand in what a server read; credentials go as base64. */
function secretsIn(text: string): string[] {
  const encoded = [`\0${USER}\0${PASSWORD}`, USER, PASSWORD].map((one) =>
    Buffer.from(one).toString("base64"),
  );
  const isAuth = encoded.some((one) => text.includes(one)) || text.includes("AUTH ");
  const plain = text.replace(/=\r\n/g, "").replaceAll("=3D", "=");
  return [
    ...(isAuth ? ["credentials"] : []),
    ...(plain.includes(LINK) ? ["link"] : []),
    ...(text.includes("ann@example.com") ? ["address"] : []),
  ];
}

type Case = Partial<Kind> & {
  /** Default: smtp. */
  readonly scheme?: "smtp" | "smtps";
  /** Host of the URL; default: www.example.com. */
  readonly host?: string;
  readonly listensAt?: string;
  readonly isAnonymous?: boolean;
  readonly isTlsServer?: boolean;
};

async function run(wish: Case): Promise<unknown> {
  const heard: Heard = { clear: "", secured: "" };
  const base: Kind = { offers: ["AUTH PLAIN LOGIN"], startTls: null, context: contextOf("good") };
  const kind: Kind = { ...base, ...wish };
  const server = createServer((plain) => {
    plain.on("error", () => plain.destroy());
    const { isTlsServer = false } = wish;
    const socket = isTlsServer
      ? new TLSSocket(plain, { isServer: true, secureContext: kind.context })
      : plain;
    socket.write("220 server\r\n");
    talk(socket, kind, heard, isTlsServer);
  });
  const port = await listen(server, wish.listensAt ?? "8.8.4.4");
  const who = wish.isAnonymous ? "" : `${USER}:${encodeURIComponent(PASSWORD)}@`;
  const url = `${wish.scheme ?? "smtp"}://${who}${wish.host ?? "www.example.com"}:${port}`;
  const settings = { senderHost: "rep.example", caFile: certificate("ca.pem") };
  const send = createMail({ smtp_url: url, from: null }, settings);
  const mail = { to: "ann@example.com", subject: "Set a new password", text: LINK };
  const error = await send?.(mail).then(
    () => null,
    (reason: Error) => reason.message.replaceAll(String(port), "PORT"),
  );
  server.close();
  return { error, clear: secretsIn(heard.clear), secured: secretsIn(heard.secured) };
}

const STARTTLS = { offers: ["STARTTLS"], startTls: "220 go on" };
const CASES: Readonly<Record<string, Case>> = {
  STARTTLS: STARTTLS,
  "STARTTLS without credentials": { ...STARTTLS, isAnonymous: true },
  smtps: { scheme: "smtps", isTlsServer: true },
  "no STARTTLS": {},
  "no STARTTLS, no credentials": { isAnonymous: true },
  "STARTTLS is removed on the way": { startTls: "500 unknown" },
  "STARTTLS is refused": { ...STARTTLS, startTls: "454 not now" },
  "words in clear behind the reply to STARTTLS": {
    ...STARTTLS,
    startTls: "220 go on\r\n250-evil.example\r\n250 AUTH LOGIN\r\n235 welcome\r\n250 taken",
  },
  "EHLO is refused": { ehlo: "502 unknown" },
  "a server that greets in clear where TLS is expected": { scheme: "smtps" },
  "an expired certificate": { ...STARTTLS, context: contextOf("expired") },
  "a certificate of another name": { ...STARTTLS, context: contextOf("other") },
  "a certificate of no authority": { ...STARTTLS, context: contextOf("self") },
  "smtps with a certificate of no authority": {
    scheme: "smtps",
    isTlsServer: true,
    context: contextOf("self"),
  },
  "TLS 1.1": { ...STARTTLS, context: contextOf("good", "TLSv1.1") },
  "smtps with TLS 1.1": { scheme: "smtps", isTlsServer: true, context: contextOf("good", "TLSv1.1") },
  "a name that leads to loopback": { host: "near.example", listensAt: "127.0.0.1" },
  "127.0.0.1": { host: "127.0.0.1", listensAt: "127.0.0.1" },
  "127.9.9.9": { host: "127.9.9.9", listensAt: "127.9.9.9" },
  "[::1]": { host: "[::1]", listensAt: "::1" },
  localhost: { host: "localhost", listensAt: "127.0.0.1" },
  "localhost with STARTTLS": { ...STARTTLS, host: "localhost", listensAt: "127.0.0.1" },
};
const report: Record<string, unknown> = {};
for (const [name, wish] of Object.entries(CASES)) report[name] = await run(wish);
process.stdout.write(JSON.stringify(report));
process.exit(0);
