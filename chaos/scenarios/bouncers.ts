import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { Ground } from "../ground.ts";
import type { Findings, Scenario } from "../scenario.ts";

const SCRIPT = fileURLToPath(new URL("../bouncers/in-namespace.ts", import.meta.url));

const outcome = z.object({
  misses: z.array(
    z.object({ turn: z.int(), fault: z.string(), bouncer: z.string(), lost: z.int(), left: z.int() }),
  ),
  cuts: z.int(),
  values: z.int(),
  written: z.array(z.string()),
});

/** Whether CrowdSec's own bouncers hold an export, whatever breaks between the service and them. */
export const bouncers: Scenario = {
  name: "bouncers",
  what: "60 generations with restarts, kills and cut answers: the kernel's sets are the export after each",
  needs: ["linux", "namespace", "bouncers"],
  run: async (ground, findings, isShort) => {
    const prepared = join(await ground.dataDir(), "snapshots");
    const generations = isShort ? 6 : 60;
    const { misses, cuts, values, written } = await inNamespace([prepared, String(generations)], ground);
    findings.figure("generations", generations);
    findings.figure("connections cut", cuts);
    findings.figure("addresses in the kernel at the end", values);
    for (const one of misses) noteMiss(one, findings);
    if (misses.length > 0) findings.figure("what they wrote", written.join("\n--\n"));
    findings.expect(cuts > 0, "answers were cut");
    findings.expect(values > 500, "the sets were not nearly empty");
  },
};

const noteMiss = (one: z.infer<typeof outcome>["misses"][number], findings: Findings): void =>
  findings.expect(
    false,
    `${one.bouncer} holds generation ${one.turn + 1} (${one.fault}): ${one.lost} lost, ${one.left} left over`,
  );

/** Runs the script where the kernel's tables are its own; resolves with what it printed. */
async function inNamespace(args: readonly string[], ground: Ground): Promise<z.infer<typeof outcome>> {
  const command = [
    "-nm",
    "sh",
    "-c",
    'ip link set lo up && exec "$0" "$@"',
    process.execPath,
    SCRIPT,
    ...args,
  ];
  const child = spawn("unshare", command, { stdio: ["ignore", "pipe", "pipe"] });
  ground.later(() => child.kill("SIGKILL"));
  let out = "";
  let said = "";
  child.stdout.on("data", (text) => {
    out += text;
  });
  child.stderr.on("data", (text) => {
    said = (said + text).slice(-4000);
    for (const line of String(text).trim().split("\n")) ground.say(line);
  });
  const status = await new Promise((resolve) => child.once("close", resolve));
  if (status !== 0) throw new Error(`The script in the namespace ended with ${status}: ${said}`);
  return outcome.parse(JSON.parse(out));
}
