import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { eachRow } from "../src/exports/rows.ts";
import { createTestWorld, type TestWorld } from "../src/exports/test-world.ts";
import { askDns, createDaemons, statusOf, untilAnswers, untilStatus } from "./consumer-daemons.ts";
import { mayUnshare, missing, run, runApart, writeBodyFile } from "./consumers.ts";
import { isLong } from "./long-form.ts";
import { freePort } from "./servers/free-port.ts";

// Every consumer with a large export: both families, networks inside each other, allowed islands.

/** The short form has more than the 65,536 entries that an ipset takes unless it is told. */
const ENTRIES = isLong ? 300_000 : 100_000;
const SIXES = ENTRIES / 5;
/** Allowed addresses, each inside a listed /24: what is listed there comes out as its other prefixes. */
const ISLANDS = 500;

let world: TestWorld;
let values: readonly string[] = [];
const daemons = createDaemons();
beforeAll(async () => {
  world = createTestWorld([{ name: "edge" }, { name: "names", target: "domain" }]);
  const hosts = times(ENTRIES - SIXES, (i) => `45.${i >> 15}.${(i >> 7) & 255}.${(i & 127) * 2}`);
  const names = times(ENTRIES, (i) => `host-${i}.evil-${i % 999}.example.com`);
  await world.make({
    block: {
      hosts: {
        lines: [
          ...hosts,
          ...times(SIXES, (i) => `2a01:5:${(i >> 8).toString(16)}:${(i & 255).toString(16)}::9`),
        ],
      },
      nets: { lines: times(ISLANDS, (i) => `46.${i >> 8}.${i & 255}.0/24`), category: "abuse" },
      nested: { lines: ["46.0.0.0/16", "46.0.7.0/26", "2a01:6::/32", "2a01:6:7::/48"], category: "abuse" },
      names: { lines: names, target: "domain", category: "malware" },
    },
    allow: {
      ours: { lines: [...times(ISLANDS, (i) => `46.${i >> 8}.${i & 255}.77`), "2a01:6:7:8::/64"] },
      fine: { lines: ["host-7.evil-7.example.com"], target: "domain" },
    },
  });
  values = [...eachRow(world.generation("edge"))].map(({ value }) => value);
  run("chmod", ["-R", "a+rX", world.dir]);
}, 600_000);
afterEach(daemons.stop);
afterAll(() => world?.close());

function times(count: number, make: (i: number) => string): readonly string[] {
  return Array.from({ length: count }, (_, i) => make(i));
}

const folder = (name: string): string => {
  const path = join(world.dir, name);
  mkdirSync(path, { recursive: true });
  run("chmod", ["777", path]);
  return path;
};

const LISTED = ["45.2.3.4", "46.1.200.78", "2a01:5:12:34::9", "2a01:6:7:9::1"];
const ALLOWED = ["46.1.200.77", "2a01:6:7:8::1", "45.2.3.5"];
const of = (version: "4" | "6") => values.filter((value) => value.includes(":") === (version === "6"));

test("it has all the entries and more, of both families, with the rest of networks around what is allowed", () => {
  expect(values.length).toBeGreaterThan(ENTRIES);
  expect(of("6").length).toBeGreaterThan(SIXES);
  expect(values).toContain("46.1.200.78/31");
  expect(new Set(values).size).toBe(values.length);
});

test.skipIf(missing("nft").length > 0 || !mayUnshare())(
  "nft loads it, loads it again, and lists it (else skipped)",
  () => {
    const file = writeBodyFile(world, "edge.nft");
    const ran = runApart(`nft -c -f ${file}; nft -f ${file}; nft -f ${file}; nft list table inet repute`);
    expect(ran.stderr).toBe("");
    const listed = [...ran.stdout.matchAll(/elements = \{([^}]*)\}/g)].flatMap(([, body = ""]) =>
      body.split(",").map((one) => one.trim()),
    );
    expect(listed.length).toBe(values.length);
    expect(listed.toSorted()).toEqual(values.toSorted());
  },
);

