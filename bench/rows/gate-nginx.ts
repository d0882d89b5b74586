import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../src/base/clock.ts";
import { canConnect } from "../../test/servers/can-connect.ts";
import { freePort } from "../../test/servers/free-port.ts";
import type { Laboratory } from "../laboratory.ts";
import { runRound, startLoad } from "../load/driver.ts";
import type { LoadOrder } from "../load/words.ts";
import type { Started } from "../processes.ts";
import type { Row } from "../row.ts";
import { interleave, median } from "../statistics.ts";
import { startPlain } from "./check-ip.ts";
import { decided, openGate, visitorsOf } from "./gate.ts";

const PER_SECOND = 2000;
const CONNECTIONS = 64;

/** What the gate adds to a page behind nginx, against a gate that only lets everybody in. */
export const gateNginxRow: Row = {
  name: "gate-nginx",
  measure: async (laboratory) => {
    if (!hasNginx()) {
      laboratory.say("nginx is not installed: gate-nginx is left out");
      return {};
    }
    const { cpus, quick, say } = laboratory;
    const { world, service, token } = await openGate(laboratory);
    const load = startLoad(cpus.load);
    const others: Started[] = [];
    let nginx: Nginx | null = null;
    try {
      const bare = await startPlain("bare.ts", [], cpus.server, others);
      nginx = await startNginx(laboratory, { gate: service.port, bare: bare.port, token });
      const order: Omit<LoadOrder, "path" | "until"> = {
        ...{ port: nginx.port, connections: CONNECTIONS, keys: [""], query: true },
        ...{ bodies: visitorsOf(world.bodies), perSecond: PER_SECOND, isPatient: true },
      };
      say("Asking for a page behind nginx, 2,000 times a second");
      const until = { ms: quick ? 2000 : 6000 };
      const round = (path: string, { server } = service) =>
        decided(runRound(load, server, { ...order, path, until }));
      const asked = { gate: () => round("/gate?ip="), bare: () => round("/bare?ip=", bare) };
      await asked.gate();
      await asked.bare();
      const { gate = [], bare: bares = [] } = await interleave(quick ? 3 : 9, asked);
      const [gateMs, bareMs] = [gate, bares].map((rounds) => median(rounds.map(({ p99Ms }) => p99Ms)));
      return {
        nginx_p99_added_ms: median(gate.map(({ p99Ms }, i) => p99Ms - (bares[i]?.p99Ms ?? Number.NaN))),
        nginx_p99_ms: gateMs ?? Number.NaN,
        nginx_bare_p99_ms: bareMs ?? Number.NaN,
      };
    } finally {
      nginx?.process.kill("SIGTERM");
      await Promise.all([service.server, load, ...others].map((each) => each.stop()));
    }
  },
};

function hasNginx(): boolean {
  try {
    execFileSync("nginx", ["-v"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

type Nginx = { readonly port: number; readonly process: ChildProcess };
type Gates = { readonly gate: number; readonly bare: number; readonly token: string };

/** The same page twice, as the lines of docs/consumers/nginx.md guard it: by the gate, and by the bare one. */
async function startNginx({ dir, cpus }: Laboratory, { gate, bare, token }: Gates): Promise<Nginx> {
  const home = join(dir, "nginx");
  mkdirSync(join(home, "pages"), { recursive: true });
  for (const name of ["gate", "bare"]) writeFileSync(join(home, "pages", name), "A page.\n");
  const port = await freePort();
  const guarded = (name: string) => `
    location = /${name} { set $visitor $arg_ip; auth_request /_${name}; root ${home}/pages; }
    location = /_${name} { internal; proxy_pass http://${name}/api/gate?ip=$visitor; proxy_http_version 1.1;
      proxy_set_header Connection ""; proxy_set_header X-API-Key ${token};
      proxy_pass_request_body off; proxy_set_header Content-Length ""; }`;
  const upstream = (name: string, to: number) =>
    `upstream ${name} { server 127.0.0.1:${to}; keepalive ${CONNECTIONS}; keepalive_requests 100000000; }`;
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (one) => `${one}_temp_path ${home}/${one};`,
  );
  const config = join(home, "nginx.conf");
  writeFileSync(
    config,
    `daemon off; master_process off; pid ${home}/pid; error_log stderr;
    events {} http { access_log off; keepalive_requests 100000000; ${paths.join(" ")}
    ${upstream("gate", gate)} ${upstream("bare", bare)}
    server { listen 127.0.0.1:${port}; ${guarded("gate")} ${guarded("bare")} } }`,
  );
  const command = ["nginx", "-p", home, "-c", config];
  if (cpus.server !== null) command.unshift("taskset", "-c", String(cpus.server));
  const [file = "", ...args] = command;
  const process = spawn(file, args, { stdio: ["ignore", "ignore", "inherit"] });
  while (!(await canConnect(port))) {
    if (process.exitCode !== null) throw new Error("nginx ended before it listened");
    await systemClock.sleep(20);
  }
  return { port, process };
}
