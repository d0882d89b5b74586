import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "../src/base/clock.ts";
import type { TestWorld } from "../src/exports/test-world.ts";
import { consumerWorld, missing, programOf, run, writeBodyFile } from "./consumers.ts";
import { freePort } from "./servers/free-port.ts";

let world: TestWorld;
beforeAll(async () => {
  world = await consumerWorld();
  run("chmod", ["-R", "a+rX", world.dir]);
});
afterAll(() => world?.close());

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

/** Starts a daemon in the foreground, and collects what it says. */
function start(command: string, args: readonly string[]): { said: () => string } {
  const child = spawn(programOf(command) ?? command, [...args], { stdio: ["ignore", "pipe", "pipe"] });
  started.push(child);
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (said += String(text)));
  return { said: () => said };
}

type Asked = { readonly status: string; readonly answers: readonly string[] };

function ask(port: number, name: string, type = "A"): Asked {
  const { stdout } = run("dig", [
    "@127.0.0.1",
    "-p",
    String(port),
    "+tries=1",
    "+time=2",
    "+noall",
    "+comments",
    "+answer",
    name,
    type,
  ]);
  const status = /status: (\w+)/.exec(stdout)?.[1] ?? "none";
  const answers = stdout.split("\n").filter((line) => line !== "" && !line.startsWith(";"));
  return {
    status,
    answers: answers.map((line) =>
      line
        .split(/\t+|\s+/)
        .slice(3)
        .join(" "),
    ),
  };
}

async function untilAnswers(port: number, name: string, said: () => string, type = "A"): Promise<Asked> {
  let last: Asked = { status: "none", answers: [] };
  for (let tries = 0; tries < 50; tries++) {
    last = ask(port, name, type);
    if (last.status !== "none" && last.status !== "SERVFAIL") return last;
    await systemClock.sleep(200);
  }
  throw new Error(`No answer for ${name}: ${last.status}; the daemon said: ${said().slice(-2000)}`);
}

const folder = (name: string): string => {
  const path = join(world.dir, name);
  mkdirSync(path, { recursive: true, mode: 0o777 });
  run("chmod", ["777", path]);
  return path;
};

/** A zone of the test's own, in which addresses stand that are exported: response policies look at them. */
const ZONE = `$TTL 60
@ SOA localhost. hostmaster.localhost. 1 60 60 60 60
@ NS localhost.
listed A 45.10.5.7
listed6 AAAA 2a01:5:1::9
run6 AAAA 2a01:7:0:1::7
allowed A 45.64.1.7
`;

