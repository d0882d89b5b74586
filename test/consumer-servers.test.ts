import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { linesFor } from "../web/app/exports/lines.ts";
import { createDaemons, statusOf, untilStatus } from "./consumer-daemons.ts";
import { consumerPages, linesOf } from "./consumer-lines.ts";
import { type ConsumerMachine, openConsumerMachine } from "./consumer-shell.ts";
import { missing, run } from "./consumers.ts";
import { freePort } from "./servers/free-port.ts";
import { until } from "./service.ts";

// The lines of docs/consumers/ for web servers, proxies and mail servers, as they stand there, in Debian's programs.

let machine: ConsumerMachine;
const daemons = createDaemons();
beforeAll(async () => {
  machine = await openConsumerMachine();
}, 900_000);
afterEach(daemons.stop);
afterAll(() => machine?.close());

const LISTED = "45.10.5.7";
const LISTED_V6 = "2a01:5:1::9";
/** An allowed address inside a listed network. */
const ALLOWED = "45.64.1.7";
/** On no list. */
const CLEAN = "45.99.0.1";

/** What a visitor gets who comes from an address, as a proxy before the server says. */
const visit = (port: number, address: string, path = "/"): string =>
  statusOf(["-H", `X-Forwarded-For: ${address}`, `http://127.0.0.1:${port}${path}`]);

const visits = (port: number, path = "/"): readonly string[] =>
  [LISTED, LISTED_V6, ALLOWED].map((address) => visit(port, address, path));

test.skipIf(missing("nginx").length > 0)("nginx, by a geo block (else skipped)", async () => {
  await machine.runLines("nginx-load");
  const [dir, port, trial] = [machine.folder("nginx"), await freePort(), await freePort()];
  const temp = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (one) => `${one}_temp_path ${dir}/${one};`,
  );
  const conf = join(dir, "nginx.conf");
  writeFileSync(
    conf,
    `pid ${dir}/pid; error_log stderr; events {} http { access_log off; ${temp.join(" ")}
    ${(await machine.pasted("nginx-geo")).replace("127.0.0.1:8099", `127.0.0.1:${trial}`)}
    server { listen 127.0.0.1:${port}; set_real_ip_from 127.0.0.1; real_ip_header X-Forwarded-For;
      ${linesOf("nginx-block")} location / { return 200 "site"; } } }`,
  );
  expect(run("nginx", ["-t", "-q", "-c", conf])).toMatchObject({ status: 0, stderr: "" });
  const { said } = daemons.start("nginx", ["-c", conf, "-g", "daemon off;"]);
  await untilStatus([`http://127.0.0.1:${port}/`], said);
  expect(visits(port)).toEqual(["403", "403", "200"]);
  const seen = await machine.sh((await machine.pasted("nginx-see")).replaceAll(":8099", `:${trial}`));
  expect([seen.stderr, seen.stdout]).toEqual(["", "403\n200\n"]);
});

test.skipIf(missing("haproxy", "socat").length > 0)("HAProxy (else skipped)", async () => {
  await machine.runLines("haproxy-load");
  const [dir, port] = [machine.folder("haproxy"), await freePort()];
  const conf = join(dir, "haproxy.cfg");
  writeFileSync(
    conf,
    `global
  stats socket ${dir}/admin.sock mode 600 level admin
defaults
  mode http
  timeout client 5s
  timeout server 5s
  timeout connect 5s
frontend web
  bind 127.0.0.1:${port}
  http-request set-src hdr(x-forwarded-for)
${await machine.pasted("haproxy-acl")}  http-request return status 200
`,
  );
  await haproxyAllows(conf, dir);
  expect(run("haproxy", ["-c", "-f", conf])).toMatchObject({ status: 0, stderr: "" });
  const { said } = daemons.start("haproxy", ["-db", "-f", conf]);
  await untilStatus([`http://127.0.0.1:${port}/`], said);
  expect(visits(port)).toEqual(["403", "403", "200"]);
  const seen = (
    await machine.sh((await machine.pasted("haproxy-see")).replaceAll("/run/haproxy/", `${dir}/`))
  ).stdout;
  expect(seen).toContain("edge.txt");
  expect(seen).toContain("match=yes");
});

