import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { systemClock } from "../../src/base/clock.ts";
import { type Ground, openAccounts } from "../ground.ts";
import { residentMb } from "../linux.ts";
import { askPaid, expectSoon, isWell } from "../looks.ts";
import type { Scenario } from "../scenario.ts";

const IDLE = 10_000;
/** Files that this process and the service need beside the connections. */
const SPARE_FILES = 500;

/** Clients that connect and send nothing. */
export const idleConnections: Scenario = {
  name: "idle-connections",
  what: `${IDLE.toLocaleString("en")} connections that say nothing: others are answered, and the idle are let go`,
  needs: ["linux"],
  run: async (ground, findings) => {
    const { service, key } = await startAlone(ground);
    const limit = await openFilesLimit();
    const count = Math.min(IDLE, limit - SPARE_FILES);
    const before = residentMb(service.pid());
    ground.say(`Opening ${count} connections`);
    const crowd = await openCrowd(service.port, count);
    ground.later(crowd.close);
    findings.figure("connections", crowd.open());
    findings.figure("files that a process may open", limit);
    findings.expect(crowd.refused() === 0, `all ${count} connect: ${crowd.refused()} refused`);
    const beganMs = performance.now();
    const answer = await askPaid(service, key);
    findings.figure("a call meanwhile, ms", Math.round(performance.now() - beganMs));
    findings.figure("memory of each, kB", Math.round(((residentMb(service.pid()) - before) * 1000) / count));
    findings.expect(answer.status === 200, `a call is answered: ${answer.status}`);
    findings.expect(await isWell(service), "all is well");
    await expectSoon(findings, "connections that say nothing are closed", () => crowd.open() === 0);
    findings.expect((await askPaid(service, key)).status === 200, "a call is answered afterwards");
  },
};

const SLOW = 500;

/** Clients that send a header that never ends. */
export const slowloris: Scenario = {
  name: "slowloris",
  what: `${SLOW} connections that send a header byte by byte: others are answered, and each of them ends with 408`,
  needs: ["linux"],
  run: async (ground, findings) => {
    const { service, key } = await startAlone(ground);
    const crowd = await openCrowd(service.port, SLOW);
    ground.later(crowd.close);
    const text = `POST /api/check-ip HTTP/1.1\r\nHost: x\r\nX-Padding: ${"a".repeat(1000)}`;
    let sent = 0;
    let answered = 0;
    await expectSoon(findings, "all of them are closed", async () => {
      crowd.write(text.charAt(sent++));
      if ((await askPaid(service, key)).status === 200) answered++;
      await systemClock.sleep(200);
      return crowd.open() === 0;
    });
    findings.figure("calls answered meanwhile", answered);
    findings.figure("octets sent by each", sent);
    findings.expect(answered >= 10, `others are answered meanwhile: ${answered}`);
    const refused = crowd.texts().filter((one) => one.startsWith("HTTP/1.1 408 "));
    findings.expect(refused.length === SLOW, `each is told 408: ${refused.length}`);
    findings.expect((await askPaid(service, key)).status === 200, "a call is answered afterwards");
  },
};

async function startAlone(ground: Ground) {
  const service = await ground.service();
  await service.start();
  const { accounts } = await ground.open(join(service.dataDir, "repute.db"));
  const [owner] = await openAccounts(accounts, 1);
  return { service, key: owner?.key ?? "" };
}

async function openFilesLimit(): Promise<number> {
  const { readFileSync } = await import("node:fs");
  const found = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
  return found === undefined ? Number.POSITIVE_INFINITY : Number(found);
}

/** So many connections at once, opened some at a time. */
async function openCrowd(port: number, count: number) {
  const sockets: Socket[] = [];
  const texts: string[] = [];
  let open = 0;
  let refused = 0;
  for (let i = 0; i < count; i += 250) {
    await Promise.all(
      Array.from({ length: Math.min(250, count - i) }, () => {
        const index = sockets.length;
        const socket = connect({ port, host: "127.0.0.1" });
        sockets.push(socket);
        texts.push("");
        return new Promise<void>((resolve) => {
          socket.once("connect", () => {
            open++;
            socket.once("close", () => open--);
            resolve();
          });
          socket.once("error", () => {
            if (socket.connecting || socket.bytesRead === 0) refused++;
            resolve();
          });
          socket.on("error", () => undefined);
          socket.on("data", (piece) => {
            texts[index] += piece.toString("latin1");
          });
        });
      }),
    );
  }
  return {
    open: () => open,
    refused: () => refused,
    texts: () => texts,
    write: (text: string) => {
      for (const socket of sockets) if (socket.writable) socket.write(text);
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}
