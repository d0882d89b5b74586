import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../chaos/linux.ts";
import { linesOf } from "./consumer-lines.ts";
import { type GateWorld, startGateWorld } from "./gate-world.ts";
import { canConnect } from "./servers/can-connect.ts";
import { until } from "./service.ts";

// The lines of docs/consumers/, pasted into Debian's proxies. Visitors come from loopback addresses that an own list names.

export const BLOCKED = "127.0.45.45";
export const CHALLENGED = "127.0.46.7";
export const CLEAN = "127.0.99.1";

/** Where one proxy stands. */
type Place = {
  readonly folder: string;
  readonly port: number;
  readonly appPort: number;
  readonly isOpen: boolean;
  /** Where the lines name Repute, the application, the port and the token, those of this test. */
  readonly paste: (lines: string) => string;
};

type Command = readonly [command: string, ...args: string[]];
export type Start = (place: Place) => Command;

export type ProxyLab = {
  readonly world: GateWorld;
  readonly appPort: number;
  /** Starts a proxy whose gate is at a port, and waits until it listens; gives its own port. */
  readonly startProxy: (start: Start, gatePort: number, isOpen: boolean, token?: string) => Promise<number>;
  readonly stopLast: (count: number) => void;
  readonly close: () => Promise<void>;
};

export const portOf = (server: { address: () => AddressInfo | string | null }): number => {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
};

/** A service that lists visitors of loopback: private addresses, which only an own list names. */
async function startVisitorsWorld(folder: string): Promise<GateWorld> {
  const listed = (key: string, category: string, networks: string) => {
    writeFileSync(join(folder, key), `${networks}\n`);
    const common = { target: "ip", format: "netset", confidence: "high" };
    return { ...common, key, category, url: `file://${join(folder, key)}` };
  };
  return await startGateWorld({
    file: {
      engines: {
        builtin: false,
        feeds: [
          listed("own_c2", "c2", `${BLOCKED}/32\n::1/128`),
          listed("own_attack", "attack", `${CHALLENGED}/32`),
        ],
      },
      allowlists: [],
      server: { trust_proxy: ["127.0.0.1/32"] },
    },
  });
}

/** Says which action and key it was told, whether anything forged came to it, and what was sent to it. */
const openApp = () =>
  createServer((request, response) => {
    const forged = request.rawHeaders.includes("forged") ? " forged" : "";
    let body = "";
    request.setEncoding("utf8").on("data", (piece: string) => {
      body += piece;
    });
    const { "x-repute-action": action = "-", "x-api-key": key = "-" } = request.headers;
    request.on("end", () => response.end(`app ${[action].flat().join()} ${key}${forged}${body}`));
  });

export async function openProxyLab(): Promise<ProxyLab> {
  const folder = mkdtempSync(join(tmpdir(), "repute-proxies-"));
  const world = await startVisitorsWorld(folder);
  const app = openApp();
  await new Promise<void>((resolve) => app.listen(0, "127.0.0.1", resolve));
  const appPort = portOf(app);
  const running: ChildProcess[] = [];
  const stopLast = (count: number): void => {
    for (const child of running.splice(-count)) child.kill("SIGTERM");
  };
  const startProxy: ProxyLab["startProxy"] = async (start, gatePort, isOpen, token = world.token) => {
    const [port, innerPort] = [await freePort(), await freePort()];
    const home = join(folder, String(port));
    mkdirSync(home);
    const paste = (lines: string): string =>
      lines
        .replaceAll("127.0.0.1:8080", `127.0.0.1:${gatePort}`)
        .replaceAll('"127.0.0.1", 8080', `"127.0.0.1", ${gatePort}`)
        .replaceAll("127.0.0.1:8079", `127.0.0.1:${innerPort}`)
        .replaceAll("127.0.0.1:3000", `127.0.0.1:${appPort}`)
        .replaceAll("listen 80;", `listen 127.0.0.1:${port};`)
        .replaceAll("listen [::]:80;", `listen [::1]:${port};`)
        .replaceAll("bind :80", `bind 127.0.0.1:${port}`)
        .replaceAll("bind :::80", `bind ::1:${port}`)
        .replaceAll("/etc/haproxy/repute.lua", join(home, "repute.lua"))
        .replaceAll("/usr/local/bin/repute-gate", join(home, "repute-gate"))
        .replaceAll("rpx_YOUR_TOKEN", token);
    const [command, ...args] = start({ folder: home, port, appPort, isOpen, paste });
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
  };
  const close = async (): Promise<void> => {
    stopLast(running.length);
    app.close();
    await world.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { world, appPort, startProxy, stopLast, close };
}

export const nginx: Start = ({ folder, isOpen, paste }) => {
  const closed = linesOf("nginx-closed");
  const at = closed.indexOf("  location = /_repute");
  const site = isOpen ? `${closed.slice(0, at)}${linesOf("nginx-open")}}\n` : closed;
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (one) => `${one}_temp_path ${folder}/${one};`,
  );
  const config = join(folder, "nginx.conf");
  writeFileSync(
    config,
    `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log;
     events {} http { access_log off; ${paths.join(" ")}\n${paste(site)} }`,
  );
  return ["nginx", "-p", folder, "-c", config];
};

export const haproxy: Start = ({ folder, isOpen, paste }) => {
  writeFileSync(join(folder, "repute.lua"), paste(linesOf("haproxy-lua")));
  const lines = linesOf("haproxy-closed");
  const config = join(folder, "haproxy.cfg");
  writeFileSync(config, paste(isOpen ? lines.replace(/^.*-m str unknown.*\n/m, "") : lines));
  return ["haproxy", "-db", "-f", config];
};

export const apache: Start = ({ folder, port, appPort, isOpen, paste }) => {
  writeFileSync(join(folder, "repute-gate"), paste(linesOf("apache-program")), { mode: 0o755 });
  const lines = linesOf("apache-closed");
  const names = ["mpm_event", "authz_core", "rewrite", "headers", "remoteip", "proxy", "proxy_http"];
  const modules = names.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`);
  const config = join(folder, "httpd.conf");
  writeFileSync(
    config,
    `ServerRoot ${folder}\nServerName localhost\nListen 127.0.0.1:${port}\nListen [::1]:${port}\nPidFile ${folder}/pid\nMutex file:${folder}
     ErrorLog ${folder}/error.log\n${modules.join("\n")}
     <VirtualHost *:${port}>\n${paste(isOpen ? lines.replace("!^(allow|challenge)$", "^block$") : lines)}
     ProxyPass / http://127.0.0.1:${appPort}/\n</VirtualHost>\n`,
  );
  return ["apache2", "-X", "-f", config];
};

export const caddy: Start = ({ folder, port, isOpen, paste }) => {
  const config = join(folder, "Caddyfile");
  const site = paste(linesOf(isOpen ? "caddy-open" : "caddy-closed")).replace("example.com {", `:${port} {`);
  writeFileSync(config, `{\n\tadmin off\n\tstorage file_system ${folder}\n}\n${site}`);
  return ["caddy", "run", "--adapter", "caddyfile", "--config", config];
};

/** A start with other text in the file that the command names last. */
export const changed =
  (start: Start, change: (config: string, place: Place) => string): Start =>
  (place) => {
    const command = start(place);
    const path = command.at(-1) ?? "";
    writeFileSync(path, change(readFileSync(path, "utf8"), place));
    return command;
  };
