import { gzipSync, zstdCompressSync } from "node:zlib";
import fc from "fast-check";
import { zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { unpack } from "./archive.ts";

const LIST = Buffer.from("192.0.2.7\n");
const limits = { maxBytes: 100_000, member: null };

type TarEntry = {
  readonly name: string;
  readonly content: Buffer;
  readonly kind?: string;
  readonly prefix?: string;
};

/** A POSIX ustar archive. */
function tarOf(entries: readonly TarEntry[]): Buffer {
  const blocks = entries.flatMap(({ name, content, kind = "0", prefix = "" }) => {
    const header = Buffer.alloc(512);
    header.write(name, 0, 100, "latin1");
    header.write(`${content.length.toString(8).padStart(11, "0")}\0`, 124, "latin1");
    header.write(kind, 156, "latin1");
    header.write("ustar\u000000", 257, "latin1");
    header.write(prefix, 345, 155, "latin1");
    return [header, content, Buffer.alloc((512 - (content.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

const unpacked = (bytes: Uint8Array, member: string | null = null): string =>
  Buffer.from(unpack(bytes, { ...limits, member })).toString();

describe("unpack()", () => {
  test.each<[string, Uint8Array]>([
    ["a plain list", LIST],
    ["gzip", gzipSync(LIST)],
    ["two gzip members in a row", Buffer.concat([gzipSync("192.0."), gzipSync("2.7\n")])],
    ["zip", zipSync({ "a/b.txt": LIST })],
    ["zip, stored", zipSync({ "b.txt": LIST }, { level: 0 })],
    ["zip with folders", zipSync({ "a/": new Uint8Array(), "a/b.txt": LIST })],
    ["tar", tarOf([{ name: "list", content: LIST }])],
    ["tar and gzip", gzipSync(tarOf([{ name: "list", content: LIST }]))],
    [
      "tar with folders, links and extended headers",
      gzipSync(
        tarOf([
          { name: "dir/", content: Buffer.alloc(0), kind: "5" },
          { name: "pax", content: Buffer.from("30 mtime=1\n"), kind: "x" },
          { name: "dir/list", content: LIST },
          { name: "link", content: Buffer.alloc(0), kind: "2" },
        ]),
      ),
    ],
  ])("reads %s", (_what, bytes) => expect(unpacked(bytes)).toBe(LIST.toString()));

  test("takes a list out of a zip only as its checksum says it was packed", () => {
    const list = Array.from({ length: 200 }, (_, i) => `198.51.100.${i}\n`).join("");
    for (const level of [0, 6] as const) {
      const zip = Buffer.from(
        zipSync({ "note.txt": Buffer.from("x"), "l.txt": Buffer.from(list) }, { level }),
      );
      expect(unpacked(zip, "l.txt")).toBe(list);
      const checksum = zip.lastIndexOf("l.txt") - 46 + 16;
      zip.writeUInt32LE((zip.readUInt32LE(checksum) ^ 0x100) >>> 0, checksum);
      expect(unpacked(zip, "note.txt")).toBe("x");
      expect(() => unpacked(zip, "l.txt")).toThrow("checksum");
    }
  });

  test("takes no list out of a zip of which one octet was changed on its way", () => {
    const zip = zipSync({ "list.txt": Buffer.from("192.0.2.7 # one\n192.0.2.8 # two\n") }, { level: 0 });
    const start = Buffer.from(zip).indexOf("192.0.2.7");
    const place = fc.integer({ min: start, max: start + 31 });
    fc.assert(
      fc.property(place, fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const changed = Uint8Array.from(zip, (octet, i) => (i === at ? octet ^ flip : octet));
        expect(() => unpacked(changed)).toThrow("checksum");
      }),
    );
  });

  const many = { "phishing/domains": LIST, "phishing/urls": Buffer.from("x") };

  test("takes the member that is asked for, whatever its archive calls its top", () => {
    expect(unpacked(zipSync(many), "phishing/domains")).toBe(LIST.toString());
    const tar = tarOf([
      { name: "./phishing/urls", content: Buffer.from("x") },
      { name: "domains", prefix: "./phishing", content: LIST },
    ]);
    expect(unpacked(gzipSync(tar), "phishing/domains")).toBe(LIST.toString());
  });

  test.each<[string, Uint8Array, string | null, RegExp]>([
    ["several members and none asked for", zipSync(many), null, /^The archive has 2 members, not one$/],
    ["a member that is not there", zipSync(many), "other", /^The archive has no "other"$/],
    ["an empty zip", zipSync({}), null, /archive|unpacked/],
    [
      "an empty tar",
      gzipSync(tarOf([{ name: "d/", content: Buffer.alloc(0), kind: "5" }])),
      null,
      /is empty/,
    ],
    ["a gzip bomb", gzipSync(Buffer.alloc(200_000)), null, /too large when unpacked/],
    ["a zip bomb", zipSync({ a: Buffer.alloc(200_000) }), null, /too large when unpacked/],
    ["a gzip cut short", gzipSync(LIST).subarray(0, -4), null, /cannot be unpacked/],
    ["bzip2", Buffer.from("BZh91AY&SY\u0001"), null, /packed by bzip2; gzip, zip and tar can be unpacked$/],
    ["xz", Buffer.from("\u00fd7zXZ\0\0\u0004", "latin1"), null, /packed by xz;/],
    ["zstd", zstdCompressSync(LIST), null, /packed by zstd;/],
    ["7-Zip", Buffer.from("7z\u00bc\u00af\u0027\u001c", "latin1"), null, /packed by 7-Zip;/],
    ["a zip cut short", zipSync({ a: LIST }).subarray(0, -8), null, /cannot be unpacked/],
    [
      "a broken zip",
      zipSync({ a: LIST }).map((byte, i) => (i > 30 && i < 40 ? ~byte : byte)),
      null,
      /cannot be/,
    ],
    [
      "a tar cut short",
      tarOf([{ name: "a", content: Buffer.alloc(2000) }]).subarray(0, 1000),
      null,
      /cut short/,
    ],
    [
      "more members than any list needs",
      zipSync(Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [String(i), LIST]))),
      "1",
      /more than 1000 members/,
    ],
  ])("refuses %s", (_what, bytes, member, says) => {
    expect(() => unpack(bytes, { ...limits, member })).toThrow(says);
  });

  test("a member's name is never a path", () => {
    expect(unpacked(zipSync({ "../../../tmp/evil": LIST }))).toBe(LIST.toString());
    expect(unpacked(tarOf([{ name: "/etc/passwd", content: LIST }]))).toBe(LIST.toString());
  });
});
