import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import papa from "papaparse";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "../src/base/clock.ts";
import { renderBody } from "../src/exports/bodies.ts";
import { eachRow } from "../src/exports/rows.ts";
import { createTestWorld, type TestWorld } from "../src/exports/test-world.ts";
import { formatOf, variantOf } from "../src/exports/variant.ts";
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
  for (const child of started.splice(0)) child.kill("SIGTERM");
});

function start(command: string, args: readonly string[]): { said: () => string } {
  const child = spawn(programOf(command) ?? command, [...args], { stdio: ["ignore", "pipe", "pipe"] });
  started.push(child);
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (said += String(text)));
  return { said: () => said };
}

/** The status that a visitor gets who comes from `address`, as a proxy on this machine says. */
function visit(port: number, address: string, more: readonly string[] = []): string {
  const { stdout } = run("curl", [
    ...["-s", "-o", "/dev/null", "-w", "%{http_code}", "-m", "5", "-H", `X-Forwarded-For: ${address}`],
    ...[...more, `http://127.0.0.1:${port}/`],
  ]);
  return stdout;
}

async function untilOpen(port: number, said: () => string): Promise<void> {
  for (let tries = 0; tries < 50; tries++) {
    if (visit(port, "192.0.2.1") !== "000") return;
    await systemClock.sleep(200);
  }
  throw new Error(`Nothing answers on port ${port}; the server said: ${said().slice(-2000)}`);
}

const folder = (name: string): string => {
  const path = join(world.dir, name);
  mkdirSync(path, { recursive: true });
  run("chmod", ["777", path]);
  return path;
};

/** Listed of both families, and allowed islands inside listed networks. */
const VISITORS = [
  "45.10.5.7",
  "45.64.2.1",
  "2a01:5:1::9",
  "45.64.1.7",
  "45.10.200.9",
  "2a01:5:2::9",
  "9.9.9.1",
];
const EXPECTED = ["403", "403", "403", "200", "200", "200", "200"];

test.skipIf(missing("postmap").length > 0)(
  "Postfix finds what is listed in the cidr table (else skipped)",
  () => {
    const table = `cidr:${writeBodyFile(world, "edge.postfix")}`;
    const config = folder("postfix");
    writeFileSync(join(config, "main.cf"), "compatibility_level = 3.6\n");
    const query = (address: string) => run("postmap", ["-c", config, "-q", address, table]).stdout.trim();
    expect(query("45.10.5.7")).toBe("REJECT listed (score 60): abuse, attack");
    expect(query("2a01:5:1::9")).toMatch(/^REJECT listed \(score 60\)/);
    expect(query("45.64.1.7")).toBe("");
    expect(query("9.9.9.1")).toBe("");
  },
);

/** Alone in their networks, so that each is a line of its own. */
const ENDS = ["0.0.0.0", "127.255.255.255", "128.0.0.0", "255.255.255.255", "::2", "ffff:ffff:ffff::ffff"];

test.skipIf(missing("nginx", "postmap").length > 0)(
  "the ends of the address spaces keep no server from reading the rest (else skipped)",
  async () => {
    const made = createTestWorld([{ name: "edge" }]);
    await made.make({ block: { ends: { lines: ENDS, category: "attack", confidence: "high" } } });
    const nginx = (inside: string) =>
      run("nginx", ["-t", "-q", "-g", `pid ${made.dir}/pid;`, "-c", fileOf("nginx.conf", inside)]).stderr;
    const fileOf = (name: string, text: string): string => {
      writeFileSync(join(made.dir, name), text);
      return join(made.dir, name);
    };
    const deny = writeBodyFile(made, "edge.nginx");
    expect(nginx(`events {} http { server { listen 127.0.0.1:1; include ${deny}; } }`)).toBe("");
    const { content, dropped } = renderBody(
      made.generation("edge"),
      variantOf(formatOf("nginx") ?? expect.fail(), {}, "ip"),
    );
    expect([content.toString("utf8").match(/^deny /gm)?.length, dropped]).toEqual([ENDS.length - 1, 1]);
    const geo = writeBodyFile(made, "edge.nginx", { as: "geo" });
    expect(nginx(`events {} http { geo $listed { default 0; include ${geo}; } }`)).toBe("");
    fileOf("main.cf", "compatibility_level = 3.6\n");
    const table = `cidr:${writeBodyFile(made, "edge.postfix")}`;
    for (const end of ENDS)
      expect(run("postmap", ["-c", made.dir, "-q", end, table]).stdout).toMatch(/^REJECT/);
    made.close();
  },
);