/** With the lines that let a range of a service through, a listed address of it comes in, and no other. */
async function haproxyAllows(conf: string, dir: string): Promise<void> {
  const [own, port] = [join(dir, "allow.cfg"), await freePort()];
  await machine.sh(await machine.pasted("header"));
  expect((await machine.sh("repute-fetch never-block.txt true")).status).toBe(0);
  const ranges = join(dir, "ranges.txt");
  writeFileSync(ranges, `${LISTED}/32\n`);
  const allow = (await machine.pasted("haproxy-allow")).replace(join(machine.etc, "never-block.txt"), ranges);
  const text = readFileSync(conf, "utf8").replace(/^.* if repute_listed\n/m, allow);
  writeFileSync(own, text.replace(/bind \S+/, `bind 127.0.0.1:${port}`).replace("admin.sock", "allow.sock"));
  const { said } = daemons.start("haproxy", ["-db", "-f", own]);
  await untilStatus([`http://127.0.0.1:${port}/`], said);
  expect(visits(port)).toEqual(["200", "403", "200"]);
}

/** Apache's lines of the dashboard. */
const dashboardApache = (): string => {
  const one = { name: "edge", kind: "block", target: "ip", formats: [{ format: "apache" }] };
  const { lines = "" } =
    linesFor(Object(one), machine.service.address).find(({ consumer }) => consumer === "Apache") ?? {};
  return lines.replaceAll("/etc/repute", machine.etc);
};