test.skipIf(missing("ipset").length > 0 || !mayUnshare())("ipset restores it, twice (else skipped)", () => {
  const file = writeBodyFile(world, "edge.ipset");
  const count = (set: string) => `ipset list -t ${set} | sed -n 's/^Number of entries: //p'`;
  const ran = runApart(
    `ipset restore -f ${file}; ipset restore -f ${file}; ${count("repute4")}; ${count("repute6")}; ipset test repute4 46.1.200.77 || true`,
  );
  expect(ran.stdout.trim().split("\n")).toEqual([String(of("4").length), String(of("6").length)]);
  expect(ran.stderr).toContain("is NOT in set");
});

test.skipIf(missing("iprange", "grepcidr").length > 0)(
  "iprange and grepcidr come to the same (else skipped)",
  () => {
    const file = writeBodyFile(world, "edge.txt", { v: "4" });
    expect(run("iprange", ["--optimize", file]).stdout.trim().split("\n")).toEqual(of("4"));
    const all = writeBodyFile(world, "edge.txt");
    const found = run("grepcidr", ["-f", all], `${[...LISTED, ...ALLOWED].join("\n")}\n`)
      .stdout.trim()
      .split("\n");
    expect(found).toEqual(LISTED);
  },
);

test.skipIf(missing("postmap").length > 0)("Postfix reads it (else skipped)", () => {
  const conf = folder("postfix");
  writeFileSync(join(conf, "main.cf"), "compatibility_level = 3.6\n");
  const table = `cidr:${writeBodyFile(world, "edge.postfix")}`;
  const ran = run("postmap", ["-c", conf, "-q", "-", table], `${[...LISTED, ...ALLOWED].join("\n")}\n`);
  expect(
    ran.stdout
      .trim()
      .split("\n")
      .map((line) => line.split(/\s+/)[0]),
  ).toEqual(LISTED);
  expect(ran.stderr).toBe("");
});

const visits = (port: number): readonly string[] =>
  [...LISTED, ...ALLOWED].map((address) =>
    statusOf(["-H", `X-Forwarded-For: ${address}`, `http://127.0.0.1:${port}/`]),
  );
const EXPECTED = ["403", "403", "403", "403", "200", "200", "200"];

test.skipIf(missing("nginx").length > 0)(
  "nginx reads both forms and refuses by them (else skipped)",
  async () => {
    const [dir, geo, deny] = [folder("nginx"), await freePort(), await freePort()];
    const temp = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
      (one) => `${one}_temp_path ${dir}/${one};`,
    );
    const real = "set_real_ip_from 127.0.0.1; real_ip_header X-Forwarded-For;";
    const denied = writeBodyFile(world, "edge.nginx");
    const lines = join(dir, "geo");
    writeFileSync(lines, world.body("edge.nginx", { as: "geo" }));
    const conf = join(dir, "nginx.conf");
    writeFileSync(
      conf,
      `pid ${dir}/pid; error_log stderr; events {} http { access_log off; ${temp.join(" ")} geo $listed { include ${lines}; }
    server { listen 127.0.0.1:${geo}; ${real} if ($listed) { return 403; } location / { return 200; } }
    server { listen 127.0.0.1:${deny}; ${real} include ${denied}; location / { try_files /none @ok; } location @ok { return 200; } } }`,
    );
    const { said } = daemons.start("nginx", ["-c", conf, "-g", "daemon off;"]);
    await untilStatus([`http://127.0.0.1:${geo}/`], said);
    expect([visits(geo), visits(deny)]).toEqual([EXPECTED, EXPECTED]);
  },
);

test.skipIf(missing("haproxy").length > 0)("HAProxy reads it and refuses by it (else skipped)", async () => {
  const [dir, port] = [folder("haproxy"), await freePort()];
  const conf = join(dir, "haproxy.cfg");
  const head = "defaults\n  mode http\n  timeout client 9s\n  timeout server 9s\n  timeout connect 9s\n";
  writeFileSync(
    conf,
    `${head}frontend web\n  bind 127.0.0.1:${port}\n  http-request set-src hdr(x-forwarded-for)
  acl listed src -f ${writeBodyFile(world, "edge.txt")}\n  http-request deny deny_status 403 if listed\n  http-request return status 200\n`,
  );
  const { said } = daemons.start("haproxy", ["-db", "-f", conf]);
  await untilStatus([`http://127.0.0.1:${port}/`], said);
  expect(visits(port)).toEqual(EXPECTED);
});

