import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  f64Section,
  i16Section,
  readSnapshot,
  readSnapshotAside,
  readSnapshotOrReason,
  type Sections,
  u8Section,
  u16Section,
  u32Section,
  uintSection,
  writeSnapshot,
} from "./snapshot.ts";

const wanted = { kind: "trial", version: 3 };
const sections: Sections = {
  bytes: Uint8Array.of(1, 2, 3),
  empty: new Uint32Array(),
  shorts: Uint16Array.of(65535, 7),
  words: Uint32Array.of(4294967295, 1, 0),
  signed: Int16Array.of(-32768, 5),
  doubles: Float64Array.of(0.1, -1e300),
  part: new Uint8Array([9, 8, 7, 6]).subarray(1, 3),
};

let folder = "";
let path = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "repute-snapshot-"));
  path = join(folder, "trial.snapshot");
});
afterAll(() => rmSync(folder, { recursive: true }));

const write = () =>
  writeSnapshot(path, { ...wanted, fingerprint: "abc", meta: { of: ["ü", null] }, sections });

const reasonOf = (at = path) => {
  const reading = readSnapshotOrReason(at, wanted);
  return reading.state === "read" ? "read" : reading.reason;
};

describe("snapshot", () => {
  test("readSnapshot() gives back what writeSnapshot() wrote, as views on one buffer", async () => {
    const bytes = await write();
    const snapshot = readSnapshot(path, wanted);
    expect(snapshot).toMatchObject({ fingerprint: "abc", meta: { of: ["ü", null] }, bytes });
    expect(snapshot?.sections).toEqual(sections);
    const buffers = Object.values(snapshot?.sections ?? {}).map((section) => section.buffer);
    expect(new Set(buffers).size).toBe(1);
    expect(statSync(path).size).toBe(bytes);
    expect(await readSnapshotAside(path, wanted)).toEqual(snapshot);
  });

  test("readSnapshotAside() lets the process go on between pieces, and checks each of them", async () => {
    const large = { large: Uint8Array.from({ length: 20_000_003 }, (_, i) => i ^ (i >> 8)) };
    await writeSnapshot(path, { ...wanted, fingerprint: "large", meta: null, sections: large });
    let turns = 0;
    let isOver = false;
    const count = (): void => {
      turns++;
      if (!isOver) setImmediate(count);
    };
    count();
    const snapshot = await readSnapshotAside(path, wanted);
    isOver = true;
    const read = snapshot?.sections["large"] ?? new Uint8Array();
    expect(large.large.every((byte, i) => byte === read[i])).toBe(true);
    expect(turns).toBeGreaterThan(15);
    for (const at of [1 << 20, (1 << 20) - 1, 7_000_000]) {
      flip(at);
      expect(await readSnapshotAside(path, wanted), `byte ${at}`).toBeNull();
      flip(at);
    }
    expect(await readSnapshotAside(path, wanted)).not.toBeNull();
  });

  test.skipIf(process.platform === "win32")(
    "writeSnapshot() leaves one file that only its owner reads",
    async () => {
      await write();
      await write();
      expect(readdirSync(folder)).toEqual(["trial.snapshot"]);
      expect(statSync(path).mode & 0o777).toBe(0o600);
    },
  );

  test("writeSnapshot() into a folder that does not exist rejects", async () => {
    const missing = join(folder, "missing", "x");
    await expect(
      writeSnapshot(missing, { ...wanted, fingerprint: "", meta: null, sections }),
    ).rejects.toThrow("ENOENT");
  });

  test.each([
    ["absent", () => rmSync(path), "cannot be read"],
    ["empty", () => truncateSync(path, 0), "truncated or no snapshot"],
    ["cut at a multiple of eight", () => truncateSync(path, statSync(path).size - 8), "is truncated"],
    ["cut elsewhere", () => truncateSync(path, statSync(path).size - 3), "truncated"],
    ["another file", () => writeFileSync(path, "x".repeat(64)), "is not a snapshot"],
    ["of another layout", () => flip(8), "layout version"],
    ["damaged in its header", () => flip(40), "checksum"],
    ["damaged in its last section", () => flip(statSync(path).size - 8), "checksum"],
  ])("a snapshot that is %s is refused with the reason", async (_, damage, reason) => {
    await write();
    damage();
    expect(readSnapshot(path, wanted)).toBeNull();
    expect(await readSnapshotAside(path, wanted)).toBeNull();
    expect(reasonOf()).toContain(reason);
  });

  test("a flip of any single byte is refused", async () => {
    await write();
    const whole = readFileSync(path);
    for (let at = 0; at < whole.length; at++) {
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] ?? 0) ^ 0x10;
      writeFileSync(path, damaged);
      expect(reasonOf(), `byte ${at}`).not.toBe("read");
    }
  });

  test.each([[{ kind: "other", version: 3 }], [{ kind: "trial", version: 2 }]])(
    "a snapshot wanted as %j is refused",
    async (other) => {
      await write();
      expect(readSnapshotOrReason(path, other)).toMatchObject({
        state: "unusable",
        reason: expect.stringContaining('is "trial" version 3'),
      });
    },
  );

  test("a section is only given as what it is", () => {
    expect(u8Section(sections, "bytes")).toBe(sections["bytes"]);
    expect(u16Section(sections, "shorts")).toBe(sections["shorts"]);
    expect(u32Section(sections, "words")).toBe(sections["words"]);
    expect(i16Section(sections, "signed")).toBe(sections["signed"]);
    expect(f64Section(sections, "doubles")).toBe(sections["doubles"]);
    expect(uintSection(sections, "shorts")).toBe(sections["shorts"]);
    for (const read of [u8Section, u16Section, u32Section, i16Section, f64Section, uintSection]) {
      expect(() => read(sections, "none")).toThrow('section "none"');
    }
    expect(() => u8Section(sections, "words")).toThrow('no u8 section "words"');
    expect(() => uintSection(sections, "signed")).toThrow('no unsigned section "signed"');
  });
});

function flip(at: number): void {
  const file = readFileSync(path);
  file[at] = (file[at] ?? 0) ^ 1;
  writeFileSync(path, file);
}
