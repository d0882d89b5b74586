import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { createServer as createTlsServer } from "node:tls";
import { pathToFileURL } from "node:url";
import { stringify } from "yaml";
import { startDnsServer, type TestReply, type TestScript } from "../../test/servers/dns-server.ts";
import { bootstrapFile, NOT_FOUND, startRdapServer } from "../../test/servers/rdap-server.ts";
import { startWhoisServer } from "../../test/servers/whois-server.ts";
import { createKeys, NAMELESS } from "../world.ts";

/** Where pages are served: the one network of this machine that the service may fetch from. */
const SITE = "127.1.0.1";
const MAX_UDP_BYTES = 1000;
/** The least that is a list, and what is asked for in it. */
const FIRST_ENTRY = "198.41.0.4\n";

/** Servers on loopback that answer by name or path with what the bench put there, and a folder for a service that asks them. */
export type HostileWorld = {
  readonly env: Readonly<Record<string, string>>;
  readonly keys: readonly string[];
  /** Replies by `TYPE name`, in lower case. */
  readonly dns: Map<string, TestReply>;
  /** WHOIS answers by the name asked; all names below `bench` are asked here. */
  readonly whois: Map<string, string>;
  /** Bodies by path; all names below `rdap` are asked here. */
  readonly rdap: Map<string, string>;
  /** Whole answers by path. */
  readonly pages: Map<string, Buffer>;
  /** Keys of what was given out. */
  readonly asked: Set<string>;
  /** `http://127.1.0.1:port`. */
  readonly site: string;
  /** The same with a certificate of a thousand names; null without OpenSSL. */
  readonly secureSite: string | null;
  readonly listFile: string;
  readonly close: () => Promise<void>;
};

/** The whole answer at a path. */
type Page = (path: string) => Buffer | undefined;

/** Starts the servers and writes the service's configuration into `dir`. */
export async function openHostileWorld(dir: string): Promise<HostileWorld> {
  const dns = new Map<string, TestReply>();
  const [whois, rdap] = [new Map<string, string>(), new Map<string, string>()];
  const pages = new Map<string, Buffer>();
  const asked = new Set<string>();
  const take = <T>(texts: ReadonlyMap<string, T>, key: string): T | undefined => {
    asked.add(key);
    return texts.get(key);
  };
  const resolver = await startDnsServer(scriptOf((key) => take(dns, key)));
  const whoisServer = await startWhoisServer(
    (question) => take(whois, question.trim().toLowerCase()) ?? "No match",
  );
  const rdapServer = await startRdapServer();
  rdapServer.use((path) => {
    if (path === "/dns.json") return bootstrapFile({ rdap: rdapServer.url });
    const body = take(rdap, path);
    return body === undefined ? NOT_FOUND : { body };
  });
  const page: Page = (path) => take(pages, path);
  const plain = await listen(createServer(answerFrom(page)));
  const secure = await listenTls(dir, page);
  const dataDir = join(dir, "hostile");
  mkdirSync(dataDir, { recursive: true });
  const listFile = join(dir, "hostile-list.txt");
  writeFileSync(listFile, FIRST_ENTRY);
  const configFile = join(dir, "hostile.yaml");
  const list = {
    key: "hostile",
    target: "ip",
    format: "plain",
    category: "attack",
    confidence: "low",
    url: pathToFileURL(listFile).href,
  };
  writeFileSync(
    configFile,
    stringify({
      dns: { servers: [resolver.address] },
      rdap: { bootstrap_url: rdapServer.url },
      whois: { servers: { bench: whoisServer.address } },
      fetch: { allow_networks: ["127.1.0.0/16"] },
      engines: { builtin: false, feeds: [list] },
    }),
  );
  return {
    env: { REPUTE_DATA_DIR: dataDir, REPUTE_CONFIG: configFile, REPUTE_BOOTSTRAP: "off" },
    keys: await createKeys(join(dataDir, "repute.db")),
    ...{ dns, whois, rdap, pages, asked, listFile },
    site: `http://${SITE}:${portOf(plain)}`,
    secureSite: secure === null ? null : `https://${SITE}:${portOf(secure)}`,
    close: async () => {
      for (const server of [plain, ...(secure === null ? [] : [secure])]) server.close();
      await Promise.all([resolver.close(), whoisServer.close(), rdapServer.close()]);
    },
  };
}

/** Large replies by TCP, as DNS has it. */
const scriptOf =
  (replyTo: (key: string) => TestReply | undefined): TestScript =>
  ({ name, type, transport }) => {
    const reply = replyTo(`${type} ${name.toLowerCase()}`);
    if (reply === undefined) return NAMELESS;
    return transport === "udp" && JSON.stringify(reply.answers).length > MAX_UDP_BYTES
      ? { truncated: true }
      : reply;
  };

/** An HTTP server of whole answers, each on a connection that ends with it. */
const answerFrom = (page: Page) => (socket: import("node:net").Socket) => {
  socket.on("error", () => socket.destroy());
  socket.once("data", (request: Buffer) => {
    const [, path = ""] = request.toString("latin1").split(" ", 2);
    socket.end(page(path) ?? Buffer.from("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"));
  });
};

/** The server with a certificate that OpenSSL makes: a thousand names, one of each with a comma or a quote. */
async function listenTls(dir: string, page: Page): Promise<Server | null> {
  const [key, cert, config] = ["key", "cert", "cnf"].map((end) => join(dir, `hostile.${end}`));
  if (key === undefined || cert === undefined || config === undefined) return null;
  const names = Array.from({ length: 1000 }, (_, i) =>
    i % 2 === 0 ? `DNS.${i} = a${i}.bench.example` : `URI.${i} = urn:a,b"${"\\\\".repeat(9)},${i}`,
  );
  writeFileSync(
    config,
    `[req]\nprompt=no\ndistinguished_name=dn\nx509_extensions=x\n[dn]\nO=${"-_. ".repeat(15)}x\nCN=bench.example\n[x]\nsubjectAltName=@n\n[n]\n${names.join("\n")}\n`,
  );
  try {
    const args = [
      "req",
      "-x509",
      "-newkey",
      "ec",
      "-pkeyopt",
      "ec_paramgen_curve:prime256v1",
      "-nodes",
      "-days",
      "9",
    ];
    execFileSync("openssl", [...args, "-keyout", key, "-out", cert, "-config", config], { stdio: "ignore" });
  } catch (error) {
    if (error instanceof Error) return null;
    throw error;
  }
  return listen(createTlsServer({ key: readFileSync(key), cert: readFileSync(cert) }, answerFrom(page)));
}

async function listen<S extends Server>(server: S): Promise<S> {
  await new Promise<void>((resolve) => server.listen(0, SITE, resolve));
  return server;
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  return address.port;
}
