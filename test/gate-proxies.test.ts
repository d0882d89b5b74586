import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "../chaos/linux.ts";
import { systemClock } from "../src/base/clock.ts";
import { linesOf } from "./consumer-lines.ts";
import { askServer } from "./gate-client.ts";
import { type GateWorld, startGateWorld } from "./gate-world.ts";
import { canConnect } from "./servers/can-connect.ts";
import { until } from "./service.ts";

// The lines of docs/consumers/, pasted into Debian's proxies. Visitors come from loopback addresses that an own list names.

const BLOCKED = "127.0.45.45";
const CHALLENGED = "127.0.46.7";
const CLEAN = "127.0.99.1";

const folder = mkdtempSync(join(tmpdir(), "repute-proxies-"));
let world: GateWorld;
let app: Server;
let appPort = 0;
const running: ChildProcess[] = [];

beforeAll(async () => {
  const listed = (key: string, category: string, network: string) => {
    writeFileSync(join(folder, key), `${network}\n`);
    const common = { target: "ip", format: "netset", confidence: "high" };
    return { ...common, key, category, url: `file://${join(folder, key)}` };
  };
  world = await startGateWorld({
    file: {
      // The visitors are private addresses, as all of loopback: only an own list names such.
      engines: {
        builtin: false,
        feeds: [listed("own_c2", "c2", `${BLOCKED}/32`), listed("own_attack", "attack", `${CHALLENGED}/32`)],
      },
      allowlists: [],
      server: { trust_proxy: ["127.0.0.1/32"] },
    },
  });
  app = createServer((request, response) => {
    response.end(`app ${request.headers["x-repute-action"] ?? "-"} ${request.headers["x-api-key"] ?? "-"}`);
  });
  await new Promise<void>((resolve) => app.listen(0, "127.0.0.1", resolve));
  appPort = portOf(app);
});
afterAll(async () => {
  for (const child of running) child.kill("SIGTERM");
  app.close();
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

const portOf = (server: { address: () => AddressInfo | string | null }): number => {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
};

/** Where the lines name Repute, the application, the port and the token, those of this test. */
const pasted = (lines: string, gatePort: number, port: number): string =>
  lines
    .replaceAll("127.0.0.1:8080", `127.0.0.1:${gatePort}`)
    .replaceAll('"127.0.0.1", 8080', `"127.0.0.1", ${gatePort}`)
    .replaceAll("127.0.0.1:3000", `127.0.0.1:${appPort}`)
    .replaceAll("listen 80;", `listen 127.0.0.1:${port};`)
    .replaceAll("bind :80", `bind 127.0.0.1:${port}`)
    .replaceAll("/etc/haproxy/repute.lua", join(folder, `repute-${gatePort}.lua`))
    .replaceAll("/usr/local/bin/repute-gate", join(folder, `repute-gate-${gatePort}`))
    .replaceAll("rpx_YOUR_TOKEN", world.token);

type Start = (
  gatePort: number,
  port: number,
  isOpen: boolean,
) => readonly [command: string, ...args: string[]];

const nginx: Start = (gatePort, port, isOpen) => {
  const closed = linesOf("nginx-closed");
  const at = closed.indexOf("  location = /_repute");
  const site = isOpen ? `${closed.slice(0, at)}${linesOf("nginx-open")}}\n` : closed;
  const home = join(folder, `nginx-${port}`);
  mkdirSync(home);
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (one) => `${one}_temp_path ${home}/${one};`,
  );
  const config = join(home, "nginx.conf");
  writeFileSync(
    config,
    `daemon off; master_process off; pid ${home}/pid; error_log ${home}/error.log;
     events {} http { access_log off; ${paths.join(" ")}\n${pasted(site, gatePort, port)} }`,
  );
  return ["nginx", "-p", home, "-c", config];
};

const haproxy: Start = (gatePort, port, isOpen) => {
  writeFileSync(join(folder, `repute-${gatePort}.lua`), pasted(linesOf("haproxy-lua"), gatePort, port));
  const lines = linesOf("haproxy-closed");
  const wanted = isOpen ? lines.replace(/^.*-m str unknown.*\n/m, "") : lines;
  const config = join(folder, `haproxy-${port}.cfg`);
  writeFileSync(config, pasted(wanted, gatePort, port));
  return ["haproxy", "-db", "-f", config];
};

const apache: Start = (gatePort, port, isOpen) => {
  const program = join(folder, `repute-gate-${gatePort}`);
  writeFileSync(program, pasted(linesOf("apache-program"), gatePort, port), { mode: 0o755 });
  const lines = linesOf("apache-closed");
  const home = join(folder, `apache-${port}`);
  mkdirSync(home);
  const modules = ["mpm_event", "authz_core", "rewrite", "proxy", "proxy_http"].map(
    (name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`,
  );
  const config = join(home, "httpd.conf");
  const wanted = pasted(isOpen ? lines.replace("^(block|unknown)$", "^block$") : lines, gatePort, port);
  writeFileSync(
    config,
    `ServerRoot ${home}\nServerName localhost\nListen 127.0.0.1:${port}\nPidFile ${home}/pid\nMutex file:${home}
     ErrorLog ${home}/error.log\n${modules.join("\n")}
     <VirtualHost *:${port}>\n${wanted}\nProxyPass / http://127.0.0.1:${appPort}/\n</VirtualHost>\n`,
  );
  return ["apache2", "-X", "-f", config];
};

/** Starts a proxy whose gate is at a port, and waits until it listens; gives its own port. */
async function startProxy(start: Start, gatePort: number, isOpen: boolean): Promise<number> {
  const port = await freePort();
  const [command, ...args] = start(gatePort, port, isOpen);
  const child = spawn(command, args, { stdio: ["ignore", "ignore", "pipe"] });
  running.push(child);
  let said = "";
  child.stderr?.on("data", (piece) => {
    said += String(piece);
  });
  await until(() => {
    if (child.exitCode !== null) throw new Error(`${command} ended: ${said}`);
    return canConnect(port);
  });
  return port;
}

const visit = (port: number, from: string) =>
  askServer({
    port,
    path: "/shop?ip=8.8.8.8&policy=default",
    from,
    headers: { "x-real-ip": "8.8.8.8", "x-forwarded-for": "8.8.8.8" },
  });

/** What a visitor comes to where the gate answers in time: on a busy machine it may take longer than the lines wait for it. */
async function settled(port: number, from: string, status: number, text?: string) {
  let last = await visit(port, from);
  for (let tries = 0; tries < 20 && (last.status !== status || last.text !== (text ?? last.text)); tries++) {
    // Apache asks nothing for a second after an answer that did not come.
    await systemClock.sleep(200);
    last = await visit(port, from);
  }
  return last;
}

const caddy: Start = (gatePort, port, isOpen) => {
  const home = join(folder, `caddy-${port}`);
  mkdirSync(home);
  const config = join(home, "Caddyfile");
  const lines = pasted(linesOf(isOpen ? "caddy-open" : "caddy-closed"), gatePort, port);
  const site = lines.replace("example.com {", `:${port} {`);
  writeFileSync(config, `{\n\tadmin off\n\tstorage file_system ${home}\n}\n${site}`);
  return ["caddy", "run", "--adapter", "caddyfile", "--config", config];
};

const PROXIES: readonly (readonly [name: string, start: Start, closed: number, named: boolean])[] = [
  ["nginx", nginx, 500, true],
  ["haproxy", haproxy, 503, true],
  ["apache2", apache, 403, false],
  ["caddy", caddy, 502, true],
];

describe.each(PROXIES)("the lines for %s", (name, start, closedStatus, isActionNamed) => {
  test.each([false, true])(
    "turn blocked visitors away, whatever they claim (fail-open: %s)",
    async (isOpen) => {
      expect(execFileSync("which", [name]).length).toBeGreaterThan(0);
      const port = await startProxy(start, world.service.port, isOpen);
      const refused = await settled(port, BLOCKED, 403);
      expect(refused.status).toBe(403);
      // Which lists name a visitor is not for the visitor.
      expect(Object.keys(refused.headers).filter((key) => key.startsWith("x-repute"))).toEqual([]);
      const action = (named: string): string => `app ${isActionNamed ? named : "-"} -`;
      for (const [from, named] of [
        [CHALLENGED, "challenge"],
        [CLEAN, "allow"],
      ] as const) {
        const text = action(named);
        expect(await settled(port, from, 200, text)).toMatchObject({ status: 200, text });
      }
    },
  );

  test("refuse every visitor while Repute is away, where they fail closed", async () => {
    const port = await startProxy(start, await freePort(), false);
    expect((await visit(port, CLEAN)).status).toBe(closedStatus);
  });

  test("let visitors in while Repute is away, where they fail open", async () => {
    const port = await startProxy(start, await freePort(), true);
    expect((await visit(port, CLEAN)).text).toMatch(/^app /);
  });

  test("wait for a silent gate for less than two seconds, and name no action of the visitor's own", async () => {
    const heard: string[] = [];
    const silent = createTcpServer((socket) => {
      socket.on("error", () => undefined).on("data", (piece) => heard.push(String(piece)));
    });
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const gatePort = portOf(silent);
    const [closed, open] = [
      await startProxy(start, gatePort, false),
      await startProxy(start, gatePort, true),
    ];
    const before = performance.now();
    expect((await visit(closed, CLEAN)).status).toBe(name === "caddy" ? 504 : closedStatus);
    const own = { cookie: "session=secret", authorization: "Basic c2VjcmV0", "x-repute-action": "forged" };
    const { text } = await askServer({ port: open, path: "/", from: CLEAN, headers: own });
    expect(performance.now() - before).toBeLessThan(4000);
    expect(text).toMatch(/^app /);
    if (isActionNamed) expect(text).not.toContain("forged");
    expect(heard.join("")).toContain("/api/gate");
    expect(heard.join("")).not.toMatch(/secret|c2VjcmV0/);
    await new Promise((done) => {
      silent.close(done);
      for (const child of running.splice(-2)) child.kill("SIGTERM");
    });
  });

  test("take an answer that breaks off for Repute being away, again and again", async () => {
    const broken = createTcpServer((socket) => {
      socket.on("error", () => undefined).once("data", () => socket.end("HTTP/1.1 2"));
    });
    await new Promise<void>((resolve) => broken.listen(0, "127.0.0.1", resolve));
    const bound = broken.address();
    const gatePort = typeof bound === "object" && bound !== null ? bound.port : 0;
    const [closed, open] = [
      await startProxy(start, gatePort, false),
      await startProxy(start, gatePort, true),
    ];
    for (let i = 0; i < 2; i++) {
      expect((await visit(closed, CLEAN)).status).toBe(closedStatus);
      expect((await visit(open, CLEAN)).text).toMatch(/^app /);
    }
    await new Promise((done) => broken.close(done));
  });

  test("take a refused token for what they fail to, and not for a block", async () => {
    const { accounts } = world.service;
    const { text, token } = await accounts.createToken({ email: world.account.email, scopes: ["gate"] });
    await accounts.revokeToken(token.id);
    const real = world.token;
    world = { ...world, token: text };
    const port = await startProxy(start, world.service.port, true);
    world = { ...world, token: real };
    expect((await visit(port, CLEAN)).text).toMatch(/^app /);
  });
});

test("nginx turns blocked visitors away at every location of the site", async () => {
  const start: Start = (...args) => {
    const command = nginx(...args);
    const config = command.at(-1) ?? "";
    const other = `location /shop { proxy_pass http://127.0.0.1:${appPort}; }\n  location / {`;
    writeFileSync(config, readFileSync(config, "utf8").replace("location / {", other));
    return command;
  };
  for (const isOpen of [false, true]) {
    const port = await startProxy(start, world.service.port, isOpen);
    expect([(await visit(port, BLOCKED)).status, (await visit(port, CLEAN)).status]).toEqual([403, 200]);
  }
});

test("Apache turns visitors away where the program of its map ended", async () => {
  const start: Start = (gatePort, port, isOpen) => {
    const command = apache(gatePort, port, isOpen);
    writeFileSync(join(folder, `repute-gate-${gatePort}`), "#!/bin/sh\nread -r _\n", { mode: 0o755 });
    return command;
  };
  const port = await startProxy(start, await freePort(), false);
  for (let i = 0; i < 3; i++) expect((await visit(port, CLEAN)).status).toBe(403);
});

test("Caddy sends the visitor's query where its uri has none, and the slash has it passed over", async () => {
  const start: Start = (...args) => {
    const [command, ...words] = caddy(...args);
    const config = words.at(-1) ?? "";
    const lines = readFileSync(config, "utf8").replace("uri /api/gate?policy=edge", "uri /api/gate/");
    writeFileSync(config, lines);
    return [command, ...words];
  };
  const port = await startProxy(start, world.service.port, false);
  expect((await visit(port, BLOCKED)).status).toBe(403);
  expect((await visit(port, CLEAN)).text).toMatch(/^app allow/);
});

/** A gate that says nothing until it is `back`, which counts the visitors that it was asked about. */
async function startHungGate() {
  let asked = 0;
  let isBack = false;
  const server = createTcpServer((socket) => {
    socket.on("error", () => undefined);
    if (isBack) {
      const service = connect(world.service.port, "127.0.0.1").on("error", () => undefined);
      socket.pipe(service).pipe(socket);
    } else socket.on("data", (piece) => (asked += String(piece).includes("/api/gate") ? 1 : 0));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const goBack = (): void => {
    isBack = true;
  };
  return { port: portOf(server), asked: () => asked, goBack, close: () => server.close() };
}

test("HAProxy has no visitor wait for a Repute that hangs for long, and asks it again when it is back", async () => {
  const gate = await startHungGate();
  const port = await startProxy(haproxy, gate.port, true);
  await until(async () => {
    const before = gate.asked();
    expect((await visit(port, BLOCKED)).text).toBe("app unknown -");
    return gate.asked() === before;
  });
  gate.goBack();
  await until(async () => (await visit(port, BLOCKED)).status === 403);
  gate.close();
});

test("Apache has one visitor in a second wait for a Repute that hangs, and asks it again when it is back", async () => {
  const gate = await startHungGate();
  const port = await startProxy(apache, gate.port, true);
  const visits = await Promise.all(Array.from({ length: 20 }, () => visit(port, BLOCKED)));
  expect(new Set(visits.map(({ text }) => text))).toEqual(new Set(["app - -"]));
  expect(gate.asked()).toBeLessThan(20);
  gate.goBack();
  await until(async () => (await visit(port, BLOCKED)).status === 403);
  gate.close();
});
