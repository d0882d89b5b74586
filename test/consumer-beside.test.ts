import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, test } from "vitest";
import { linesFor } from "../web/app/exports/lines.ts";
import { createDaemons, statusOf, untilStatus } from "./consumer-daemons.ts";
import { missing, programOf, run } from "./consumers.ts";
import { freePort } from "./servers/free-port.ts";

// The lines of the Exports page for two exports in one configuration: each blocks what its own list says.

const root = mkdtempSync(join(tmpdir(), "repute-beside-"));
run("chmod", ["755", root]);
afterAll(() => rmSync(root, { recursive: true, force: true }));
const daemons = createDaemons();
afterEach(daemons.stop);

/** Names that a program could take for one, and longer than it takes any. */
const NAMES = ["edge", "edge-two", `a${"-b".repeat(30)}c`, `a${"-b".repeat(30)}d`];
const addressOf = (i: number): string => `127.0.1.${i + 1}`;

/** A folder with a list of one address of each export, and what the page has for them, one after the other. */
function pasted(
  consumer: string,
  format: string,
  line: (address: string) => string,
): { dir: string; lines: string } {
  const dir = join(root, consumer);
  mkdirSync(dir);
  const all = NAMES.map((name, i) => {
    writeFileSync(join(dir, `${name}.${format}`), `${line(addressOf(i))}\n`);
    const one = Object({ name, kind: "block", target: "ip", formats: [{ format }] });
    const found = linesFor(one, "http://127.0.0.1").find((lines) => lines.consumer === consumer);
    return found?.lines.replaceAll("/etc/repute", dir) ?? "";
  });
  return { dir, lines: `${all.join("\n")}\n` };
}

/** The status that each listed address gets, and after them one that is not listed. */
const statuses = (of: (address: string) => string): readonly string[] =>
  [...NAMES, "none"].map((_, i) => of(addressOf(i)));
const BLOCKED = NAMES.map(() => "403");

test.skipIf(missing("nginx").length > 0)("nginx blocks by each of the exports (else skipped)", async () => {
  const { dir, lines } = pasted("nginx", "nginx", (address) => `${address} 1;`);
  const port = await freePort();
  const [geo, block] = [/^geo/m, /^if/m].map((kind) =>
    lines
      .split("\n")
      .filter((line) => kind.test(line))
      .join("\n"),
  );
  writeFileSync(
    join(dir, "nginx.conf"),
    `daemon off; pid ${dir}/pid; error_log ${dir}/log; events {} http { access_log off;\n${geo}
    server { listen ${port};\n${block}\nlocation / { return 204; } } }`,
  );
  const { said } = daemons.start("nginx", ["-c", join(dir, "nginx.conf"), "-e", join(dir, "log")]);
  await untilStatus([`http://127.0.0.1:${port}/`], said);
  expect(statuses((from) => statusOf(["--interface", from, `http://127.0.0.1:${port}/`]))).toEqual([
    ...BLOCKED,
    "204",
  ]);
});

test.skipIf(missing("haproxy").length > 0)(
  "HAProxy blocks by each of the exports (else skipped)",
  async () => {
    const { dir, lines } = pasted("HAProxy", "txt", (address) => address);
    const port = await freePort();
    writeFileSync(
      join(dir, "haproxy.cfg"),
      `defaults\n  mode http\n  timeout connect 1s\n  timeout client 9s\n  timeout server 9s
frontend web\n  bind 127.0.0.1:${port}\n${lines}  http-request return status 204\n`,
    );
    const { said } = daemons.start("haproxy", ["-db", "-f", join(dir, "haproxy.cfg")]);
    await untilStatus([`http://127.0.0.1:${port}/`], said);
    expect(statuses((from) => statusOf(["--interface", from, `http://127.0.0.1:${port}/`]))).toEqual([
      ...BLOCKED,
      "204",
    ]);
  },
);

test.skipIf(missing("apache2").length > 0)(
  "Apache blocks by each of the exports (else skipped)",
  async () => {
    const { dir, lines } = pasted("Apache", "apache", (address) => `Require not ip ${address}`);
    const port = await freePort();
    const modules = ["mpm_event", "authz_core", "authz_host"]
      .map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`)
      .join("\n");
    writeFileSync(
      join(dir, "apache.conf"),
      `ServerRoot ${dir}\nPidFile ${dir}/pid\nListen 127.0.0.1:${port}\nErrorLog ${dir}/log\nServerName localhost
DocumentRoot ${dir}\n${modules}\n${lines}`,
    );
    const { said } = daemons.start("apache2", ["-DFOREGROUND", "-f", join(dir, "apache.conf")]);
    await untilStatus([`http://127.0.0.1:${port}/`], said);
    expect(
      statuses((from) => statusOf(["--interface", from, `http://127.0.0.1:${port}/edge.apache`])),
    ).toEqual([...BLOCKED, "200"]);
  },
);

