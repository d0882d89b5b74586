import { messageOf } from "../base/caught.ts";
import { certificateAdvice } from "./certificate-advice.ts";

const PER_PROCESS = "limits are per process meanwhile";

const OF_SERVER =
  "Check VALKEY_URL, rediss:// where the server speaks TLS and redis:// elsewhere, and that the server runs";

/** By what the server says of a command that it refuses. */
const REFUSALS: readonly (readonly [words: readonly string[], advice: string])[] = [
  [
    ["permission", "can't run this"],
    "Give its user ~repute:* +@scripting +@sortedset +pexpire +time +info, and +select where VALKEY_URL names a database",
  ],
  [["WRONGPASS", "NOAUTH"], "Check the user and the password in VALKEY_URL: redis://USER:PASSWORD@HOST:PORT"],
  [
    ["unknown command", "Unknown Redis command"],
    "Take rename-command out of its configuration for what limits need (EVAL, EVALSHA, TIME, PEXPIRE and those of sorted sets): a user of its own with few permissions does the same for Repute",
  ],
  [["OOM "], "Raise its maxmemory, or give Repute a server of its own: it takes no writes"],
  [["MISCONF"], "Free space on its disk, or turn its snapshots off: Repute needs none of them"],
  [["READONLY"], "Name the primary server in VALKEY_URL: a replica takes no writes"],
];

/** What to do about a fault of Valkey or Redis. */
export function valkeyAdvice(error: unknown): string {
  const fault = messageOf(error);
  const refusal = REFUSALS.find(([words]) => words.some((word) => fault.includes(word)));
  const ofCertificate = certificateAdvice(error, "VALKEY_URL", "name its authority in fetch.ca_file");
  return `${refusal?.[1] ?? ofCertificate ?? OF_SERVER}: ${PER_PROCESS}`;
}