describe("response policy zones:", () => {
  test.skipIf(missing("named-checkzone").length > 0)(
    "named-checkzone takes both (else skipped: not installed)",
    () => {
      for (const [file, query] of [
        ["edge.rpz", {}],
        ["names.rpz", { action: "cname:walled.example.net" }],
      ] as const) {
        const ran = run("named-checkzone", [
          "-k",
          "fail",
          "rpz.repute.example",
          writeBodyFile(world, file, query),
        ]);
        expect([ran.status, ran.stdout]).toEqual([0, expect.stringContaining("OK")]);
      }
    },
  );

  const bind = missing("named", "dig");
  test.skipIf(bind.length > 0)("BIND answers by them (else skipped: not installed)", async () => {
    const dir = folder("bind");
    const port = await freePort();
    writeFileSync(join(dir, "own.zone"), ZONE);
    const zone = (name: string, file: string) => `zone "${name}" { type primary; file "${file}"; };`;
    writeFileSync(
      join(dir, "named.conf"),
      `options { directory "${dir}"; listen-on port ${port} { 127.0.0.1; }; listen-on-v6 { none; };
        pid-file none; session-keyfile none; recursion yes; allow-query { any; }; dnssec-validation no;
        forwarders { 127.0.0.1 port 9; }; forward only;
        response-policy { zone "names.rpz"; zone "edge.rpz"; } qname-wait-recurse no break-dnssec yes; };
      controls { };
      ${zone("own.test", "own.zone")} ${zone("names.rpz", writeBodyFile(world, "names.rpz"))}
      ${zone("edge.rpz", writeBodyFile(world, "edge.rpz"))}`,
    );
    const { said } = start("named", ["-g", "-c", join(dir, "named.conf")]);
    expect((await untilAnswers(port, "evil.example.com", said)).status).toBe("NXDOMAIN");
    expect(ask(port, "deep.worse.example.net").status).toBe("NXDOMAIN");
    expect(ask(port, "listed.own.test").status).toBe("NXDOMAIN");
    expect(ask(port, "listed6.own.test", "AAAA").status).toBe("NXDOMAIN");
    expect(ask(port, "run6.own.test", "AAAA").status).toBe("NXDOMAIN");
    expect(ask(port, "allowed.own.test").answers).toEqual(["A 45.64.1.7"]);
    // Allowed below an exported name: handed on to a forwarder that is not there, and not denied.
    expect(ask(port, "good.evil.example.com").status).not.toBe("NXDOMAIN");
    expect(said()).not.toMatch(/rpz.*(invalid|bad|error)/i);
  });

  test.skipIf(missing("unbound", "unbound-checkconf", "dig").length > 0)(
    "Unbound answers by them (else skipped)",
    async () => {
      const dir = folder("unbound");
      const port = await freePort();
      const conf = join(dir, "unbound.conf");
      writeFileSync(
        conf,
        `server:
  interface: 127.0.0.1@${port}
  chroot: ""
  username: ""
  directory: "${dir}"
  pidfile: ""
  use-syslog: no
  do-daemonize: no
  do-not-query-localhost: no
  module-config: "respip iterator"
  local-zone: "own.test." static
  local-data: "listed.own.test. A 45.10.5.7"
remote-control:
  control-enable: no
rpz:
  name: names.rpz
  zonefile: "${writeBodyFile(world, "names.rpz", { action: "nodata" })}"
rpz:
  name: edge.rpz
  zonefile: "${writeBodyFile(world, "edge.rpz")}"
forward-zone:
  name: "."
  forward-addr: 127.0.0.1@9
`,
      );
      const checked = run("unbound-checkconf", [conf]);
      expect([checked.status, checked.stderr]).toEqual([0, ""]);
      const { said } = start("unbound", ["-d", "-c", conf]);
      expect(await untilAnswers(port, "evil.example.com", said)).toEqual({ status: "NOERROR", answers: [] });
      expect(ask(port, "deep.worse.example.net")).toEqual({ status: "NOERROR", answers: [] });
      expect(ask(port, "good.evil.example.com").status).not.toBe("NOERROR");
      expect(said()).not.toMatch(/error/i);
    },
  );

  test.skipIf(missing("pdns_recursor", "dig").length > 0)(
    "PowerDNS Recursor answers by them (else skipped)",
    async () => {
      const dir = folder("pdns");
      const port = await freePort();
      const lua = join(dir, "rpz.lua");
      const files = [writeBodyFile(world, "names.rpz"), writeBodyFile(world, "edge.rpz")];
      writeFileSync(lua, files.map((file, i) => `rpzFile("${file}", { policyName = "p${i}" })`).join("\n"));
      const { said } = start("pdns_recursor", [
        ...[
          `--config-dir=${dir}`,
          `--socket-dir=${dir}`,
          "--local-address=127.0.0.1",
          `--local-port=${port}`,
        ],
        ...[
          `--lua-config-file=${lua}`,
          "--daemon=no",
          "--disable-syslog",
          "--forward-zones-recurse=.=127.0.0.1:9",
        ],
        ...["--security-poll-suffix=", "--threads=1", "--dnssec=off"],
      ]);
      expect((await untilAnswers(port, "evil.example.com", said)).status).toBe("NXDOMAIN");
      expect(ask(port, "deep.worse.example.net").status).toBe("NXDOMAIN");
      expect(ask(port, "good.evil.example.com").status).toBe("SERVFAIL");
      expect(said()).not.toMatch(/unable to load rpz|unknown action|exception/i);
    },
  );

  test("names too long for the zone are left out and counted; a public suffix has no wildcard", () => {
    const text = world.body("names.rpz", {
      origin: "a.zone.of.a.long.name.that.leaves.little.room.example.net",
    });
    expect(text).not.toContain("aaaaaaaaaa");
    expect(text).toContain("\nco.uk CNAME .\n");
    expect(text).not.toContain("*.co.uk");
    expect(text).toContain("*.evil.example.com CNAME .\n");
    expect(text).toContain("good.evil.example.com CNAME rpz-passthru.\n");
    expect(world.body("edge.rpz")).toContain("64.zz.1.0.7.2a01.rpz-ip CNAME .");
    expect(world.body("edge.rpz", { action: "drop" })).toContain("\n31.2.0.20.45.rpz-ip CNAME rpz-drop.\n");
  });
});

