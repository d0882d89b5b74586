import { connect, type Server } from "node:net";
import { createServer } from "node:tls";
import { Redis } from "ioredis";
import { expect, onTestFinished, test } from "vitest";
import { type CertificateName, certificateFiles, TEST_CA_FILE } from "../../../test/servers/web-server.ts";
import { PATIENT_MS, withValkey } from "../../../test/valkey.ts";
import { systemClock, systemRandom } from "../../base/clock.ts";
import { createLog } from "../../base/log.ts";
import { createFreeLimits } from "./free.ts";
import { createMemoryLimits } from "./in-process.ts";
import { createSharedLimits } from "./shared.ts";
import { openValkey } from "./valkey.ts";

async function listen(server: Server): Promise<number> {
  onTestFinished(() => void server.close());
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  return address.port;
}

withValkey((create) => {
  /** The tests' server, spoken to by TLS with a certificate. */
  async function startSecure(name: CertificateName): Promise<number> {
    const { hostname, port } = new URL((await create()).url);
    const server = createServer(certificateFiles(name), (client) => {
      const upstream = connect(Number(port || 6379), hostname);
      client.pipe(upstream).pipe(client);
      client.on("error", () => upstream.destroy());
      upstream.on("error", () => client.destroy());
    });
    return listen(server);
  }

  async function probeAt(port: number, caFile: string | null): Promise<void> {
    const url = `rediss://127.0.0.1:${port}`;
    const valkey = await openValkey({ url, caFile, clock: systemClock, timeoutMs: PATIENT_MS });
    onTestFinished(valkey.close);
    await valkey.probe();
  }

  test("a server by TLS is believed where fetch.ca_file names its authority, and refused without", async () => {
    const port = await startSecure("good");
    await expect(probeAt(port, null)).rejects.toThrow(/certificate/);
    await expect(probeAt(port, TEST_CA_FILE)).resolves.toBeUndefined();
  });

  test.each(["self", "expired", "other"] as const)(
    "the certificate %s is refused, whatever authority is known",
    async (name) => {
      await expect(probeAt(await startSecure(name), TEST_CA_FILE)).rejects.toThrow(/certificate/i);
    },
  );

  test("a lost connection and the password that is refused then are both named, each once", async () => {
    const { url, prefix, scripts } = await create();
    const admin = new Redis(url);
    const username = prefix.replace(/:$/, "");
    onTestFinished(async () => {
      await admin.acl("DELUSER", username);
      admin.disconnect();
    });
    const allow = (password: string) =>
      admin.acl("SETUSER", username, "reset", "on", `>${password}`, "~*", "+@all");
    await allow("old");
    const as = Object.assign(new URL(url), { username, password: "old" }).href;
    const valkey = await openValkey({ url: as, prefix, scripts, clock: systemClock, timeoutMs: PATIENT_MS });
    const lines: string[] = [];
    const log = createLog({ level: "info", destination: { write: (line) => void lines.push(line) } });
    const deps = { clock: systemClock, random: systemRandom };
    const own = { limits: createMemoryLimits(deps), freeLimits: createFreeLimits(deps) };
    const { limits, areShared } = createSharedLimits({ valkey, own, log, ...deps });
    await expect.poll(areShared, { timeout: PATIENT_MS }).toBe(true);
    await allow("new");
    await admin.client("KILL", "USER", username);
    await expect.poll(() => lines.join(""), { timeout: PATIENT_MS }).toContain("WRONGPASS");
    expect((await limits.admit("a", 5)).state).toBe("admitted");
    await allow("old");
    await expect.poll(areShared, { timeout: PATIENT_MS }).toBe(true);
    expect(lines.join("")).not.toContain("No connection within");
    expect(lines.filter((line) => line.includes("WRONGPASS"))).toHaveLength(1);
    expect(lines.at(-1)).toContain("Valkey is back");
    await limits.close();
  });
});
