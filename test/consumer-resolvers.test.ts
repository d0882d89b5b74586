import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { linesFor } from "../web/app/exports/lines.ts";
import { askDns, createDaemons, untilAnswers } from "./consumer-daemons.ts";
import { linesOf } from "./consumer-lines.ts";
import { type ConsumerMachine, openConsumerMachine } from "./consumer-shell.ts";
import { missing, programOf, run } from "./consumers.ts";
import { freePort } from "./servers/free-port.ts";
import { until } from "./service.ts";

// The lines of docs/consumers/ for resolvers, as they stand there, in Debian's daemons.

let machine: ConsumerMachine;
const daemons = createDaemons();
beforeAll(async () => {
  machine = await openConsumerMachine();
}, 900_000);
afterEach(daemons.stop);
afterAll(() => machine?.close());

const EVIL = "evil.example.com";
/** Allowed below a listed name: it is handed on, to a resolver that is not there. */
const GOOD = "good.evil.example.com";

/** Runs the page's own line that shows that it works, at the test's port. */
const seen = async (mark: string, port: number): Promise<string> =>
  (await machine.sh(linesOf(mark).replaceAll("@127.0.0.1", `@127.0.0.1 -p ${port} +tries=1 +time=2`))).stdout;

test.skipIf(missing("named", "dig").length > 0)("BIND (else skipped)", async () => {
  await machine.runLines("bind-load");
  const [dir, port] = [machine.folder("bind"), await freePort()];
  const conf = join(dir, "named.conf");
  writeFileSync(
    conf,
    `options { directory "${dir}"; listen-on port ${port} { 127.0.0.1; }; listen-on-v6 { none; }; pid-file none;
    session-keyfile none; dnssec-validation no; forwarders { 127.0.0.1 port 9; }; forward only;
    ${await machine.pasted("bind-options")} };
    controls { };\n${await machine.pasted("bind-zone")}`,
  );
  const { said } = daemons.start("named", ["-g", "-c", conf]);
  expect((await untilAnswers(port, EVIL, said)).status).toBe("NXDOMAIN");
  expect(await seen("bind-see", port)).toContain("status: NXDOMAIN");
  expect(askDns(port, GOOD).status).not.toBe("NXDOMAIN");
});

test.skipIf(missing("unbound", "dig").length > 0)(
  "Unbound fetches the zone by itself, and has it after a restart without Repute (else skipped)",
  async () => {
    const [dir, port] = [machine.folder("unbound"), await freePort()];
    const conf = join(dir, "unbound.conf");
    const lines = (await machine.pasted("unbound")).replace("/var/lib/unbound/", `${dir}/`);
    const own = `server:\n  interface: 127.0.0.1@${port}\n  chroot: ""\n  username: ""\n  directory: "${dir}"\n  pidfile: ""
  use-syslog: no\n  do-daemonize: no\n  do-not-query-localhost: no\n`;
    const rest =
      'remote-control:\n  control-enable: no\nforward-zone:\n  name: "."\n  forward-addr: 127.0.0.1@9\n';
    writeFileSync(conf, `${own}${lines}${rest}`);
    const first = daemons.start("unbound", ["-d", "-c", conf]);
    await untilDenied(port, first.said);
    expect(await seen("unbound-see", port)).toContain("status: NXDOMAIN");
    expect(askDns(port, GOOD).status).not.toBe("NXDOMAIN");
    daemons.stop();
    writeFileSync(conf, `${own}${lines.replace(machine.service.address, "http://127.0.0.1:1")}${rest}`);
    const second = daemons.start("unbound", ["-d", "-c", conf]);
    await untilDenied(port, second.said);
  },
);

test.skipIf(missing("unbound", "dig").length > 0)(
  "Unbound, by the dashboard's lines, which come after the package's own (else skipped)",
  async () => {
    await machine.runLines("bind-load");
    const [dir, port] = [machine.folder("unbound-dashboard"), await freePort()];
    const conf = join(dir, "unbound.conf");
    const names = { name: "names", kind: "block", target: "domain", formats: [{ format: "rpz" }] };
    const { lines = "" } =
      linesFor(Object(names), machine.service.address).find(({ consumer }) => consumer === "Unbound") ?? {};
    const pasted = lines.replaceAll("/etc/repute", machine.etc);
    const own = `server:\n  interface: 127.0.0.1@${port}\n  chroot: ""\n  username: ""\n  directory: "${dir}"\n  pidfile: ""
  use-syslog: no\n  do-daemonize: no\n`;
    writeFileSync(conf, `${own}remote-control:\n  control-enable: no\n${pasted}\n`);
    await untilDenied(port, daemons.start("unbound", ["-d", "-c", conf]).said);
  },
);

/** Until the zone is there, the name is handed on. */
async function untilDenied(port: number, said: () => string): Promise<void> {
  for (let tries = 0; tries < 20; tries++) {
    if ((await untilAnswers(port, EVIL, said)).status === "NXDOMAIN") return;
  }
  throw new Error(`${EVIL} is never denied: ${said().slice(-2000)}`);
}