test.skipIf(missing("rbldnsd", "dig").length > 0)(
  "rbldnsd serves the three zones (else skipped)",
  async () => {
    const dir = folder("rbldnsd");
    const port = await freePort();
    const zones = [
      `four.test:ip4trie:${writeBodyFile(world, "edge.rbl4")}`,
      `six.test:ip6trie:${writeBodyFile(world, "edge.rbl6")}`,
      `names.test:dnset:${writeBodyFile(world, "names.rbldom")}`,
    ];
    const { said } = start("rbldnsd", ["-n", "-b", `127.0.0.1/${port}`, "-w", dir, "-u", "nobody", ...zones]);
    expect((await untilAnswers(port, "7.5.10.45.four.test", said)).answers).toEqual(["A 127.0.0.7"]);
    expect(ask(port, "7.5.10.45.four.test", "TXT").answers).toEqual(['TXT "abuse,attack score 60"']);
    expect(ask(port, "2.0.0.127.four.test").answers).toEqual(["A 127.0.0.2"]);
    expect(ask(port, "1.0.0.127.four.test").status).toBe("NXDOMAIN");
    // Allowed islands, of an address and of a network.
    expect(ask(port, "9.200.10.45.four.test").status).toBe("NXDOMAIN");
    expect(ask(port, "7.1.64.45.four.test").status).toBe("NXDOMAIN");
    expect(ask(port, "7.2.64.45.four.test").answers).toEqual(["A 127.0.0.7"]);
    const six = (text: string) => `${text.split("").reverse().join(".")}.six.test`;
    expect(ask(port, six("2a010005000100000000000000000009")).answers).toEqual(["A 127.0.0.7"]);
    expect(ask(port, six("2a010005000200000000000000000009")).status).toBe("NXDOMAIN");
    expect(ask(port, six("00000000000000000000ffff7f000002")).answers).toEqual(["A 127.0.0.2"]);
    expect(ask(port, "deep.evil.example.com.names.test").answers).toEqual(["A 127.0.0.5"]);
    expect(ask(port, "good.evil.example.com.names.test").status).toBe("NXDOMAIN");
    expect(ask(port, "test.names.test").answers).toEqual(["A 127.0.0.2"]);
    expect(ask(port, "co.uk.names.test").answers).toEqual(["A 127.0.0.5"]);
    expect(ask(port, "others.co.uk.names.test").status).toBe("NXDOMAIN");
    expect(said()).not.toMatch(/invalid|bad|unrecognized|ignored/i);
  },
);

test.skipIf(missing("dnsmasq", "dig").length > 0)(
  "dnsmasq blocks names with all below them, whatever is asked, and asks its servers about the others (else skipped)",
  async () => {
    const [above, port] = [await freePort(), await freePort()];
    const plain = ["--no-daemon", "--conf-file=/dev/null", "--no-resolv", "--no-hosts", "--user=root"];
    const at = (own: number) => [`--port=${own}`, "--listen-address=127.0.0.1", "--bind-interfaces"];
    const every = ["--address=/#/45.9.9.9", "--address=/#/2a01:9::9", "--txt-record=evil.example.com,hello"];
    const first = start("dnsmasq", [...plain, ...at(above), ...every]);
    await untilAnswers(above, "evil.example.com", first.said);
    const file = `--servers-file=${writeBodyFile(world, "names.dnsmasq")}`;
    const { said } = start("dnsmasq", [...plain, ...at(port), file, `--server=127.0.0.1#${above}`]);
    await untilAnswers(port, "evil.example.com", said);
    for (const name of [
      "evil.example.com",
      "EVIL.Example.com",
      "deep.evil.example.com",
      "worse.example.net",
    ]) {
      for (const type of ["A", "AAAA", "TXT", "MX", "TYPE65"])
        expect([name, type, ask(port, name, type)]).toEqual([
          name,
          type,
          { status: "NXDOMAIN", answers: [] },
        ]);
    }
    for (const name of [
      "good.evil.example.com",
      "x.good.evil.example.com",
      "other.co.uk",
      "notevil.example.com",
    ]) {
      expect([name, ask(port, name).answers]).toEqual([name, ["A 45.9.9.9"]]);
      expect([name, ask(port, name, "AAAA").answers]).toEqual([name, ["AAAA 2a01:9::9"]]);
    }
    expect(said()).not.toMatch(/bad|error/i);
  },
);
