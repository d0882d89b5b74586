import { type ChildProcess, spawn } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { createDaemons } from "./consumer-daemons.ts";
import { type ConsumerMachine, openConsumerMachine } from "./consumer-shell.ts";
import { mayUnshare, missing, programOf } from "./consumers.ts";
import { until } from "./service.ts";

// The lines of docs/bouncers.md, beside the configuration that Debian's packages bring.

const PACKAGED = "/etc/crowdsec/bouncers/crowdsec-firewall-bouncer.yaml";
const UNIT = "/lib/systemd/system/crowdsec-firewall-bouncer.service";

let machine: ConsumerMachine;
let network: ChildProcess | null = null;
const daemons = createDaemons();
beforeAll(async () => {
  machine = await openConsumerMachine();
}, 900_000);
afterAll(async () => {
  daemons.stop();
  network?.kill("SIGKILL");
  await machine?.close();
});

test("the line for the units waits until Repute is ready", async () => {
  const lines = await machine.pasted("bouncer-unit");
  const [, command = ""] = /^ExecStartPre=\/usr\/bin\/(.*)$/m.exec(lines) ?? [];
  expect(await machine.sh(command)).toEqual({ status: 0, stdout: "", stderr: "" });
  const away = command.replace(machine.service.address, "http://127.0.0.1:1");
  expect((await machine.sh(away)).status).toBe(7);
  expect(lines).toMatch(/^Restart=always$/m);
});

test.skipIf(missing("systemd-analyze", "crowdsec-firewall-bouncer").length > 0)(
  "systemd accepts the lines beside Debian's unit (else skipped)",
  async () => {
    const units = machine.folder("units");
    const name = "crowdsec-firewall-bouncer.service";
    copyFileSync(UNIT, join(units, name));
    writeFileSync(
      join(machine.folder(`units/${name}.d`), "repute.conf"),
      await machine.pasted("bouncer-unit"),
    );
    const checked = await machine.sh(`systemd-analyze verify ${units}/${name} 2>&1 || true`);
    expect(checked.stdout.split("\n").filter((line) => line.includes("crowdsec"))).toEqual([]);
  },
);

test.skipIf(missing("crowdsec-firewall-bouncer", "ipset", "iptables", "nsenter").length > 0 || !mayUnshare())(
  "the lines for networks make sets and rules that hold them whole (else skipped)",
  async () => {
    network = spawn("unshare", ["-n", "sleep", "3600"], { stdio: "ignore" });
    for (const name of ["ipset", "iptables", "ip6tables"]) {
      machine.shim(name, `exec nsenter -t ${network.pid} -n ${programOf(name)} "$@"`);
    }
    const dir = machine.folder("bouncer");
    const file = join(dir, "bouncer.yaml");
    const own = readFileSync(PACKAGED, "utf8")
      .replaceAll(/\/var\/(run|log)\//g, `${dir}/`)
      .replace(/^( {2}enabled: )true(\n {2}listen_addr)/m, "$1false$2");
    writeFileSync(file, own);
    const lines = await machine.pasted("bouncer-networks");
    // By nftables it would speak to the kernel itself, in the network of this machine.
    expect(Object(parse(lines)).mode).not.toBe("nftables");
    writeFileSync(`${file}.local`, lines);
    const started = daemons.start("sh", [
      "-c",
      `PATH=${machine.folder("bin")}:/usr/sbin:/usr/bin:/sbin:/bin exec crowdsec-firewall-bouncer -c ${file}`,
    ]);
    const listed = async () => (await machine.sh("ipset list crowdsec-blacklists 2>&1 || true")).stdout;
    await until(async () => (await listed()).includes("45.64.2.0/23"));
    const rules = await machine.sh("iptables -S INPUT");
    expect(rules.stdout, started.said()).toContain("--match-set crowdsec-blacklists src -j DROP");
  },
);
