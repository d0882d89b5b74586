import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { type Ground, openAccounts } from "../ground.ts";
import { atExit, freePort } from "../linux.ts";
import { expectSoon } from "../looks.ts";
import { checkMoney, checkStatuses } from "../money.ts";
import type { Scenario } from "../scenario.ts";
import { ask, type OwnService } from "../services.ts";
import { beginStorm } from "../storm.ts";

const CREDITS = 100_000;
const projectFile = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** The set of compose.yaml by hand: the balancer's very file, two services with the deployment's configuration. */
export const behindBalancer: Scenario = {
  name: "behind-balancer",
  what: "the set of compose.yaml by hand: HAProxy before two services; one is stopped under load, callers do not notice",
  needs: ["linux", "postgres", "valkey", "haproxy"],
  run: async (ground, findings) => {
    const [postgres, valkey] = await Promise.all([ground.postgres(), ground.valkey()]);
    const { db, accounts } = await ground.open(postgres.url);
    const owners = await openAccounts(accounts, 4, { credits: CREDITS });
    const env = { DATABASE_URL: postgres.url, VALKEY_URL: valkey.url };
    const metricsPorts = [await freePort(), await freePort()];
    const [a, b] = [
      await ground.service({ env, file: deployedFile(metricsPorts[0] ?? 0) }),
      await ground.service({ env, file: deployedFile(metricsPorts[1] ?? 0) }),
    ];
    await Promise.all([a.start(), b.start()]);
    const port = await startBalancer(ground, a, b);
    const served = new Set<string>();
    await expectSoon(findings, "both services answer through the balancer", async () => {
      const { headers, status } = await ask(port, {
        path: "/api/check-ip",
        key: owners[0]?.key ?? "",
        body: { ip: "8.8.8.8" },
      });
      if (status === 200) served.add(String(headers["x-served-by"]));
      return served.size === 2;
    });
    findings.figure("served by", [...served].sort().join(" and "));
    for (const metricsPort of metricsPorts) {
      const { text } = await ask(metricsPort, { path: "/metrics" });
      findings.expect(text.includes("repute_limits_shared 1"), "the metrics of each can be read");
    }
    findings.expect(
      (await freeAnswers(port)) === "200,200,200,200,200,429",
      "a client's minute is one for both, whatever addresses it claims to call from",
    );
    const keys = owners.map(({ key }) => key);
    const before = await db.kysely
      .selectFrom("calls")
      .select("request_id")
      .where("credits", ">", 0)
      .execute();
    const storm = beginStorm({ name: "call", keys, connections: 16, ports: () => [port] });
    await storm.more(200, 100);
    ground.say("Stopping one of them");
    await a.stop();
    await storm.more(200, 200);
    await storm.stop();
    checkStatuses(storm.calls, [200, 429], findings);
    // What came before the storm is known by the database's own ids.
    const first = before.map(({ request_id }) => ({
      id: request_id,
      account: 0,
      sentMs: 0,
      endedMs: 0,
      status: 200,
    }));
    await checkMoney({ db, accounts, owners, granted: CREDITS }, [...first, ...storm.calls], findings, 0);
  },
};

/** deploy/repute.yaml as it is, but for what this machine is: the balancer's address, and a port of its own. */
function deployedFile(metricsPort: number): Readonly<Record<string, unknown>> {
  const deployed = parse(readFileSync(projectFile("deploy/repute.yaml"), "utf8"));
  return {
    ...deployed,
    server: { trust_proxy: ["127.0.0.1/32"] },
    metrics: { listen: `127.0.0.1:${metricsPort}` },
  };
}

async function startBalancer(ground: Ground, a: OwnService, b: OwnService): Promise<number> {
  const port = await freePort();
  const child = spawn("haproxy", ["-W", "-db", "-f", projectFile("deploy/haproxy.cfg")], {
    env: {
      PATH: process.env["PATH"],
      LISTEN: `127.0.0.1:${port}`,
      REPUTE_A: `127.0.0.1:${a.port}`,
      REPUTE_B: `127.0.0.1:${b.port}`,
    },
    stdio: "ignore",
  });
  const end = () => void child.kill("SIGTERM");
  atExit(end);
  ground.later(end);
  return port;
}

/** Six free calls one after the other, over both services, each with a forged address. */
async function freeAnswers(port: number): Promise<string> {
  const statuses: (number | null)[] = [];
  for (let i = 0; i < 6; i++) {
    const headers = { "x-forwarded-for": `6.6.6.${i}, 127.0.0.1` };
    const { status } = await ask(port, { path: "/api/free/check-ip", body: { ip: "8.8.8.8" }, headers });
    statuses.push(status);
  }
  return statuses.join();
}
