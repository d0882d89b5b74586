import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTestWorld, type TestLists, type TestWorld } from "../src/exports/test-world.ts";

const FOLDERS = ["/usr/sbin", "/sbin", "/usr/bin", "/bin", "/usr/local/sbin", "/usr/local/bin"];

/** Where a consumer's program is; null: it is not installed. */
export const programOf = (name: string): string | null =>
  FOLDERS.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null;

/** Those of the programs that are not installed: what a test that is skipped for them says. */
export const missing = (...names: readonly string[]): readonly string[] =>
  names.filter((name) => programOf(name) === null);

export type Ran = { readonly status: number | null; readonly stdout: string; readonly stderr: string };

/** Runs a consumer's program to its end. */
export function run(command: string, args: readonly string[], input?: string): Ran {
  const path = process.env["PATH"] ?? "";
  const { status, stdout, stderr, error } = spawnSync(programOf(command) ?? command, [...args], {
    input,
    encoding: "utf8",
    maxBuffer: 1 << 28,
    env: { ...process.env, PATH: `${path}:${FOLDERS.join(":")}` },
  });
  if (error !== undefined) throw error;
  return { status, stdout, stderr };
}

/** Runs a shell script in a network of its own, where the kernel's tables are empty and not shared. */
export const runApart = (script: string): Ran => run("unshare", ["-n", "sh", "-ec", script]);

/** Whether this user may make networks and change their tables. */
export const mayUnshare = (): boolean => run("unshare", ["-n", "true"]).status === 0;

/** Lists with both families, networks inside each other, neighbours, and allowed islands. */
export const CONSUMER_LISTS: TestLists = {
  block: {
    nets: {
      lines: ["45.10.0.0/16", "45.10.5.0/24", "45.11.0.0/16", "45.64.0.0/22", "2a01:5::/32", "2a01:5:1::/48"],
    },
    hosts: {
      lines: ["45.10.5.7", "45.9.255.255", "45.20.0.2", "45.20.0.3", "2a01:6::1", "2a01:7:0:1::/64"],
      category: "abuse",
    },
    names: {
      lines: [
        "evil.example.com",
        "worse.example.net",
        "bad.example.org",
        "co.uk",
        `${"a".repeat(63)}.${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(40)}.net`,
      ],
      target: "domain",
      category: "malware",
    },
    pages: { lines: ["https://host.example.org/bad/page?x=1"], target: "url", category: "phishing" },
    boxes: { lines: ["bob@evil.example.com"], target: "email", category: "spam" },
  },
  allow: {
    ours: { lines: ["45.64.1.0/24", "45.10.200.9", "2a01:5:2::/48"] },
    fine: { lines: ["good.evil.example.com"], target: "domain" },
  },
};

/** A world with one export of each target, built of `CONSUMER_LISTS`. */
export async function consumerWorld(): Promise<TestWorld> {
  const world = createTestWorld([
    { name: "edge" },
    { name: "names", target: "domain", min_score: 40 },
    { name: "pages", target: "url", min_score: 40 },
    { name: "boxes", target: "email", min_score: 40 },
  ]);
  await world.make(CONSUMER_LISTS);
  return world;
}

/** Writes a body of an export into the world's folder; returns its path. */
export function writeBodyFile(
  world: TestWorld,
  file: string,
  query: Readonly<Record<string, string>> = {},
): string {
  const path = join(world.dir, file);
  writeFileSync(path, world.body(file, query), { mode: 0o644 });
  return path;
}
