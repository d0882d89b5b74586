import { readFileSync } from "node:fs";

const ESTABLISHED = "01";

/**
 * Connections to a port of 127.0.0.1 that the side which asked has not closed: by the kernel, which knows it before a busy server
 * does. Linux alone. Source: proc(5), /proc/net/tcp.
 */
export const openConnectionsTo = (port: number): number =>
  readFileSync("/proc/net/tcp", "latin1")
    .split("\n")
    .map((row) => row.trim().split(/\s+/))
    .filter(([, , remote = "", state]) => state === ESTABLISHED && portOf(remote) === port).length;

/** `0100007F:1F90` to 8080. */
const portOf = (address: string): number => Number.parseInt(address.split(":")[1] ?? "", 16);
