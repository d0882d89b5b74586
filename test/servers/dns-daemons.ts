import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock, systemRandom } from "../../src/base/clock.ts";
import { createDns } from "../../src/net/dns/dns.ts";
import { freePort } from "./free-port.ts";

/** Debian keeps them where only the administrator's path looks. */
const PATH = `${process.env["PATH"]}:/usr/sbin:/sbin`;

/** What the daemons need and this machine has not. */
export const missingDaemons = (): readonly string[] =>
  ["unbound", "knotd", "keymgr"].filter((program) => {
    try {
      execFileSync(program, ["-V"], { env: { PATH }, stdio: "ignore" });
      return false;
    } catch {
      return true;
    }
  });

/** Zones below `lab`, the trust anchor: how each is signed, and what its parent says of it. */
const ZONES = [
  { zone: "lab", signed: true, ds: null },
  { zone: "secure.lab", signed: true, ds: "secure.lab" },
  { zone: "unsigned.lab", signed: false, ds: null },
  { zone: "no-ds.lab", signed: true, ds: null },
  { zone: "other-key.lab", signed: true, ds: "secure.lab" },
  { zone: "no-key.lab", signed: false, ds: "secure.lab" },
] as const;

export type DnsDaemons = {
  /** Unbound that validates, `127.0.0.1:port`. */
  readonly validating: string;
  /** Unbound that only looks up. */
  readonly plain: string;
  readonly close: () => Promise<void>;
};

/**
 * Knot with signed and unsigned zones and two Unbounds that ask it, all on loopback and in a folder of their own.
 * Throws with their output when they do not answer.
 */
export async function startDnsDaemons(): Promise<DnsDaemons> {
  const folder = mkdtempSync(join(tmpdir(), "repute-dns-"));
  const [knot, validating, plain] = await Promise.all([freePort(), freePort(), freePort()]);
  const anchor = writeKnot(folder, knot);
  writeFileSync(join(folder, "validating.conf"), unboundConf(validating, knot, "validator iterator", anchor));
  writeFileSync(join(folder, "plain.conf"), unboundConf(plain, knot, "iterator", null));
  const running = [
    start("knotd", ["-c", join(folder, "knot.conf")]),
    start("unbound", ["-d", "-c", join(folder, "validating.conf")]),
    start("unbound", ["-d", "-c", join(folder, "plain.conf")]),
  ];
  const close = async () => {
    await Promise.all(running.map(({ stop }) => stop()));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    for (const { zone, signed } of ZONES) await untilServed(knot, zone, signed ? "DNSKEY" : "SOA");
    for (const port of [validating, plain]) await untilServed(port, "lab", "SOA");
  } catch (error) {
    await close();
    throw new Error(running.map(({ output }) => output()).join("\n"), { cause: error });
  }
  return { validating: `127.0.0.1:${validating}`, plain: `127.0.0.1:${plain}`, close };
}

/** Writes configuration, keys and zones; returns the DS of the trust anchor. */
function writeKnot(folder: string, port: number): string {
  const conf = join(folder, "knot.conf");
  for (const name of ["run", "keys", "zones"]) mkdirSync(join(folder, name));
  writeFileSync(conf, knotConf(folder, port));
  const signed = ZONES.filter((zone) => zone.signed).map(({ zone }) => zone);
  const keymgr = (zone: string, ...args: readonly string[]) =>
    execFileSync("keymgr", ["-c", conf, zone, ...args], { env: { PATH }, stdio: "pipe" }).toString();
  for (const zone of signed) keymgr(zone, "generate", "algorithm=ecdsap256sha256", "ksk=yes", "zsk=yes");
  /** Of the SHA-256 digest: `36509 13 2 …`. */
  const dsOf = (zone: string) => / DS (\d+ 13 2 \S+)/.exec(keymgr(zone, "ds"))?.[1] ?? "";
  for (const { zone } of ZONES) {
    const records = ["@ SOA ns.lab. a.lab. 1 60 60 60 60", "@ NS ns.lab.", "@ A 192.0.2.1", "ns A 127.0.0.1"];
    const children = ZONES.filter(() => zone === "lab").filter((child) => child.zone !== "lab");
    for (const child of children) {
      records.push(`${child.zone}. NS ns.lab.`);
      if (child.ds !== null) records.push(`${child.zone}. DS ${dsOf(child.ds)}`);
    }
    writeFileSync(
      join(folder, "zones", `${zone}.zone`),
      `$ORIGIN ${zone}.\n$TTL 60\n${records.join("\n")}\n`,
    );
  }
  return dsOf("lab");
}

const knotConf = (folder: string, port: number): string => `server:
  rundir: "${folder}/run"
  listen: 127.0.0.1@${port}
log:
  - target: stderr
    any: warning
database:
  storage: "${folder}/keys"
policy:
  - id: manual
    algorithm: ecdsap256sha256
    single-type-signing: on
    manual: on
template:
  - id: default
    storage: "${folder}/zones"
    file: "%s.zone"
    zonefile-sync: -1
    dnssec-policy: manual
zone:
${ZONES.map(({ zone, signed }) => `  - domain: ${zone}\n    dnssec-signing: ${signed ? "on" : "off"}`).join("\n")}
`;

/** Asks only Knot, and cannot ask others: it sends from loopback only. */
const unboundConf = (port: number, knot: number, modules: string, anchor: string | null): string => `server:
  interface: 127.0.0.1
  port: ${port}
  outgoing-interface: 127.0.0.1
  do-not-query-localhost: no
  do-daemonize: no
  username: ""
  chroot: ""
  pidfile: ""
  use-syslog: no
  logfile: ""
  num-threads: 1
  module-config: "${modules}"
  qname-minimisation: no
  trust-anchor-signaling: no
${anchor === null ? "" : `  trust-anchor: "lab. DS ${anchor}"`}
remote-control:
  control-enable: no
${ZONES.map(({ zone }) => `stub-zone:\n  name: ${zone}\n  stub-addr: 127.0.0.1@${knot}`).join("\n")}
`;

type Running = { readonly stop: () => Promise<void>; readonly output: () => string };

function start(program: string, args: readonly string[]): Running {
  const child = spawn(program, args, { env: { PATH }, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", (error) => {
      output += error.message;
      resolve();
    });
  });
  const stop = async () => {
    child.kill("SIGTERM");
    await ended;
  };
  return { stop, output: () => `${program}: ${output}` };
}

const PATIENCE_MS = 30_000;

/** Waits until the server at the port has the records. */
async function untilServed(port: number, zone: string, type: "SOA" | "DNSKEY"): Promise<void> {
  const servers = [`127.0.0.1:${port}`];
  const dns = createDns({ servers, timeoutMs: 500, clock: systemClock, random: systemRandom });
  const endMs = systemClock.monotonicMs() + PATIENCE_MS;
  while (systemClock.monotonicMs() < endMs) {
    const answer = await dns.query(zone, type);
    if (answer.state === "answered" && answer.value.answers.some((record) => record.type === type)) return;
    await systemClock.sleep(50);
  }
  throw new Error(`127.0.0.1:${port} does not serve ${type} of ${zone}`);
}
