import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { connect, createServer as createTcpServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "../chaos/linux.ts";
import { systemClock } from "../src/base/clock.ts";
import { askServer } from "./gate-client.ts";
import {
  apache,
  BLOCKED,
  CHALLENGED,
  CLEAN,
  caddy,
  changed,
  haproxy,
  nginx,
  openProxyLab,
  type ProxyLab,
  portOf,
  type Start,
} from "./gate-proxies.ts";
import { until } from "./service.ts";

let lab: ProxyLab;
beforeAll(async () => {
  lab = await openProxyLab();
});
afterAll(() => lab?.close());

const startProxy: ProxyLab["startProxy"] = (...args) => lab.startProxy(...args);

const visit = (port: number, from: string) =>
  askServer({
    port,
    path: "/shop?ip=8.8.8.8&policy=default",
    from,
    headers: {
      ...{ "x-real-ip": "8.8.8.8", "x-forwarded-for": "8.8.8.8" },
      ...{ "x-repute-action": "forged", "x-repute-score": "forged", "x-repute-data-age": "forged" },
      ...{ x_repute_action: "forged" },
    },
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

/** The lines for a balancer before the proxy, which is at 127.0.0.1. */
const BEHIND: Readonly<Record<string, Start>> = {
  nginx: changed(nginx, (config) =>
    config.replaceAll(
      "auth_request /_repute;",
      "auth_request /_repute;\n set_real_ip_from 127.0.0.1; real_ip_header X-Forwarded-For;",
    ),
  ),
  haproxy: changed(haproxy, (config) =>
    config.replace(
      "  http-request set-var",
      "  http-request set-src hdr(x-forwarded-for,-1) if { src 127.0.0.1 }\n  http-request set-var",
    ),
  ),
  apache2: changed(apache, (config) =>
    config.replace(
      "RewriteEngine On",
      "RemoteIPHeader X-Forwarded-For\nRemoteIPInternalProxy 127.0.0.1\nRewriteEngine On",
    ),
  ),
  caddy: changed(caddy, (lines) =>
    lines.replace(
      "header_up X-Real-IP {remote_host}",
      "header_up -X-Real-IP\n\t\ttrusted_proxies 127.0.0.1/32",
    ),
  ),
};

const PROXIES: readonly (readonly [name: string, start: Start, closed: number])[] = [
  ["nginx", nginx, 500],
  ["haproxy", haproxy, 503],
  ["apache2", apache, 403],
  ["caddy", caddy, 502],
];

describe.each(PROXIES)("the lines for %s", (name, start, closedStatus) => {
  test.each([false, true])(
    "turn blocked visitors away, whatever they claim (fail-open: %s)",
    async (isOpen) => {
      expect(execFileSync("which", [name]).length).toBeGreaterThan(0);
      const port = await startProxy(start, lab.world.service.port, isOpen);
      const refused = await settled(port, BLOCKED, 403);
      expect(refused.status).toBe(403);
      // Which lists name a visitor is not for the visitor.
      expect(Object.keys(refused.headers).filter((key) => key.startsWith("x-repute"))).toEqual([]);
      const action = (named: string): string => `app ${named} -`;
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
    expect(text).not.toContain("forged");
    expect(heard.join("")).toContain("/api/gate");
    expect(heard.join("")).not.toMatch(/secret|c2VjcmV0/);
    await new Promise((done) => {
      silent.close(done);
      lab.stopLast(2);
    });
  });

  test("take another program on the gate's port for no gate, whatever its status", async () => {
    let status = 200;
    const other = createServer((_, response) => response.writeHead(status).end("<h1>It works</h1>"));
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const [closed, open] = [
      await startProxy(start, portOf(other), false),
      await startProxy(start, portOf(other), true),
    ];
    for (status of [200, 201, 204, 302, 404, 500]) {
      const { status: got, text } = await visit(closed, CLEAN);
      expect([status, got >= 400, text.startsWith("app ")]).toEqual([status, true, false]);
      expect((await visit(open, CLEAN)).text).toMatch(/^app (unknown|-) -$/);
    }
    other.closeAllConnections();
    await new Promise((done) => other.close(done));
  });

  test("judge visitors over IPv6, and those behind a balancer by the last address that it names", async () => {
    const gatePort = lab.world.service.port;
    const direct = await startProxy(start, gatePort, false);
    const over = await fetch(`http://[::1]:${direct}/`);
    expect([over.status, await over.text()]).toEqual([403, expect.not.stringMatching(/^app/)]);
    const behind = await startProxy(BEHIND[name] ?? start, gatePort, false);
    const by = (forwarded: string[]) =>
      askServer({ port: behind, path: "/", headers: { "x-forwarded-for": forwarded } });
    await until(async () => (await by([CLEAN])).status === 200);
    for (const forwarded of [[BLOCKED], [`8.8.8.8, ${BLOCKED}`], ["8.8.8.8", BLOCKED]])
      expect([forwarded, (await by(forwarded)).status]).toEqual([forwarded, 403]);
    for (const forwarded of [[`${BLOCKED}, ${CLEAN}`], [BLOCKED, CLEAN]])
      expect([forwarded, (await by(forwarded)).status]).toEqual([forwarded, 200]);
  });

  test("hand a visitor's whole request to the application", async () => {
    const port = await startProxy(start, lab.world.service.port, false);
    const sent = { port, path: "/", method: "POST", body: " order=1", from: CLEAN };
    await until(async () => (await askServer(sent)).text === "app allow - order=1");
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
    const { accounts } = lab.world.service;
    const { text, token } = await accounts.createToken({ email: lab.world.account.email, scopes: ["gate"] });
    await accounts.revokeToken(token.id);
    const port = await startProxy(start, lab.world.service.port, true, text);
    expect((await visit(port, CLEAN)).text).toMatch(/^app /);
  });
});

test("nginx turns blocked visitors away at every location of the site", async () => {
  const start = changed(nginx, (config, { appPort }) =>
    config.replace(
      "location / {\n    proxy_set_header",
      `location /shop { proxy_pass http://127.0.0.1:${appPort}; }\n  location / {\n    proxy_set_header`,
    ),
  );
  for (const isOpen of [false, true]) {
    const port = await startProxy(start, lab.world.service.port, isOpen);
    expect([(await visit(port, BLOCKED)).status, (await visit(port, CLEAN)).status]).toEqual([403, 200]);
  }
});

test("Apache turns visitors away where the program of its map ended", async () => {
  const start: Start = (place) => {
    const command = apache(place);
    writeFileSync(join(place.folder, "repute-gate"), "#!/bin/sh\nread -r _\n", { mode: 0o755 });
    return command;
  };
  const port = await startProxy(start, await freePort(), false);
  for (let i = 0; i < 3; i++) expect((await visit(port, CLEAN)).status).toBe(403);
});

test("Caddy sends the visitor's query where its uri has none, and the slash has it passed over", async () => {
  const start = changed(caddy, (lines) => lines.replace("/api/gate?policy=edge", "/api/gate/"));
  const port = await startProxy(start, lab.world.service.port, false);
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
      const service = connect(lab.world.service.port, "127.0.0.1").on("error", () => undefined);
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
  expect(new Set(visits.map(({ text }) => text))).toEqual(new Set(["app unknown -"]));
  expect(gate.asked()).toBeLessThan(20);
  gate.goBack();
  await until(async () => (await visit(port, BLOCKED)).status === 403);
  gate.close();
});

const SPEAK: Readonly<Record<string, Start>> = {
  nginx: changed(nginx, (config) =>
    config
      .replace(/listen 127\.0\.0\.1:(\d+);\n {2}listen \[/, "listen 127.0.0.1:$1 proxy_protocol;\n  listen [")
      .replaceAll(
        "auth_request /_repute;",
        "auth_request /_repute;\n set_real_ip_from 127.0.0.1; real_ip_header proxy_protocol;",
      ),
  ),
  haproxy: changed(haproxy, (config) => config.replace(/bind 127\.0\.0\.1:\d+/, "$& accept-proxy")),
  apache2: changed(apache, (config) =>
    config.replace("RewriteEngine On", "RemoteIPProxyProtocol On\nRewriteEngine On"),
  ),
};

test.each(Object.entries(SPEAK))("%s judges the visitor that the PROXY protocol names", async (_, start) => {
  const port = await startProxy(start, lab.world.service.port, false);
  const said = (from: string): Promise<string> =>
    new Promise((resolve) => {
      let text = "";
      const socket = connect(port, "127.0.0.1").on("data", (piece) => {
        text += String(piece);
      });
      socket.on("error", () => undefined).on("close", () => resolve(text.split("\r\n")[0] ?? ""));
      const family = from.includes(":") ? `TCP6 ${from} ::1` : `TCP4 ${from} 127.0.0.1`;
      const forwarded = `X-Forwarded-For: ${CLEAN}`;
      socket.write(
        `PROXY ${family} 1 80\r\nGET / HTTP/1.1\r\nHost: a\r\n${forwarded}\r\nConnection: close\r\n\r\n`,
      );
    });
  await until(async () => (await said(CLEAN)).includes(" 200 "));
  for (const from of [BLOCKED, "::1"]) expect(await said(from)).toContain(" 403 ");
});
