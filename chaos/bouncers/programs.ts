import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { atExit } from "../linux.ts";

/** One of CrowdSec's bouncers, as Debian ships it. */
export type Bouncer = {
  readonly name: string;
  readonly start: () => void;
  readonly kill: () => Promise<void>;
  /** The values that it enforces now. */
  readonly holds: () => ReadonlySet<string>;
  /** What it wrote. */
  readonly written: () => string;
};

type Place = { readonly dir: string; readonly apiUrl: string; readonly token: string };

const common = ({ dir, apiUrl, token }: Place) => ({
  ...{ api_url: apiUrl, api_key: token, update_frequency: "500ms", daemonize: false },
  ...{ log_mode: "stdout", log_level: "info", pid_dir: dir, piddir: dir, prometheus: { enabled: false } },
});

/** Its sets are the kernel's, of the network namespace that this process is in. */
export const firewallBouncer = (place: Place): Bouncer =>
  createBouncer("crowdsec-firewall-bouncer", place, {
    config: {
      ...common(place),
      ...{ mode: "nftables", disable_ipv6: false, deny_action: "DROP", supported_decisions_types: ["ban"] },
      ...{ blacklists_ipv4: "crowdsec-blacklists", blacklists_ipv6: "crowdsec6-blacklists" },
      nftables: {
        ipv4: { enabled: true, "set-only": false, table: "crowdsec", chain: "crowdsec-chain" },
        ipv6: { enabled: true, "set-only": false, table: "crowdsec6", chain: "crowdsec6-chain" },
      },
    },
    holds: () =>
      new Set([
        ...setOf("ip", "crowdsec", "crowdsec-blacklists"),
        ...setOf("ip6", "crowdsec6", "crowdsec6-blacklists"),
      ]),
  });

/** Its record is what it wrote to the standard input of a program, one decision a line. */
export function customBouncer(place: Place): Bouncer {
  const record = join(place.dir, "record");
  const program = join(place.dir, "record.sh");
  writeFileSync(program, `#!/bin/sh\nexec cat >>'${record}'\n`);
  chmodSync(program, 0o755);
  return createBouncer("crowdsec-custom-bouncer", place, {
    config: {
      ...common(place),
      ...{ bin_path: program, feed_via_stdin: true, total_retries: 0, cache_retention_duration: "1s" },
    },
    holds: () => recorded(record),
    // A record begins with the program that keeps it.
    onStart: () => writeFileSync(record, ""),
  });
}

type Kind = {
  readonly config: object;
  readonly holds: () => ReadonlySet<string>;
  readonly onStart?: () => void;
};

function createBouncer(name: string, { dir }: Place, { config, holds, onStart }: Kind): Bouncer {
  const file = join(dir, `${name}.yaml`);
  writeFileSync(file, stringify(config));
  let child: ChildProcess | null = null;
  let gone: Promise<unknown> = Promise.resolve();
  let written = "";
  atExit(() => child?.kill("SIGKILL"));
  return {
    name,
    holds,
    written: () => written,
    start: () => {
      onStart?.();
      const started = spawn(name, ["-c", file], { stdio: ["ignore", "pipe", "pipe"] });
      child = started;
      gone = new Promise((resolve) => started.once("exit", resolve));
      for (const stream of [started.stdout, started.stderr]) {
        stream.on("data", (text) => {
          written = (written + text).slice(-20_000);
        });
      }
    },
    kill: async () => {
      child?.kill("SIGKILL");
      await gone;
    },
  };
}

/** Elements of a set of the kernel; none where there is no such set. */
function setOf(family: string, table: string, set: string): readonly string[] {
  let text: string;
  try {
    text = execFileSync("nft", ["-j", "list", "set", family, table, set], {
      encoding: "utf8",
      maxBuffer: 1 << 28,
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch {
    return [];
  }
  return [...text.matchAll(/"val": "([0-9a-f.:]+)"/g)].map(([, value = ""]) => value);
}

function recorded(file: string): ReadonlySet<string> {
  const values = new Set<string>();
  if (!existsSync(file)) return values;
  for (const line of readFileSync(file, "utf8").split("\n")) {
    const value = /"value":"([^"]+)"/.exec(line)?.[1];
    if (value === undefined) continue;
    if (line.includes('"action":"add"')) values.add(value);
    else values.delete(value);
  }
  return values;
}
