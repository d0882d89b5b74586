import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { registeredDomainOf } from "../src/targets/domain.ts";
import { createDaemons, statusOf, untilAnswers, untilStatus } from "./consumer-daemons.ts";
import { missing, programOf, run, writeBodyFile } from "./consumers.ts";
import { ALLOWED, above, isName, LISTED, openHardNames, SPELT, SUFFIXES } from "./hard-names.ts";
import { freePort } from "./servers/free-port.ts";

// Names that are hard on readers of lists, through each format of names: what real programs make of them is what the export says.

const { world, questions, valuesOf, isBlocked } = await openHardNames();
const daemons = createDaemons();
afterEach(daemons.stop);
afterAll(world.close);

test("an export lists what names are, and nothing else of what a list says", () => {
  expect(new Set(valuesOf())).toEqual(new Set([...LISTED, ...Object.values(SPELT)]));
  const { islands } = world.generation("names");
  expect(islands.filter((name) => registeredDomainOf(name) !== null)).toEqual([...ALLOWED].sort());
  expect(islands).toEqual(expect.arrayContaining(SUFFIXES));
  expect(questions.filter((name) => isBlocked(name)).length).toBeGreaterThan(100);
  expect(questions.filter((name) => !isBlocked(name)).length).toBeGreaterThan(50);
});

const dig = promisify(execFile);

/** What a server answers to each name, of a zone where one is named. */
async function statusesOf(port: number, zone = ""): Promise<ReadonlyMap<string, string>> {
  const names = questions.filter((name) => isName(name + zone));
  const file = join(world.dir, `questions-${port}`);
  writeFileSync(file, names.map((name) => `${name}${zone}. A\n`).join(""));
  const options = ["+tries=2", "+time=5", "+noall", "+comments", "+question"];
  // What the server says meanwhile is to be read: it would wait for that.
  const { stdout } = await dig(programOf("dig") ?? "dig", [
    ...["@127.0.0.1", "-p", String(port), ...options, "-f", file],
  ]);
  const answers = stdout.split(";; Got answer:").slice(1);
  return new Map(
    answers.map((text) => [
      (/^;(\S+)\.\s+IN\s/m.exec(text)?.[1] ?? "").slice(0, zone === "" ? undefined : -zone.length),
      /status: (\w+)/.exec(text)?.[1] ?? "none",
    ]),
  );
}

/** Names of which a server says something else than the export. */
const wrongOf = (
  statuses: ReadonlyMap<string, string>,
  blocked: string,
  canHold?: (name: string) => boolean,
): readonly string[] =>
  questions
    .filter((name) => isName(name))
    .filter((name) => statuses.has(name) || isBlocked(name, canHold))
    .filter((name) => (statuses.get(name) === blocked) !== isBlocked(name, canHold))
    .map((name) => `${name}: ${statuses.get(name)}`);

const folder = (name: string): string => {
  const path = join(world.dir, name);
  mkdirSync(path, { recursive: true });
  run("chmod", ["777", path]);
  return path;
};

const local = ["--listen-address=127.0.0.1", "--bind-interfaces", "--no-resolv", "--no-hosts", "--user=root"];
const dnsmasq = (port: number, ...args: readonly string[]) =>
  daemons.start("dnsmasq", ["--no-daemon", "--conf-file=/dev/null", `--port=${port}`, ...local, ...args]);

/** A server that knows every name. */
async function startUpstream(): Promise<number> {
  const port = await freePort();
  const { said } = dnsmasq(port, "--address=/#/203.0.113.1");
  await untilAnswers(port, "example.com", said);
  return port;
}

/** Names that fit beside the zone's own, and are no trigger. */
const inZone = (name: string): boolean =>
  name.length <= 253 - ".rpz.repute.example".length && !/\.rpz-[a-z-]+$/.test(name);

type Resolver = { readonly dir: string; readonly port: number; readonly up: number; readonly zone: string };

/** How each resolver is started with the response policy zone. */
const RESOLVERS: Readonly<Record<string, readonly [command: string, start: (by: Resolver) => string[]]>> = {
  BIND: [
    "named",
    ({ dir, port, up, zone }) => {
      writeFileSync(
        join(dir, "named.conf"),
        `options { directory "${dir}"; listen-on port ${port} { 127.0.0.1; }; listen-on-v6 { none; }; pid-file none;
        session-keyfile none; dnssec-validation no; empty-zones-enable no; forwarders { 127.0.0.1 port ${up}; }; forward only;
        response-policy { zone "names.rpz"; } qname-wait-recurse no; }; controls { };
        zone "names.rpz" { type primary; file "${zone}"; allow-query { none; }; };`,
      );
      return ["-g", "-c", join(dir, "named.conf")];
    },
  ],
  Unbound: [
    "unbound",
    ({ dir, port, up, zone }) => {
      writeFileSync(
        join(dir, "unbound.conf"),
        `server:\n  interface: 127.0.0.1@${port}\n  chroot: ""\n  username: ""\n  directory: "${dir}"\n  pidfile: ""
  use-syslog: no\n  do-daemonize: no\n  do-not-query-localhost: no\n  module-config: "respip iterator"
remote-control:\n  control-enable: no\nrpz:\n  name: names.rpz\n  zonefile: "${zone}"
forward-zone:\n  name: "."\n  forward-addr: 127.0.0.1@${up}\n`,
      );
      return ["-d", "-c", join(dir, "unbound.conf")];
    },
  ],
  "PowerDNS Recursor": [
    "pdns_recursor",
    ({ dir, port, up, zone }) => {
      writeFileSync(join(dir, "repute.lua"), `rpzFile("${zone}", { policyName = "repute" })\n`);
      return [
        ...[`--config-dir=${dir}`, `--socket-dir=${dir}`, "--local-address=127.0.0.1"],
        ...[`--local-port=${port}`, `--lua-config-file=${join(dir, "repute.lua")}`, "--daemon=no"],
        ...["--disable-syslog", "--security-poll-suffix=", "--threads=1", "--dnssec=off"],
        ...[`--forward-zones-recurse=.=127.0.0.1:${up}`, "--serve-rfc1918=no"],
      ];
    },
  ],
  "Knot Resolver": [
    "kresd",
    ({ dir, port, up, zone }) => {
      writeFileSync(
        join(dir, "kresd.conf"),
        `net.listen('127.0.0.1', ${port}, { kind = 'dns' })\ncache.size = 10 * MB
policy.add(policy.rpz(policy.DENY, '${zone}', false))\npolicy.add(policy.all(policy.STUB('127.0.0.1@${up}')))\n`,
      );
      return ["-n", "-c", join(dir, "kresd.conf"), dir];
    },
  ],
};