test("AppArmor's lines reach the profile that Debian's BIND and Unbound have", async () => {
  const dir = machine.folder("apparmor.d");
  machine.shim("apparmor_parser", 'echo "$@"');
  for (const [mark, profile] of [
    ["bind-apparmor", "usr.sbin.named"],
    ["unbound-apparmor", "usr.sbin.unbound"],
  ] as const) {
    machine.folder("apparmor.d/local");
    const ran = await machine.sh((await machine.pasted(mark)).replaceAll("/etc/apparmor.d", dir));
    expect(ran).toMatchObject({ status: 0, stdout: `-r ${dir}/${profile}\n` });
    expect(readFileSync(join(dir, "local", profile), "utf8")).toBe(`${machine.etc}/* r,\n`);
    const shipped = join("/etc/apparmor.d", profile);
    if (existsSync(shipped)) expect(readFileSync(shipped, "utf8")).toContain(`include <local/${profile}>`);
  }
});

test.skipIf(missing("kresd", "dig").length > 0)("Knot Resolver (else skipped)", async () => {
  await machine.runLines("kresd-load");
  const [dir, port] = [machine.folder("kresd"), await freePort()];
  const conf = join(dir, "kresd.conf");
  const own = `net.listen('127.0.0.1', ${port}, { kind = 'dns' })\ncache.size = 10 * MB\n`;
  const rest = "policy.add(policy.all(policy.FORWARD('127.0.0.1@9')))\n";
  writeFileSync(conf, `${own}${await machine.pasted("kresd")}${rest}`);
  const { said } = daemons.start("kresd", ["-n", "-c", conf, dir]);
  expect((await untilAnswers(port, EVIL, said)).status).toBe("NXDOMAIN");
  expect(await seen("kresd-see", port)).toContain("status: NXDOMAIN");
  expect(askDns(port, GOOD).status).not.toBe("NXDOMAIN");
  // It sees a new file by itself.
  const zone = join(machine.etc, "names.rpz");
  expect(askDns(port, "new.example.net").status).not.toBe("NXDOMAIN");
  writeFileSync(`${zone}.new`, `${readFileSync(zone, "utf8")}new.example.net CNAME .\n`);
  renameSync(`${zone}.new`, zone);
  await until(() => askDns(port, "new.example.net").status === "NXDOMAIN");
});

test.skipIf(missing("pdns_recursor", "dig").length > 0)("PowerDNS Recursor (else skipped)", async () => {
  await machine.runLines("powerdns-load");
  const [dir, port] = [machine.folder("pdns"), await freePort()];
  const lua = join(dir, "repute.lua");
  writeFileSync(lua, await machine.pasted("powerdns"));
  // It is not listed yet when it is asked for first.
  const zone = join(machine.etc, "names.rpz");
  writeFileSync(zone, readFileSync(zone, "utf8").replaceAll(EVIL, "other.example.com"));
  const { said } = daemons.start("pdns_recursor", [
    ...[`--config-dir=${dir}`, `--socket-dir=${dir}`, "--local-address=127.0.0.1", `--local-port=${port}`],
    ...[`--lua-config-file=${lua}`, "--daemon=no", "--disable-syslog", "--security-poll-suffix="],
    ...["--forward-zones-recurse=.=127.0.0.1:9", "--threads=1", "--dnssec=off"],
  ]);
  expect((await untilAnswers(port, "other.example.com", said)).status).toBe("NXDOMAIN");
  expect(askDns(port, EVIL).status).toBe("SERVFAIL");
  machine.shim(
    "rec_control",
    `exec ${programOf("rec_control")} --config-dir=${dir} --socket-dir=${dir} "$@"`,
  );
  await machine.forget(basename(zone));
  await machine.runLines("powerdns-hourly");
  expect(askDns(port, EVIL).status).toBe("NXDOMAIN");
  expect(await seen("powerdns-see", port)).toContain("status: NXDOMAIN");
  expect(askDns(port, GOOD).status).not.toBe("NXDOMAIN");
});

test.skipIf(missing("dnsmasq", "dig").length > 0)("dnsmasq (else skipped)", async () => {
  await machine.runLines("dnsmasq-load");
  const [dir, port] = [machine.folder("dnsmasq"), await freePort()];
  const conf = join(dir, "repute.conf");
  writeFileSync(conf, await machine.pasted("dnsmasq"));
  const { said } = daemons.start("dnsmasq", [
    ...["--no-daemon", `--conf-file=${conf}`, "--no-resolv", "--no-hosts", `--port=${port}`],
    ...["--listen-address=127.0.0.1", "--bind-interfaces", "--user=root"],
  ]);
  expect((await untilAnswers(port, EVIL, said)).status).toBe("NXDOMAIN");
  expect(await seen("dnsmasq-see", port)).toContain("status: NXDOMAIN");
  expect(askDns(port, GOOD).status).not.toBe("NXDOMAIN");
});

