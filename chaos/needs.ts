import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runs } from "./linux.ts";
import { postgresPrograms, valkeyProgram } from "./own-servers.ts";
import type { Need } from "./scenario.ts";

const LIBRARIES = ["x86_64-linux-gnu", "aarch64-linux-gnu"].map(
  (machine) => `/usr/lib/${machine}/faketime/libfaketimeMT.so.1`,
);

/** Debian's libfaketime; null where it is not installed. */
export const fakeTimeLibrary = (): string | null => LIBRARIES.find((path) => existsSync(path)) ?? null;

const LOOKS: Readonly<Record<Need, () => boolean>> = {
  linux: () => existsSync("/proc/self/stat"),
  postgres: () => postgresPrograms() !== null,
  valkey: () => valkeyProgram() !== null,
  faketime: () => fakeTimeLibrary() !== null,
  tmpfs: canMount,
  haproxy: () => runs("haproxy", "-v"),
  namespace: () => runs("unshare", "-nm", "ip", "link", "set", "lo", "up"),
  bouncers: () =>
    runs("crowdsec-firewall-bouncer", "-V") &&
    runs("crowdsec-custom-bouncer", "-version") &&
    runs("nft", "-v"),
};

const SENTENCES: Readonly<Record<Need, string>> = {
  linux: "there is no /proc",
  postgres: "PostgreSQL is not installed",
  valkey: "neither Valkey nor Redis is installed",
  faketime: "libfaketime is not installed",
  tmpfs: "mounting a tmpfs is refused",
  haproxy: "HAProxy is not installed",
  namespace: "a network namespace is refused, or iproute2 is not installed",
  bouncers: "crowdsec-firewall-bouncer, crowdsec-custom-bouncer or nftables is not installed",
};

/** Why a scenario cannot run here; null when it can. */
export function whyNot(needs: readonly Need[]): string | null {
  const missing = needs.find((need) => !LOOKS[need]());
  return missing === undefined ? null : SENTENCES[missing];
}

function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), "repute-mount-"));
  try {
    return runs("mount", "-t", "tmpfs", "-o", "size=64k", "none", folder) && runs("umount", folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
