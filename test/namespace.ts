import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "./source-files.ts";

/**
 * What a script of this folder printed as JSON in a network namespace of its own. The namespace has no way out; its
 * loopback interface has the given addresses beside 127.0.0.1 and ::1, and `/etc/hosts` has the given names. Needs root.
 */
export function runInNamespace(
  script: string,
  { addresses, hosts = {} }: { addresses: readonly string[]; hosts?: Readonly<Record<string, string>> },
): unknown {
  const folder = mkdtempSync(join(tmpdir(), "repute-namespace-"));
  try {
    const hostsFile = join(folder, "hosts");
    const lines = Object.entries({ localhost: "127.0.0.1", ...hosts }).map(([name, ip]) => `${ip} ${name}\n`);
    writeFileSync(hostsFile, lines.join(""));
    const commands = [
      `mount --bind '${hostsFile}' /etc/hosts`,
      "ip link set lo up",
      ...addresses.map((address) => `ip addr add ${address} dev lo`),
      'exec "$0" "$1"',
    ];
    const child = [process.execPath, join(ROOT, "test", script)];
    const options = { encoding: "utf8", timeout: 120_000 } as const;
    return JSON.parse(execFileSync("unshare", ["-nm", "sh", "-c", commands.join(" && "), ...child], options));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