test.skipIf(missing("rbldnsd", "dig").length > 0)("rbldnsd (else skipped)", async () => {
  await machine.runLines("rbldnsd-load");
  const port = await freePort();
  const file = (await machine.pasted("rbldnsd")).replace("127.0.0.1/8053", `127.0.0.1/${port}`);
  // As Debian's wrapper reads it: a name, and the arguments behind it.
  const [, ...args] = (await machine.sh(`${file}\necho $RBLDNSD`)).stdout.trim().split(" ");
  // It refuses to run as root: its user must be able to read the zones.
  await machine.sh(`chmod -R a+rX ${dirname(machine.etc)}`);
  const { said } = daemons.start("rbldnsd", ["-n", "-u", "nobody", ...args]);
  expect((await untilAnswers(port, "2.0.0.127.bl.example", said)).answers).toEqual(["A 127.0.0.2"]);
  const lines = await machine.sh((await machine.pasted("rbldnsd-see")).replaceAll("-p 8053", `-p ${port}`));
  expect(lines.stdout).toMatch(/^127\.0\.0\.2\n".*score \d+"\n$/);
  expect(askDns(port, "7.1.64.45.bl.example").status).toBe("NXDOMAIN");
  expect(askDns(port, `deep.${EVIL}.dbl.example`).answers).toEqual(["A 127.0.0.5"]);
});

/** Text with a folder of lists where nothing was ever fetched. */
const neverFetched = (text: string): string =>
  text.replaceAll(machine.etc, machine.folder("nothing-fetched"));

test.skipIf(missing("kresd", "rbldnsd").length > 0)(
  "Knot Resolver and rbldnsd do not start where the file was never fetched (else skipped)",
  async () => {
    const dir = machine.folder("never-fetched");
    const conf = join(dir, "kresd.conf");
    writeFileSync(conf, neverFetched(await machine.pasted("kresd")));
    const kresd = run("kresd", ["-n", "-c", conf, dir]);
    expect([kresd.status, kresd.stdout + kresd.stderr]).toEqual([1, expect.stringContaining("open error")]);
    const file = neverFetched(await machine.pasted("rbldnsd"));
    const [, ...args] = (await machine.sh(`${file}\necho $RBLDNSD`)).stdout.trim().split(" ");
    const rbldnsd = run("rbldnsd", ["-n", "-u", "nobody", ...args]);
    expect([rbldnsd.status, rbldnsd.stderr]).toEqual([1, expect.stringContaining("aborting")]);
  },
);

test.skipIf(missing("named", "pdns_recursor", "dnsmasq", "dig").length > 0)(
  "BIND, PowerDNS and dnsmasq let everything through where the file was never fetched, and say so (else skipped)",
  async () => {
    const [dir, upstream] = [machine.folder("never-fetched"), await freePort()];
    const local = [
      "--listen-address=127.0.0.1",
      "--bind-interfaces",
      "--no-resolv",
      "--no-hosts",
      "--user=root",
    ];
    const dnsmasq = (...args: readonly string[]) =>
      daemons.start("dnsmasq", ["--no-daemon", ...args, ...local]);
    dnsmasq(`--port=${upstream}`, "--address=/#/203.0.113.1");
    const untilThrough = async (port: number, said: () => string, why: string): Promise<void> => {
      expect((await untilAnswers(port, EVIL, said)).answers).toEqual(["A 203.0.113.1"]);
      await until(() => said().includes(why));
    };
    const own = join(dir, "dnsmasq.conf");
    writeFileSync(own, neverFetched(await machine.pasted("dnsmasq")));
    const port = await freePort();
    const resolver = dnsmasq(`--port=${port}`, `--conf-file=${own}`, `--server=127.0.0.1#${upstream}`);
    await untilThrough(port, resolver.said, "cannot read");
    const named = join(dir, "named.conf");
    const bindPort = await freePort();
    writeFileSync(
      named,
      `options { directory "${dir}"; listen-on port ${bindPort} { 127.0.0.1; }; listen-on-v6 { none; }; pid-file none;
      session-keyfile none; dnssec-validation no; forwarders { 127.0.0.1 port ${upstream}; }; forward only;
      ${await machine.pasted("bind-options")} };
      controls { };\n${neverFetched(await machine.pasted("bind-zone"))}`,
    );
    await untilThrough(
      bindPort,
      daemons.start("named", ["-g", "-c", named]).said,
      "not loaded due to errors",
    );
    const lua = join(dir, "repute.lua");
    writeFileSync(lua, neverFetched(await machine.pasted("powerdns")));
    const recursorPort = await freePort();
    const recursor = daemons.start("pdns_recursor", [
      ...[`--config-dir=${dir}`, `--socket-dir=${dir}`, "--local-address=127.0.0.1"],
      ...[`--local-port=${recursorPort}`, `--lua-config-file=${lua}`, "--daemon=no", "--disable-syslog"],
      ...["--security-poll-suffix=", `--forward-zones-recurse=.=127.0.0.1:${upstream}`, "--threads=1"],
      "--dnssec=off",
    ]);
    await untilThrough(recursorPort, recursor.said, "Exception while loading RPZ zone from file");
  },
);