const APACHE_LINES = isLong ? 20_000 : 5000;

test.skipIf(missing("apache2", "squid").length > 0)("Apache and Squid read it (else skipped)", () => {
  const dir = folder("configs");
  const apache = join(dir, "httpd.conf");
  // Apache's own check of all lines takes minutes: its time grows with their square.
  const part = readFileSync(writeBodyFile(world, "edge.apache"), "utf8").split("\n").slice(0, APACHE_LINES);
  const list = join(dir, "edge.apache");
  writeFileSync(list, `${part.join("\n")}\n`);
  const modules = ["mpm_event", "authz_core", "authz_host"].map(
    (name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`,
  );
  writeFileSync(
    apache,
    `ServerName localhost\nServerRoot ${dir}\nPidFile ${dir}/pid\nListen 127.0.0.1:1\nErrorLog ${dir}/log\n${modules.join("\n")}
<Directory ${dir}>\n<RequireAll>\nRequire all granted\nInclude ${list}\n</RequireAll>\n</Directory>\n`,
  );
  expect(run("apache2", ["-t", "-f", apache]).stderr).toContain("Syntax OK");
  const squid = join(dir, "squid.conf");
  const acls = `acl a dst "${writeBodyFile(world, "edge.txt")}"\nacl n dstdomain "${writeBodyFile(world, "names.txt", { below: "1" })}"\n`;
  writeFileSync(squid, `${acls}http_access deny a\nhttp_access deny n\nhttp_port 127.0.0.1:3128\n`);
  const checked = run("squid", ["-k", "parse", "-f", squid]);
  expect([checked.status, /ERROR|Bungled|subnetwork|subdomain/.test(checked.stderr)]).toEqual([0, false]);
});

test.skipIf(missing("named-checkzone", "named", "dig").length > 0)(
  "BIND reads both zones (else skipped)",
  async () => {
    const [dir, port] = [folder("bind"), await freePort()];
    const files = ["names.rpz", "edge.rpz"].map((file) => [file, writeBodyFile(world, file)] as const);
    for (const [, path] of files) {
      expect(run("named-checkzone", ["-k", "fail", "rpz.repute.example", path]).stdout).toContain("OK");
    }
    const zones = files.map(([name, path]) => `zone "${name}" { type primary; file "${path}"; };`).join("\n");
    const conf = join(dir, "named.conf");
    writeFileSync(
      conf,
      `options { directory "${dir}"; listen-on port ${port} { 127.0.0.1; }; listen-on-v6 { none; }; pid-file none;
    session-keyfile none; dnssec-validation no; forwarders { 127.0.0.1 port 9; }; forward only;
    response-policy { zone "names.rpz"; zone "edge.rpz"; } qname-wait-recurse no; }; controls { };\n${zones}`,
    );
    const { said } = daemons.start("named", ["-g", "-c", conf]);
    await denies(port, said);
    expect(said()).not.toMatch(/rpz.*(invalid|bad|error)/i);
  },
);

const NAME = `host-${ENTRIES - 1}.evil-${(ENTRIES - 1) % 999}.example.com`;

async function denies(port: number, said: () => string): Promise<void> {
  expect((await untilAnswers(port, NAME, said)).status).toBe("NXDOMAIN");
  expect(askDns(port, `deep.${NAME}`).status).toBe("NXDOMAIN");
  expect(askDns(port, "host-7.evil-7.example.com").status).not.toBe("NXDOMAIN");
}

test.skipIf(missing("unbound", "dig").length > 0)("Unbound reads both zones (else skipped)", async () => {
  const [dir, port] = [folder("unbound"), await freePort()];
  const conf = join(dir, "unbound.conf");
  const zones = ["names", "edge"].map(
    (name) => `rpz:\n  name: ${name}.rpz\n  zonefile: "${writeBodyFile(world, `${name}.rpz`)}"\n`,
  );
  writeFileSync(
    conf,
    `server:\n  interface: 127.0.0.1@${port}\n  chroot: ""\n  username: ""\n  directory: "${dir}"\n  pidfile: ""\n  use-syslog: no
  do-daemonize: no\n  do-not-query-localhost: no\n  module-config: "respip iterator"\nremote-control:\n  control-enable: no
${zones.join("")}forward-zone:\n  name: "."\n  forward-addr: 127.0.0.1@9\n`,
  );
  const { said } = daemons.start("unbound", ["-d", "-c", conf]);
  await denies(port, said);
});

test.skipIf(missing("kresd", "pdns_recursor", "dig").length > 0)(
  "Knot Resolver and PowerDNS read the names (else skipped)",
  async () => {
    const [dir, knot, powerdns] = [folder("others"), await freePort(), await freePort()];
    const file = writeBodyFile(world, "names.rpz");
    const conf = join(dir, "kresd.conf");
    const lines = [
      `net.listen('127.0.0.1', ${knot}, { kind = 'dns' })`,
      "cache.size = 10 * MB",
      `policy.add(policy.rpz(policy.DENY, '${file}'))`,
      "policy.add(policy.all(policy.FORWARD('127.0.0.1@9')))",
    ];
    writeFileSync(conf, `${lines.join("\n")}\n`);
    const first = daemons.start("kresd", ["-n", "-c", conf, dir]);
    await denies(knot, first.said);
    const lua = join(dir, "rpz.lua");
    writeFileSync(lua, `rpzFile("${file}", {})\nrpzFile("${writeBodyFile(world, "edge.rpz")}", {})\n`);
    const second = daemons.start("pdns_recursor", [
      ...[
        `--config-dir=${dir}`,
        `--socket-dir=${dir}`,
        "--local-address=127.0.0.1",
        `--local-port=${powerdns}`,
      ],
      ...[`--lua-config-file=${lua}`, "--daemon=no", "--disable-syslog", "--security-poll-suffix="],
      ...["--forward-zones-recurse=.=127.0.0.1:9", "--threads=1", "--dnssec=off"],
    ]);
    await denies(powerdns, second.said);
  },
);

test.skipIf(missing("rbldnsd", "dnsmasq", "dig").length > 0)(
  "rbldnsd and dnsmasq read them (else skipped)",
  async () => {
    const [dir, rbl, masq] = [folder("rbldnsd"), await freePort(), await freePort()];
    const zones = [
      `four.test:ip4trie:${writeBodyFile(world, "edge.rbl4")}`,
      `six.test:ip6trie:${writeBodyFile(world, "edge.rbl6")}`,
      `names.test:dnset:${writeBodyFile(world, "names.rbldom")}`,
    ];
    const first = daemons.start("rbldnsd", [
      "-n",
      "-b",
      `127.0.0.1/${rbl}`,
      "-w",
      dir,
      "-u",
      "nobody",
      ...zones,
    ]);
    expect((await untilAnswers(rbl, "4.3.2.45.four.test", first.said)).answers).toEqual(["A 127.0.0.7"]);
    expect(askDns(rbl, "78.200.1.46.four.test").answers).toEqual(["A 127.0.0.8"]);
    expect(askDns(rbl, "77.200.1.46.four.test").status).toBe("NXDOMAIN");
    expect(askDns(rbl, `${NAME}.names.test`).answers).toEqual(["A 127.0.0.5"]);
    expect(first.said()).not.toMatch(/invalid|bad|unrecognized|ignored/i);
    const servers = writeBodyFile(world, "names.dnsmasq");
    const second = daemons.start("dnsmasq", [
      ...["--no-daemon", "--conf-file=/dev/null", "--no-resolv", "--no-hosts", `--servers-file=${servers}`],
      ...[`--port=${masq}`, "--listen-address=127.0.0.1", "--bind-interfaces", "--user=root"],
    ]);
    expect((await untilAnswers(masq, NAME, second.said)).status).toBe("NXDOMAIN");
  },
);