describe("web servers and proxies:", () => {
  test.skipIf(missing("nginx", "curl").length > 0)(
    "nginx refuses what is listed (else skipped)",
    async () => {
      const [dir, port] = [folder("nginx"), await freePort()];
      const conf = join(dir, "nginx.conf");
      writeFileSync(
        conf,
        `pid ${dir}/pid; error_log stderr; events {}
http { access_log off; client_body_temp_path ${dir}/a; proxy_temp_path ${dir}/b; fastcgi_temp_path ${dir}/c;
  uwsgi_temp_path ${dir}/d; scgi_temp_path ${dir}/e;
  server { listen 127.0.0.1:${port}; set_real_ip_from 127.0.0.1; real_ip_header X-Forwarded-For;
    include ${writeBodyFile(world, "edge.nginx")};
    location / { try_files /none @ok; } location @ok { return 200; } } }`,
      );
      const checked = run("nginx", ["-t", "-q", "-c", conf]);
      expect([checked.status, checked.stderr]).toEqual([0, ""]);
      const { said } = start("nginx", ["-c", conf, "-g", "daemon off;"]);
      await untilOpen(port, said);
      expect(VISITORS.map((address) => visit(port, address))).toEqual(EXPECTED);
    },
  );

  test.skipIf(missing("apache2", "curl").length > 0)(
    "Apache refuses what is listed (else skipped)",
    async () => {
      const [dir, port] = [folder("apache"), await freePort()];
      const conf = join(dir, "httpd.conf");
      const modules = ["mpm_event", "authz_core", "authz_host", "remoteip"];
      writeFileSync(join(dir, "index.html"), "ok");
      writeFileSync(
        conf,
        `ServerName localhost
ServerRoot ${dir}
PidFile ${dir}/pid
Listen 127.0.0.1:${port}
ErrorLog ${dir}/error.log
User nobody
Group nogroup
${modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`).join("\n")}
RemoteIPHeader X-Forwarded-For
RemoteIPInternalProxy 127.0.0.1
DocumentRoot ${dir}
<Directory ${dir}>
  <RequireAll>
    Require all granted
    Include ${writeBodyFile(world, "edge.apache")}
  </RequireAll>
</Directory>
`,
      );
      run("chmod", ["-R", "a+rX", world.dir]);
      const checked = run("apache2", ["-t", "-f", conf]);
      expect([checked.status, checked.stderr]).toEqual([0, expect.stringContaining("Syntax OK")]);
      const { said } = start("apache2", ["-DFOREGROUND", "-f", conf]);
      await untilOpen(port, said);
      const path = ["--path-as-is", "--url", `http://127.0.0.1:${port}/index.html`];
      expect(VISITORS.map((address) => visit(port, address, path).slice(0, 3))).toEqual(EXPECTED);
    },
  );

  test.skipIf(missing("haproxy", "curl").length > 0)(
    "HAProxy refuses what is listed (else skipped)",
    async () => {
      const [dir, port] = [folder("haproxy"), await freePort()];
      const conf = join(dir, "haproxy.cfg");
      writeFileSync(
        conf,
        `defaults
  mode http
  timeout client 5s
  timeout server 5s
  timeout connect 5s
frontend web
  bind 127.0.0.1:${port}
  http-request set-src hdr(x-forwarded-for)
  acl listed src -f ${writeBodyFile(world, "edge.txt")}
  http-request deny deny_status 403 if listed
  http-request return status 200
`,
      );
      const checked = run("haproxy", ["-c", "-f", conf]);
      expect([checked.status, checked.stderr]).toEqual([0, ""]);
      const { said } = start("haproxy", ["-db", "-f", conf]);
      await untilOpen(port, said);
      expect(VISITORS.map((address) => visit(port, address))).toEqual(EXPECTED);
    },
  );

  test.skipIf(missing("squid").length > 0)("Squid reads the list as an acl (else skipped)", () => {
    const conf = join(folder("squid"), "squid.conf");
    writeFileSync(
      conf,
      `acl listed dst "${writeBodyFile(world, "edge.txt")}"
acl sites dstdomain "${writeBodyFile(world, "names.txt", { below: "1" })}"
http_access deny listed
http_access deny sites
http_access allow all
http_port 127.0.0.1:3128
`,
    );
    const checked = run("squid", ["-k", "parse", "-f", conf]);
    expect(checked.status).toBe(0);
    expect(checked.stderr).not.toMatch(/ERROR|WARNING.*(listed|sites|subnetwork|subdomain)|Bungled/i);
  });
});

describe("tables:", () => {
  test("csv and ndjson hold every entry with all that is known of it, and are read back as they are", () => {
    const rows = [...eachRow(world.generation("edge"))];
    const csv = papa.parse<Record<string, string>>(world.body("edge.csv").trim(), { header: true });
    expect(csv.errors).toEqual([]);
    expect(csv.data.map((row) => [row["value"], Number(row["score"])])).toEqual(
      rows.map(({ value, score }) => [value, score]),
    );
    const lines: unknown[] = world
      .body("edge.ndjson")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines[0]).toEqual({
      value: "45.9.255.255",
      score: 50,
      band: "elevated",
      categories: ["abuse"],
      families: ["hosts"],
      sources: ["hosts"],
      first_seen: null,
      last_seen: null,
      licence: ["unknown"],
    });
    expect(lines).toHaveLength(rows.length);
  });

  test.each(["ndjson", "csv"])(
    "a second Repute takes a %s for a list of its own: the same entries",
    async (ext) => {
      const lines = world.body(`edge.${ext}`).trim().split("\n");
      const second = createTestWorld([{ name: "edge" }]);
      await second.make({ block: { first: { lines, more: { format: "repute" } } } });
      const values = (made: TestWorld) => [...eachRow(made.generation("edge"))].map(({ value }) => value);
      const [ours, theirs] = [values(world), values(second)];
      second.close();
      expect(theirs).toEqual(ours);
    },
  );

  test("what a table of figures would take for a formula is a text", async () => {
    const strange = createTestWorld([{ name: "boxes", target: "email", min_score: 1 }]);
    await strange.make({
      block: { boxes: { lines: ['=cmd|"x"@example.com', "+a@example.com"], target: "email" } },
    });
    const csv = strange.body("boxes.csv");
    strange.close();
    expect(csv).toContain("'+a@example.com");
    expect(csv).not.toMatch(/^[=+]/m);
  });

  test("ad blockers: a name with all below it, and what is allowed below it", () => {
    const lines = world
      .body("names.adblock")
      .split("\n")
      .filter((line) => !line.startsWith("!"));
    expect(lines).toEqual(
      expect.arrayContaining(["@@||good.evil.example.com^", "||evil.example.com^", "|co.uk^"]),
    );
    expect(world.body("boxes.txt", { head: "0" })).toBe("bob@evil.example.com\n");
  });
});