describe("a response policy zone:", () => {
  for (const [name, [command, startOf]] of Object.entries(RESOLVERS))
    test.skipIf(missing(command, "dig", "dnsmasq").length > 0)(
      `${name} denies what the export lists, and nothing else (else skipped)`,
      async () => {
        const [dir, port, up] = [folder(name.replace(" ", "-")), await freePort(), await startUpstream()];
        const { said } = daemons.start(
          command,
          startOf({ dir, port, up, zone: writeBodyFile(world, "names.rpz") }),
        );
        await untilAnswers(port, "include.com", said);
        expect(wrongOf(await statusesOf(port), "NXDOMAIN", inZone)).toEqual([]);
      },
    );
});

test.skipIf(missing("dig", "dnsmasq").length > 0)(
  "dnsmasq denies what the export lists but for public suffixes, and nothing else (else skipped)",
  async () => {
    const [port, up] = [await freePort(), await startUpstream()];
    const file = `--servers-file=${writeBodyFile(world, "names.dnsmasq")}`;
    await untilAnswers(port, "include.com", dnsmasq(port, file, `--server=127.0.0.1#${up}`).said);
    const isNoSuffix = (name: string): boolean => registeredDomainOf(name) !== null;
    expect(wrongOf(await statusesOf(port), "NXDOMAIN", isNoSuffix)).toEqual([]);
  },
);

test.skipIf(missing("dig", "dnsmasq").length > 0)(
  "a hosts file has each listed name for itself (else skipped)",
  async () => {
    const port = await freePort();
    const { said } = dnsmasq(port, `--addn-hosts=${writeBodyFile(world, "names.hosts")}`, "--local=/#/");
    await untilAnswers(port, "include.com", said);
    const statuses = await statusesOf(port);
    const found = questions.filter((name) => statuses.get(name) === "NOERROR");
    expect(valuesOf().filter((name) => !found.includes(name))).toEqual([]);
    expect(said()).not.toMatch(/bad|error/i);
  },
);

test.skipIf(missing("dig", "rbldnsd").length > 0)(
  "rbldnsd answers for what the export lists, and nothing else (else skipped)",
  async () => {
    const [dir, port] = [folder("rbldnsd"), await freePort()];
    const zone = `z:dnset:${writeBodyFile(world, "names.rbldom")}`;
    const { said } = daemons.start("rbldnsd", [
      ...["-n", "-b", `127.0.0.1/${port}`, "-w", dir, "-u", "nobody", zone],
    ]);
    await untilAnswers(port, "include.com.z", said);
    const fits = (name: string): boolean => isName(`${name}.z`);
    expect(wrongOf(await statusesOf(port, ".z"), "NOERROR", fits)).toEqual([]);
    expect(said()).not.toMatch(/invalid|bad|unrecognized|ignored/i);
  },
);

test.skipIf(missing("squid").length > 0)(
  "Squid denies each listed name, with all below it where nothing is let through there (else skipped)",
  async () => {
    const [dir, port] = [folder("squid"), await freePort()];
    const file = writeBodyFile(world, "names.txt", { below: "1" });
    writeFileSync(
      join(dir, "squid.conf"),
      `configuration_includes_quoted_values on\nacl names dstdomain -n parameters("${file}")
configuration_includes_quoted_values off\nhttp_access deny names\nhttp_access deny all
deny_info 451:ERR_ACCESS_DENIED names\nhttp_port 127.0.0.1:${port}\npid_filename ${dir}/pid\ncache_log ${dir}/cache.log
access_log none\ncache deny all\nshutdown_lifetime 0 seconds\ndns_nameservers 127.0.0.1\ncoredump_dir ${dir}\npinger_enable off\n`,
    );
    const { said } = daemons.start("squid", ["-N", "-f", join(dir, "squid.conf")]);
    await untilStatus([`http://127.0.0.1:${port}/`], said);
    const islands = world.generation("names").islands.flatMap(above);
    const isAlone = (name: string): boolean => registeredDomainOf(name) === null || islands.includes(name);
    const listed = new Set(valuesOf());
    const isDenied = (name: string): boolean =>
      above(name).some((one, i) => listed.has(one) && (i === 0 || !isAlone(one)));
    const denied = (name: string) =>
      statusOf(["-x", `http://127.0.0.1:${port}`, "--noproxy", "", `http://${name}/`]) === "451";
    expect(questions.filter((name) => denied(name) !== isDenied(name))).toEqual([]);
    expect(said()).not.toMatch(/WARNING.*(subdomain|ignored)/);
  },
);
