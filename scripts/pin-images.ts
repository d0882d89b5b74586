import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/*
 * Pins the images of Containerfile and compose.yaml by digest: `node scripts/pin-images.ts` asks the registries through
 * Docker what each tag is now, and writes `image:tag@sha256:…`. With `--check` it sends no request and changes nothing, and
 * fails where a digest is missing.
 */

const FILES = ["Containerfile", "compose.yaml"];

/** An image with a tag, and perhaps a digest, after FROM or `image:`. An image without a tag is one that is built here. */
const IMAGE = /^(FROM |\s*image: )([\w./-]+:[\w.-]+)(@sha256:[0-9a-f]{64})?(?=\s|$)/gm;

/** The images that a file names by a tag, without their digests. */
export const imagesOf = (text: string): { readonly image: string; readonly isPinned: boolean }[] =>
  [...text.matchAll(IMAGE)].map(([, , image = "", digest]) => ({ image, isPinned: digest !== undefined }));

/** A file with each image pinned to its digest (`sha256:…`), also where it had another one. */
export const pinImages = (text: string, digestOf: (image: string) => string): string =>
  text.replace(
    IMAGE,
    (_, before: string, image: string) => `${before}${image}@${assertDigest(image, digestOf(image))}`,
  );

function assertDigest(image: string, digest: string): string {
  if (/^sha256:[0-9a-f]{64}$/.test(digest)) return digest;
  throw new Error(`Docker names no digest of ${image}: "${digest.slice(0, 200)}"`);
}

const askDocker = (image: string): string =>
  execFileSync("docker", ["buildx", "imagetools", "inspect", image, "--format", "{{.Manifest.Digest}}"], {
    encoding: "utf8",
  }).trim();

function pinFiles(root: string): void {
  const known = new Map<string, string>();
  const digestOf = (image: string): string => {
    const digest = known.get(image) ?? askDocker(image);
    known.set(image, digest);
    return digest;
  };
  for (const file of FILES) {
    const path = join(root, file);
    writeFileSync(path, pinImages(readFileSync(path, "utf8"), digestOf));
  }
  for (const [image, digest] of known) console.log(`${image}@${digest}`);
}

function checkFiles(root: string): void {
  for (const file of FILES) {
    for (const { image, isPinned } of imagesOf(readFileSync(join(root, file), "utf8"))) {
      console.log(`${file}: ${image} ${isPinned ? "is pinned" : "has no digest"}`);
      if (!isPinned) process.exitCode = 1;
    }
  }
}

if (import.meta.main) {
  const root = fileURLToPath(new URL("..", import.meta.url));
  if (process.argv.includes("--check")) checkFiles(root);
  else pinFiles(root);
}
