import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { PROGRAM, programEnvironment } from "./cli-runner.ts";
import { putSnapshots } from "./prepared-snapshots.ts";
import { startDnsServer } from "./servers/dns-server.ts";
import { environmentOf, knowsNobody } from "./service.ts";

const SCRIPT = "/usr/bin/script";
const folder = mkdtempSync(join(tmpdir(), "repute-terminal-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** `repute serve` at a terminal of its own, until it has said `until`, and Ctrl-C; all that stood there, without colours and the key pressed. */
async function serveAtTerminal(env: Readonly<Record<string, string>>, until: RegExp) {
  const command = `exec ${process.execPath} ${PROGRAM} serve`;
  const child = spawn(SCRIPT, ["-qefc", command, "/dev/null"], { env: { ...programEnvironment(), ...env } });
  let shown = "";
  const { promise, resolve } = Promise.withResolvers<void>();
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    shown += text;
    if (until.test(shown)) resolve();
  });
  const ended = once(child, "exit");
  await Promise.race([promise, ended]);
  child.stdin.write("\u0003");
  const [status] = await ended;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours
  return { status, shown: shown.replace(/\u001b\[\d+m|\r|\^C/g, "") };
}

test.skipIf(!existsSync(SCRIPT))(
  "the first start says at a terminal what is needed in one block",
  async () => {
    const dns = await startDnsServer(knowsNobody);
    const dataDir = mkdtempSync(join(folder, "first-"));
    await putSnapshots(dataDir);
    const env = { ...environmentOf(dataDir, dns, { bootstrap: true }), LC_ALL: "C.UTF-8" };
    try {
      const { status, shown } = await serveAtTerminal(env, /─{80}/);
      expect(status).toBe(0);
      const address = /^Listening on (http:\S+)$/m.exec(shown)?.[1];
      const [before = "", rest = ""] = shown.split(/^── Repute is running ─{59}$/m);
      const [block = "", after = ""] = rest.split(/^─{80}$/m);
      const logged = (text: string) => text.split("\n").filter((line) => line.startsWith("{"));
      expect(logged(before).length).toBeGreaterThan(0);
      for (const line of logged(before + after)) expect(JSON.parse(line)).toHaveProperty("level");
      expect(before + after).not.toMatch(/rpt_|token=/);
      const key = /^API key +(rpt_\w{43})$/m.exec(block)?.[1];
      expect(block).toMatch(new RegExp(`^Address +${address}/app$`, "m"));
      expect(block).toMatch(new RegExp(`^${address}/app/reset#token=\\S+$`, "m"));
      const curl = block.slice(block.indexOf("curl -s")).replaceAll("\\\n  ", "");
      expect(curl).toContain(`curl -s ${address}/api/check-ip -H 'X-API-Key: ${key}' -H 'Content-Type:`);
      const wide = block.split("\n").filter((line) => line.length > 80 && !line.startsWith("http"));
      expect(wide).toEqual([]);

      const again = await serveAtTerminal(env, /^Listening on /m);
      expect(again.shown).not.toMatch(/rpt_|is running/);
    } finally {
      await dns.close();
    }
  },
);

test.skipIf(!existsSync(SCRIPT))("a start that is broken off shows the key all the same", async () => {
  const dns = await startDnsServer(knowsNobody);
  const dataDir = mkdtempSync(join(folder, "ended-"));
  await putSnapshots(dataDir);
  const env = { ...environmentOf(dataDir, dns, { bootstrap: true }), LC_ALL: "C" };
  try {
    const { status, shown } = await serveAtTerminal(env, /^Listening on /m);
    expect(status).toBe(0);
    expect(shown).toMatch(/^-- Repute is running -{59}$/m);
    expect(shown).toMatch(/^API key +rpt_\w{43}$/m);
  } finally {
    await dns.close();
  }
});