test.skipIf(missing("apache2").length > 0).each(["page", "dashboard"])(
  "Apache, by the lines of the %s (else skipped)",
  async (where) => {
    await machine.runLines("apache-load");
    const [dir, port] = [machine.folder(`apache-${where}`), await freePort()];
    const lines = where === "page" ? await machine.pasted("apache-list") : dashboardApache();
    writeFileSync(join(dir, "index.html"), "ok");
    const modules = ["mpm_event", "authz_core", "authz_host", "remoteip"].map(
      (name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`,
    );
    const conf = join(dir, "httpd.conf");
    const log = join(dir, "error.log");
    writeFileSync(
      conf,
      `ServerName localhost\nServerRoot ${dir}\nPidFile ${dir}/pid\nListen 127.0.0.1:${port}\nErrorLog ${log}
User nobody\nGroup nogroup\nMutex file:${dir}\n${modules.join("\n")}
RemoteIPHeader X-Forwarded-For\nRemoteIPInternalProxy 127.0.0.1\nDocumentRoot ${dir}
<Directory ${dir}>\nRequire all granted\n</Directory>
<Directory ${dir}/guarded>\nRequire ip 10.0.0.0/8\n</Directory>\n${lines}`,
    );
    mkdirSync(join(dir, "guarded"));
    writeFileSync(join(dir, "guarded", "index.html"), "ok");
    const { said } = daemons.start("apache2", ["-DFOREGROUND", "-f", conf]);
    await untilStatus([`http://127.0.0.1:${port}/`], said);
    expect(visits(port, "/index.html")).toEqual(["403", "403", "200"]);
    // What the site guards stays guarded.
    expect(visits(port, "/guarded/index.html")).toEqual(["403", "403", "403"]);
    expect(visit(port, "10.1.1.1", "/guarded/index.html")).toBe("200");
    expect(readFileSync(log, "utf8")).toContain("client denied by server configuration");
  },
);

test.skipIf(missing("squid").length > 0)(
  "Squid refuses listed names and addresses (else skipped)",
  async () => {
    await machine.runLines("squid-load");
    const [dir, port] = [machine.folder("squid"), await freePort()];
    const conf = join(dir, "squid.conf");
    // As Debian's configuration reads the folder, in the order of its names; debian.conf is where it lets users in.
    const [, name = ""] =
      /`\/etc\/squid\/conf\.d\/([\w-]+\.conf)`/.exec(consumerPages().get("squid.md") ?? "") ?? [];
    const folder = machine.folder("squid/conf.d");
    writeFileSync(join(folder, name), await machine.pasted("squid"));
    writeFileSync(join(folder, "debian.conf"), "acl localnet src 127.0.0.0/8\nhttp_access allow localnet\n");
    writeFileSync(
      conf,
      `include ${folder}/*.conf\nhttp_access deny all
http_port 127.0.0.1:${port}\npid_filename ${dir}/pid\ncache_log ${dir}/cache.log\naccess_log none\ncache deny all
shutdown_lifetime 0 seconds\ndns_nameservers 127.0.0.1\ncoredump_dir ${dir}\npinger_enable off\n`,
    );
    const { said } = daemons.start("squid", ["-N", "-f", conf]);
    const proxy = ["-x", `http://127.0.0.1:${port}`];
    await untilStatus([`http://127.0.0.1:${port}/`], said);
    const seen = await machine.sh(linesOf("squid-see").replace("127.0.0.1:3128", `127.0.0.1:${port}`));
    expect(seen.stdout).toBe("403\n");
    for (const host of [LISTED, `[${LISTED_V6}]`, "www.worse.example.net", "a.b.bad.example.org"])
      expect(statusOf([...proxy, `http://${host}/`])).toBe("403");
    const through = `curl -s -o /dev/null -w '%{http_code}' -x http://127.0.0.1:${port} --noproxy '' ${machine.service.address}/livez`;
    expect((await machine.sh(through)).stdout).toBe("200");
    expect(readFileSync(join(dir, "cache.log"), "utf8")).not.toMatch(
      /ERROR|WARNING:.*(repute|subnetwork|subdomain)/,
    );
    // A file that is lost: Squid refuses the configuration, and one that runs goes on by what it has read.
    for (const file of ["edge.txt", "names.txt"]) {
      const path = join(machine.etc, file);
      renameSync(path, `${path}.lost`);
      for (const args of [["-k", "reconfigure"], ["-N"]]) {
        const { status, stderr } = run("squid", [...args, "-f", conf]);
        expect([file, args, status]).toEqual([file, args, 1]);
        expect(stderr).toContain("Error opening config file");
      }
      renameSync(`${path}.lost`, path);
      for (const host of [LISTED, "evil.example.com"])
        expect(statusOf([...proxy, `http://${host}/`])).toBe("403");
    }
  },
);

test.skipIf(missing("postmap").length > 0)("Postfix (else skipped)", async () => {
  // No mail server runs here: what is reloaded is said by the shim, and asked by postmap.
  machine.shim("postfix", 'echo "$@"');
  expect((await machine.runLines("postfix-load")).stdout).toBe("reload\n");
  const conf = machine.folder("postfix");
  writeFileSync(join(conf, "main.cf"), `compatibility_level = 3.6\n${await machine.pasted("postfix")}`);
  const restrictions = run("postconf", ["-c", conf, "-h", "smtpd_client_restrictions"]).stdout;
  // Who logged in may come from a listed address.
  expect(restrictions).toMatch(/^permit_mynetworks, permit_sasl_authenticated, /);
  expect(restrictions).toContain(`check_client_access cidr:${machine.etc}/edge.postfix`);
  const see = (await machine.pasted("postfix-see")).replace("postmap", `postmap -c ${conf}`);
  expect((await machine.sh(see)).stdout).toMatch(/^REJECT listed \(score \d+\): /);
  const asked = (address: string) => machine.sh(`${see.replace("$listed", address)} || true`);
  expect((await asked(LISTED)).stdout).toMatch(/^REJECT listed \(score 60\): /);
  expect((await asked(ALLOWED)).stdout).toBe("");
});

/** Starts rspamd with maps; tells what it finds in a mail, by the address that it comes from. */
async function startRspamd(name: string, maps: string) {
  const [dir, port] = [machine.folder(name), await freePort()];
  const conf = join(dir, "rspamd.conf");
  // The real table of suffixes takes minutes to compile.
  const tlds = join(dir, "tlds");
  writeFileSync(tlds, "org\nexample.com\n");
  writeFileSync(
    conf,
    `options { pidfile = "${dir}/pid"; filters = ""; tempdir = "${dir}"; dns { nameserver = ["127.0.0.1:9"]; }
      url_tld = "${tlds}"; hs_cache_dir = "${dir}"; map_watch_interval = 1s; }
    logging { type = "console"; level = "info"; }
    actions { reject = 15; add_header = 6; }
    lua = "/usr/share/rspamd/rules/rspamd.lua";
    modules { path = "/usr/share/rspamd/plugins/multimap.lua"; }
    multimap { ${maps} }
    worker "normal" { bind_socket = "127.0.0.1:${port}"; count = 1; }`,
  );
  const { said } = daemons.start("rspamd", ["-f", "-i", "-c", conf]);
  const mail = join(dir, "mail.eml");
  const write = (text: string) =>
    writeFileSync(
      mail,
      `From: a@example.org\nTo: b@example.org\nSubject: x\nMessage-ID: <1@example.org>\n\n${text}\n`,
    );
  write("hello");
  const symbols = async (address: string): Promise<string> =>
    (
      await machine.sh(
        `${linesOf("rspamd-see").replace("203.0.113.7", address).replace("mail.eml", mail).replace("rspamc", `rspamc -h 127.0.0.1:${port}`)} 2>&1 || true`,
      )
    ).stdout;
  const untilListed = async (address: string): Promise<void> => {
    let tries = 0;
    await until(async () => {
      if (++tries > 200) throw new Error(`No symbol: ${await symbols(address)} ${said().slice(-3000)}`);
      return (await symbols(address)).includes("REPUTE_IP (8.00)");
    });
  };
  return { write, symbols, untilListed };
}

test.skipIf(missing("rspamd", "rspamc").length > 0)(
  "rspamd scores by the files that were fetched for it (else skipped)",
  async () => {
    await machine.runLines("rspamd-load");
    const maps = `${await machine.pasted("rspamd")} ${await machine.pasted("rspamd-names")}`;
    const { write, symbols, untilListed } = await startRspamd("rspamd", maps);
    await untilListed(LISTED);
    expect(await symbols(ALLOWED)).not.toContain("REPUTE_IP");
    expect(await symbols(LISTED_V6)).toContain("REPUTE_IP (8.00)");
    const linked = async (host: string) => {
      write(`see http://${host}/x now`);
      return (await symbols(ALLOWED)).match(/REPUTE_\w+/g)?.sort() ?? [];
    };
    await until(async () => (await linked("bad.example.org")).length > 0);
    expect(await linked("bad.example.org")).toEqual(["REPUTE_HOST"]);
    expect(await linked("www.evil.example.com")).toEqual(["REPUTE_DOMAIN"]);
    expect(await linked("evil.example.com")).toEqual(["REPUTE_DOMAIN", "REPUTE_HOST"]);
    expect(await linked("www.example.org")).toEqual([]);
  },
);

test.skipIf(missing("rspamd", "rspamc").length > 0)(
  "rspamd fetches the list by itself, and sees the next file where it reads one (else skipped)",
  async () => {
    const lines = await machine.pasted("rspamd");
    const byHttp = lines.replace(/^ *map = .*\n/m, await machine.pasted("rspamd-http"));
    await (await startRspamd("rspamd-http", byHttp)).untilListed(LISTED);
    await machine.runLines("haproxy-load");
    const { symbols, untilListed } = await startRspamd("rspamd-file", lines);
    await untilListed(LISTED);
    expect(await symbols(CLEAN)).not.toContain("REPUTE_IP");
    const file = join(machine.etc, "edge.txt");
    writeFileSync(`${file}.new`, `${readFileSync(file, "utf8")}${CLEAN}\n`);
    renameSync(`${file}.new`, file);
    await untilListed(CLEAN);
  },
);

test.skipIf(missing("haproxy", "nginx").length > 0)(
  "HAProxy and nginx do not start where the file was never fetched (else skipped)",
  async () => {
    const [dir, empty] = [machine.folder("never-fetched"), machine.folder("nothing-fetched")];
    const wrapped = async (mark: string, name: string, before: string, after: string): Promise<string> => {
      const path = join(dir, name);
      const lines = (await machine.pasted(mark)).replaceAll(machine.etc, empty);
      writeFileSync(path, `${before}\n${lines}${after}\n`);
      return path;
    };
    const haproxy = await wrapped("haproxy-acl", "haproxy.cfg", "frontend web\n  mode http", "");
    expect(run("haproxy", ["-c", "-f", haproxy]).stderr).toContain("failed to open pattern file");
    const nginx = await wrapped("nginx-geo", "nginx.conf", `pid ${dir}/pid; events {} http {`, "}");
    expect(run("nginx", ["-t", "-c", nginx]).stderr).toMatch(/edge\.nginx" failed .*No such file/);
  },
);
