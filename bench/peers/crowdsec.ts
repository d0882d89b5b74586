import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { freePort } from "../../chaos/linux.ts";
import { type Peer, startProgram } from "./peer.ts";

/** Where CrowdSec's two programs are: below the folder that its package was unpacked into, or the system's root. */
export const crowdsecPrograms = (root: string): string | null =>
  ["crowdsec", "cscli"].every((name) => existsSync(join(root, "usr/bin", name)))
    ? join(root, "usr/bin")
    : null;

export type CrowdsecOptions = {
  readonly root: string;
  readonly dir: string;
  readonly cpu: number | null;
  /** Addresses to decide about, and those to ask for. */
  readonly decisions: readonly string[];
  readonly addresses: readonly string[];
};

/** CrowdSec's local API over its SQLite with so many decisions, asked as its bouncers ask. */
export async function startCrowdsec({
  root,
  dir,
  cpu,
  decisions,
  addresses,
}: CrowdsecOptions): Promise<Peer> {
  const programs = crowdsecPrograms(root);
  if (programs === null) throw new Error("CrowdSec is not installed");
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const config = writeConfig(root, dir, port);
  const cscli = (...args: readonly string[]) =>
    execFileSync(join(programs, "cscli"), ["-c", config, ...args], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
  cscli("machines", "add", "bench", "--auto", "-f", join(dir, "machine.yaml"), "--url", url);
  const key = cscli("bouncers", "add", "bench", "-o", "raw").trim();
  const command = [join(programs, "crowdsec"), "-c", config, "-no-cs"];
  const program = await startProgram(command, { cpu, url: `${url}/health`, cwd: dir });
  const file = join(dir, "decisions.csv");
  writeFileSync(file, `duration,scope,value\n${decisions.map((value) => `24h,ip,${value}`).join("\n")}\n`);
  cscli("decisions", "import", "-i", file);
  const known = await fetch(`${url}/v1/decisions?ip=${decisions[0]}`, { headers: { "X-Api-Key": key } });
  if (!(await known.text()).includes('"ban"')) throw new Error("CrowdSec does not know its decisions");
  return {
    name: "CrowdSec local API",
    does: `key check, a query over ${decisions.length.toLocaleString("en")} decisions in SQLite, small answer`,
    port,
    order: { path: "/v1/decisions?ip=", keys: [key], bodies: addresses, query: true },
    ...program,
  };
}

function writeConfig(root: string, dir: string, port: number): string {
  for (const name of ["data", "hub"]) mkdirSync(join(dir, name), { recursive: true });
  for (const name of ["profiles.yaml", "simulation.yaml"])
    cpSync(join(root, "etc/crowdsec", name), join(dir, name));
  for (const name of ["acquis.yaml", "machine.yaml"]) writeFileSync(join(dir, name), "");
  writeFileSync(join(dir, "hub/.index.json"), "{}");
  const file = join(dir, "config.yaml");
  const config = {
    common: { daemonize: false, log_media: "stdout", log_level: "error", working_dir: dir },
    config_paths: {
      config_dir: dir,
      data_dir: join(dir, "data"),
      hub_dir: join(dir, "hub"),
      index_path: join(dir, "hub/.index.json"),
      simulation_path: join(dir, "simulation.yaml"),
    },
    crowdsec_service: { enable: false, acquisition_path: join(dir, "acquis.yaml"), parser_routines: 1 },
    cscli: { output: "human" },
    db_config: { type: "sqlite", db_path: join(dir, "data/crowdsec.db"), use_wal: true, log_level: "error" },
    api: {
      client: { credentials_path: join(dir, "machine.yaml") },
      server: {
        log_level: "error",
        listen_uri: `127.0.0.1:${port}`,
        profiles_path: join(dir, "profiles.yaml"),
      },
    },
    prometheus: { enabled: false },
  };
  writeFileSync(file, stringify(config));
  return file;
}