test.skipIf(missing("squid").length > 0)("Squid denies by each of the exports (else skipped)", async () => {
  const { dir, lines } = pasted("Squid", "txt", (address) => address);
  run("chmod", ["777", dir]);
  const [port, none] = [await freePort(), await freePort()];
  writeFileSync(
    join(dir, "squid.conf"),
    `${lines}http_access allow all\nhttp_port 127.0.0.1:${port}\npid_filename ${dir}/pid\ncache_log ${dir}/cache.log
access_log none\ncache deny all\nshutdown_lifetime 0 seconds\ndns_nameservers 127.0.0.1\ncoredump_dir ${dir}\npinger_enable off\n`,
  );
  const { said } = daemons.start("squid", ["-N", "-f", join(dir, "squid.conf")]);
  await untilStatus([`http://127.0.0.1:${port}/`], said);
  const proxy = ["-x", `http://127.0.0.1:${port}`, "--noproxy", ""];
  expect(statuses((to) => statusOf([...proxy, `http://${to}:${none}/`]))).toEqual([...BLOCKED, "503"]);
});

test.skipIf(missing("rspamadm").length > 0)(
  "rspamd has a symbol for each of the exports (else skipped)",
  () => {
    const { dir, lines } = pasted("rspamd", "txt", (address) => address);
    writeFileSync(join(dir, "rspamd.conf"), `multimap {\n${lines}}\n`);
    const dumped = run(programOf("rspamadm") ?? "", ["configdump", "-c", join(dir, "rspamd.conf"), "-j"]);
    const symbols: Readonly<Record<string, unknown>> = Object(JSON.parse(dumped.stdout)).multimap;
    expect(Object.values(symbols).map((symbol) => Object(symbol).map)).toEqual(
      NAMES.map((name) => join(dir, `${name}.txt`)),
    );
  },
);

test.skipIf(missing("named-checkconf", "dnsmasq", "fail2ban-client").length > 0)(
  "BIND, dnsmasq and fail2ban take such a line once, as the page says (else skipped)",
  () => {
    const place = (consumer: string, format: string, more: object) =>
      linesFor(
        Object({ name: "edge", kind: "block", target: "domain", formats: [{ format }], ...more }),
        "",
      ).find((lines) => lines.consumer === consumer)?.place;
    expect(place("BIND", "rpz", {})).toContain("already");
    expect(place("dnsmasq", "dnsmasq", {})).toContain("one servers-file");
    expect(place("fail2ban", "txt", { target: "ip", kind: "allow" })).toContain("once");
    const file = (name: string, text: string): string => {
      writeFileSync(join(root, name), text);
      return join(root, name);
    };
    const policies = (text: string) => run("named-checkconf", [file("named.conf", `options { ${text} };`)]);
    const one = (zones: string): string => `response-policy { ${zones} } qname-wait-recurse no;`;
    expect(policies(one('zone "a.rpz";') + one('zone "b.rpz";')).stdout).toContain("redefined");
    expect(policies(one('zone "a.rpz"; zone "b.rpz";')).stdout).not.toContain("redefined");
    const list = file("a.dnsmasq", "server=/evil.example.com/\n");
    const dnsmasq = (count: number) =>
      run("dnsmasq", ["--test", "-C", file("dnsmasq.conf", `servers-file=${list}\n`.repeat(count))]);
    expect([dnsmasq(1).status, dnsmasq(2).stderr]).toEqual([0, expect.stringContaining("repeated keyword")]);
    cpSync("/etc/fail2ban", join(root, "fail2ban"), { recursive: true });
    const jail = (count: number) => {
      file("fail2ban/jail.local", `[DEFAULT]\n${"ignorecommand = true\n".repeat(count)}`);
      return run("fail2ban-client", ["-c", join(root, "fail2ban"), "-d"]);
    };
    expect([jail(1).status, jail(2).status]).toEqual([0, 255]);
  },
);
