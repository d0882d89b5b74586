import { readdirSync, readFileSync, readlinkSync } from "node:fs";

const ESTABLISHED = "01";

/**
 * Connections to a port of 127.0.0.1 that this process, which asked, has not closed: by the kernel, which knows it before a busy
 * server does. While another thread starts a program, the fork holds open for a moment what is closed here, so the table alone
 * counts too many: this process's own descriptors decide. Linux alone. Source: proc(5), /proc/net/tcp and /proc/self/fd.
 */
export const openConnectionsTo = (port: number): number => {
  const rows = readFileSync("/proc/net/tcp", "latin1")
    .split("\n")
    .map((row) => row.trim().split(/\s+/))
    .filter(([, , remote = "", state]) => state === ESTABLISHED && portOf(remote) === port);
  const own = openFiles();
  return rows.filter(([, , , , , , , , , inode = ""]) => own.has(`socket:[${inode}]`)).length;
};

/** `0100007F:1F90` to 8080. */
const portOf = (address: string): number => Number.parseInt(address.split(":")[1] ?? "", 16);

/** What the descriptors of this process lead to, one name each; two may lead to one thing. */
function openFiles(): ReadonlySet<string> {
  const found = new Set<string>();
  for (const descriptor of readdirSync("/proc/self/fd")) {
    try {
      found.add(readlinkSync(`/proc/self/fd/${descriptor}`));
    } catch {
      // Closed since the folder was read.
    }
  }
  return found;
}
